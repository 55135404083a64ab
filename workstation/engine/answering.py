"""The quick cited answer: one search, the gate, and the shortest spans that carry the answer. No folder, no model
writing."""

from __future__ import annotations

import time
from typing import Any

from storage.records import Locator
from workstation.engine.gathering import unsure_figures
from workstation.engine.services import EngineServices, Finding
from workstation.planning.talking import separate
from workstation.retrieval.candidates import Candidate, Coverage, Retrieval

QUOTES = 5


def searched(question: str, intent: str, services: EngineServices) -> dict[str, Any]:
    """The `ask` document of the command line's contract, for a question that is looked up."""
    started = time.perf_counter()
    found = services.find(separate(question).question or question, spans=QUOTES)
    covered = found.retrieval.coverage.covered and bool(found.spans)
    citations = _citations(found, services) if covered else []
    return {
        "question": question,
        "intent": intent,
        "outcome": "answered" if covered else "not_in_library",
        "answer": citations[0]["quote"] if citations else "",
        "citations": citations,
        "verification": _verification(found, services, len(citations)),
        "gate": _gate(found.retrieval.coverage),
        "timings_ms": {**found.retrieval.timings_ms, "total": round(1000 * (time.perf_counter() - started), 2)},
        "model_calls": 0,
        "tokens": 0,
    }


def search_document(retrieval: Retrieval) -> dict[str, Any]:
    """The `search` document of the command line's contract."""
    return {
        "query": retrieval.query.text,
        "language": retrieval.query.language,
        "candidates": [_candidate(c) for c in retrieval.candidates],
        "gate": _gate(retrieval.coverage),
        "timings_ms": retrieval.timings_ms,
    }


def locator_document(locator: Locator) -> dict[str, Any]:
    """{page?, ocr?, start, end, t0?, t1?, heading?}: absent parts are left out."""
    parts = {name: getattr(locator, name) for name in ("page", "ocr", "start", "end", "t0", "t1", "heading")}
    return {name: value for name, value in parts.items() if value is not None}


def _gate(coverage: Coverage) -> dict[str, Any]:
    return {
        "top_cosine": round(coverage.top_cosine, 4),
        "top_match": round(coverage.top_match, 4),
        "covered": coverage.covered,
        "reason": coverage.reason,
    }


def _candidate(c: Candidate) -> dict[str, Any]:
    p = c.passage
    return {
        "passage": p.id,
        "source": p.source,
        "title": p.title,
        "path": p.path,
        "kind": p.kind,
        "locator": locator_document(p.locator),
        "text": p.text,
        "cosine": round(c.cosine, 4),
        "lexical_rank": c.lexical_rank,
        "dense_rank": c.dense_rank,
        "match": None if c.match is None else round(c.match, 4),
        "rerank": None if c.rerank is None else round(c.rerank, 4),
        "reserve": c.reserve,
        "kept": c.kept,
        "why": c.why,
    }


def _citations(found: Finding, services: EngineServices) -> list[dict[str, Any]]:
    """One citation a span, best first; spans of one source share its number. `unsure`: figures that two readings of a
    page's image differ in."""
    numbers: dict[int, int] = {}
    return [
        {
            "number": numbers.setdefault(span.candidate.passage.source, len(numbers) + 1),
            "source": span.candidate.passage.source,
            "title": span.candidate.passage.title,
            "path": span.candidate.passage.path,
            "kind": span.candidate.passage.kind,
            "locator": locator_document(span.locator),
            "quote": span.quote,
            **({"unsure": unsure} if (unsure := unsure_figures(span, services)) else {}),
        }
        for span in found.spans
    ]


def _verification(found: Finding, services: EngineServices, shown: int) -> dict[str, int]:
    """Every quote is compared with the stored text at its address."""
    located = 0
    for span in found.spans[:shown]:
        text = services.stored_text(span.candidate.passage.source, span.candidate.passage.version)
        located += text is not None and text[span.locator.start : span.locator.end] == span.quote
    return {"sentences": shown, "cited": shown, "located": located, "supported": located, "unverified": 0}
