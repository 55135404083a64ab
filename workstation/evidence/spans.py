"""The shortest verbatim spans that carry an answer: sentences, chosen by late interaction inside their passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from storage.records import Locator
from workstation.retrieval.candidates import Candidate, PassageTokens, Query
from workstation.retrieval.late_interaction import max_sim

SentenceSplitter = Callable[[str, str], Sequence[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Span:
    """A verbatim quote: `quote` equals the source text at locator.start:locator.end."""

    candidate: Candidate
    quote: str
    locator: Locator
    score: float


def find_spans(
    query: Query,
    candidates: Sequence[Candidate],
    tokens: dict[int, PassageTokens],
    split: SentenceSplitter,
    most: int,
) -> list[Span]:
    """The best `most` sentences of `candidates` for a question, best first."""
    spans: list[Span] = []
    for candidate in candidates:
        text = candidate.passage.text
        for start, end in split(text, candidate.passage.language):
            vectors = tokens[candidate.passage.id].between(start, end)
            score = max_sim(query.tokens, query.weights, vectors)
            spans.append(Span(candidate, text[start:end], _place(candidate.passage.locator, start, end), score))
    return sorted(spans, key=lambda s: -s.score)[:most]


def _place(passage: Locator, start: int, end: int) -> Locator:
    return Locator(passage.start + start, passage.start + end, passage.page, passage.heading, passage.t0, passage.t1)
