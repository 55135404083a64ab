"""What the search screen shows: passages by their words alone, at once, or ranked as a whole search ranks them."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any

from storage.filters import Filter
from storage.library import Library
from storage.records import Passage
from workstation.engine.answering import locator_document, search_document
from workstation.retrieval.candidates import Candidate
from workstation.retrieval.filters import Asked, read_query
from workstation.retrieval.lexical import WORD, query_terms
from workstation.retrieval.lexical_lane import lexical_lane
from workstation.retrieval.marking import matching_words
from workstation.retrieval.retriever import Retriever
from workstation.retrieval.stop_words import stop_words

_LAST = re.compile(r"[^\W\d_]\w*\Z")


def by_words(library: Library, text: str, k: int) -> dict[str, Any]:
    """The passages that hold the words, the last of which may still be being typed. No model is asked."""
    started = time.perf_counter()
    asked = read_query(text)
    terms, begun = _typed(asked.words)
    found = library.passages(lexical_lane(library, asked.words, terms, k, asked.where, begun))
    candidates = [_shown(p, terms, begun) for p in found]
    return _document(asked, candidates, started) | {"ranked": False}


def ranked(retriever: Retriever, text: str, k: int) -> dict[str, Any]:
    """The passages of a whole search, with how near each is to what was asked: close, near, or far."""
    started = time.perf_counter()
    asked = read_query(text)
    if not asked.words:
        return _document(asked, [], started) | {"ranked": True}
    retrieval = retriever.search(asked.words, k, where=asked.where)
    needed, floor = retriever.needed(retrieval.query), retriever.thresholds.relevance_floor
    terms, begun = query_terms(asked.words, retrieval.query.language), _typed(asked.words)[1]
    candidates = [
        _shown(c.passage, terms, begun) | {"near": _nearness(c, needed, floor), "why": c.why} for c in retrieval.kept
    ]
    gate = search_document(retrieval)["gate"]
    return _document(asked, candidates, started) | {"ranked": True, "gate": gate, "timings_ms": retrieval.timings_ms}


def facets(library: Library) -> dict[str, Any]:
    """What can be filtered by, those of most sources first, and how much there is to search."""
    with library.snapshot():
        kinds, languages = library.kinds_and_languages()
        return {"kinds": kinds, "languages": languages, "passages": library.passage_count()}


def filter_document(where: Filter) -> dict[str, Any]:
    return {
        "kinds": list(where.kinds),
        "languages": list(where.languages),
        "after": where.after,
        "before": where.before,
    }


def _typed(words: str) -> tuple[tuple[str, ...], str]:
    """The whole words without those that say nothing (in English: the language is not looked at while one types), and
    the one at the end that may go on."""
    last = _LAST.search(words)
    begun = last[0] if last else ""
    terms = query_terms(words, "en") if WORD.search(words) else ()
    if begun.casefold() in stop_words("en"):
        begun = ""
    return terms, begun


def _nearness(c: Candidate, needed: float, floor: float) -> str:
    match = c.match or 0.0
    return "close" if match >= needed else "near" if match >= floor else "far"


def _shown(p: Passage, terms: Sequence[str], begun: str) -> dict[str, Any]:
    return {
        "passage": p.id,
        "source": p.source,
        "title": p.title,
        "path": p.path,
        "kind": p.kind,
        "language": p.language,
        "locator": locator_document(p.locator),
        "text": p.text,
        "marks": matching_words(p.text, terms, begun),
    }


def _document(asked: Asked, candidates: list[dict[str, Any]], started: float) -> dict[str, Any]:
    return {
        "query": asked.words,
        "filters": filter_document(asked.where),
        "candidates": candidates,
        "ms": round(1000 * (time.perf_counter() - started), 1),
    }
