"""Questions back to the user: only where the library answers the question in several ways that only they can choose
from. No model is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from workstation.core.messages import text
from workstation.memory.events import Clarification
from workstation.retrieval.lexical import query_terms

MOST_OPTIONS = 4
SHARE = 0.85  # of the best sentence's score that another source's must reach to be an answer of its own
_YEAR = re.compile(r"(?<![\d.,])(1\d{3}|20\d{2})(?![\d.,]?\d)")


@dataclass(frozen=True, slots=True)
class Answering:
    """A sentence that answers the question: its source, the source's title, and how well."""

    source: int
    title: str
    score: float


def clarifications(question: str, language: str, found: Sequence[Answering]) -> tuple[Clarification, ...]:
    """At most two questions, mostly none. found: the sentences that answer the question best, best first.

    Sources that answer about equally well and are told apart by a year in their titles, or by their titles alone, are
    offered when the question itself names no year and no word of any of the titles that would choose between them.
    """
    titles = _titles(found)
    if len(titles) < 2:
        return ()
    if not _YEAR.search(question):
        years = [set(_YEAR.findall(title)) for title in titles]
        if all(len(y) == 1 for y in years) and len(distinct := sorted(set().union(*years))) > 1:
            return (
                Clarification(id="time", text=text("which_time", language), options=tuple(distinct[-MOST_OPTIONS:])),
            )
    if _chooses(question, titles, language):
        return ()
    return (Clarification(id="document", text=text("which_document", language), options=tuple(titles[:MOST_OPTIONS])),)


def _titles(found: Sequence[Answering]) -> list[str]:
    """Of the sources that answer about as well as the best one."""
    best: dict[int, str] = {}
    for answer in found:
        if answer.score >= SHARE * found[0].score:
            best.setdefault(answer.source, answer.title)
    return list(dict.fromkeys(best.values()))  # what bears one name cannot be chosen between


def _chooses(question: str, titles: Sequence[str], language: str) -> bool:
    """Whether the question already says which of the titles it is about, or has too little to do with all of them."""
    asked = set(query_terms(question, language))
    words = [set(query_terms(title, language)) for title in titles]
    shared = set.intersection(*words)
    return not (shared & asked) or any((title - shared) & asked for title in words)
