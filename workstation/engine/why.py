"""Why this passage: a search done again for one of its passages, with the walk of that one and of its neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from storage.errors import NotFound
from storage.library import Library
from storage.records import Passage
from workstation.engine.answering import locator_document
from workstation.retrieval.candidates import Candidate, Retrieval
from workstation.retrieval.explain import explain
from workstation.retrieval.filters import read_query
from workstation.retrieval.retriever import Retriever
from workstation.retrieval.steps import dropped_at, steps

NEIGHBOURS = 3  # passages before and behind it
EXAMPLES = 2  # of those that were dropped at one step


def why(
    retriever: Retriever, library: Library, text: str, passage: int, keep: int, exclude: Iterable[int] = ()
) -> dict[str, Any]:
    """The `why` document. `text` may hold filters; `exclude`: passages that earlier searches had brought already.

    A passage that can be found no more has no steps, and `gone` says so.
    """
    asked = read_query(text)
    retrieval = retriever.search(asked.words, keep, frozenset(exclude) - {passage}, where=asked.where)
    try:
        stored = library.passages([passage])[0]
        mine = _candidate(retriever, retrieval, stored)
    except NotFound:
        return _document(asked.words, retrieval, None, keep) | {"gone": True}
    walk = [asdict(step) for step in steps(mine, retrieval, keep, retriever.thresholds)]
    found = mine in retrieval.candidates
    at = retrieval.candidates.index(mine) if found else len(retrieval.candidates)
    return _document(asked.words, retrieval, mine, keep) | {
        "gone": False,
        "passage": _named(mine),
        "place": at + 1 if found else None,
        "why": mine.why or explain(mine, retriever.thresholds),
        "steps": walk,
        "before": [_placed(retrieval, n) for n in range(max(0, at - NEIGHBOURS), at)] if found else [],
        "after": [_placed(retrieval, n) for n in _behind(retrieval, at)] if found else [],
    }


def _candidate(retriever: Retriever, retrieval: Retrieval, stored: Passage) -> Candidate:
    """The passage as the search saw it, or with its cosine alone where no lane brought it."""
    pool = (*retrieval.candidates, *retrieval.below_floor)
    found = next((c for c in pool if c.passage.id == stored.id), None)
    return found or Candidate(stored, retriever.cosine(retrieval.query, stored.id), None, None)


def _behind(retrieval: Retrieval, at: int) -> range:
    return range(at + 1, min(len(retrieval.candidates), at + 1 + NEIGHBOURS))


def _document(query: str, retrieval: Retrieval, mine: Candidate | None, keep: int) -> dict[str, Any]:
    own = mine.passage.id if mine else 0
    dropped = {name: [c for c in found if c.passage.id != own] for name, found in dropped_at(retrieval).items()}
    return {
        "query": query,
        "keep": keep,
        "pool": len(retrieval.candidates),
        "covered": retrieval.coverage.covered,
        "dropped": [
            {"step": name, "count": len(found), "examples": [_named(c) for c in found[:EXAMPLES]]}
            for name, found in dropped.items()
        ],
    }


def _placed(retrieval: Retrieval, at: int) -> dict[str, Any]:
    c = retrieval.candidates[at]
    return _named(c) | {"place": at + 1, "kept": c.kept}


def _named(c: Candidate) -> dict[str, Any]:
    p = c.passage
    return {
        "passage": p.id,
        "title": p.title,
        "locator": locator_document(p.locator),
        "text": p.text[:300],
        "cosine": round(c.cosine, 3),
        "rerank": None if c.rerank is None else round(c.rerank, 2),
    }
