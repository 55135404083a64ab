"""What needs no research: a place that was named, a list of what the library holds. It is shown as it is; no model is
asked."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from storage.records import Passage, Source
from workstation.core.text import one_line
from workstation.engine.answering import locator_document, searched
from workstation.engine.workbench import Workbench
from workstation.planning.classify import Place, Route, classify

LISTED = 5  # passages that are shown for a place
PHRASES = 400  # passages that hold all words of a phrase, to find those that hold it as it stands


def answer(question: str, bench: Workbench) -> dict[str, Any]:
    """The `ask` document of the command line's contract: what was named is shown, everything else is looked up."""
    route = classify(question)
    return served(question, route, bench) or searched(question, route.intent, bench)


def served(question: str, route: Route, bench: Workbench) -> dict[str, Any] | None:
    """The `ask` document for a route that is served directly; None where the question has to be searched after all:
    the place names nothing in the library."""
    started = time.perf_counter()
    match route.intent:
        case "nothing" | "greeting":
            shown = _invitation(bench)
        case "locate":
            assert route.place is not None, "a place is what makes it the intent"
            found = _located(route.place, bench)
            if found is None:
                return None
            shown = found
        case "catalogue":
            shown = _catalogue(route.about, bench)
        case _:
            return None
    quotes = len(shown["citations"])
    return {
        "question": question,
        "intent": route.intent,
        **shown,
        "verification": {
            "sentences": quotes,
            "cited": quotes,
            "located": quotes,
            "supported": quotes,
            "unverified": 0,
        },
        "gate": {"top_cosine": 0.0, "top_match": 0.0, "covered": bool(quotes), "reason": "served without a search"},
        "timings_ms": {"total": round(1000 * (time.perf_counter() - started), 2)},
        "model_calls": 0,
        "tokens": 0,
    }


def examples(bench: Workbench) -> list[str]:
    """Two questions that this library can answer: about its two sources with the most passages."""
    sources = sorted(bench.library.sources(), key=lambda s: -s.passages)[:2]
    return [f"What is said about {one_line(source.title, 60)}?" for source in sources]


def _invitation(bench: Workbench) -> dict[str, Any]:
    return {"outcome": "not_in_library", "answer": "", "citations": [], "examples": examples(bench)}


def _catalogue(about: str, bench: Workbench) -> dict[str, Any]:
    sources = bench.library.sources()
    more = False
    if about:
        wanted, more = _about(about, bench)
        sources = [s for s in sources if s.id in wanted]
    listed = [
        {
            "source": s.id,
            "title": s.title,
            "path": s.path,
            "kind": s.kind,
            "language": s.language,
            "passages": s.passages,
        }
        for s in sources
    ]
    count = f"{len(listed)} {'document' if len(listed) == 1 else 'documents'}"
    answer = f"{'at least ' * more}{count} about {about}" if about else f"The library holds {count}"
    return {"outcome": "answered" if listed else "not_in_library", "answer": answer, "citations": [], "sources": listed}


def _about(words: str, bench: Workbench) -> tuple[set[int], bool]:
    """Sources with a passage that matches as well as one that would answer a question, and whether there may be more:
    all that were compared match."""
    found = bench.retriever.search(words)
    needed = bench.retriever.needed(found.query)
    compared = [c for c in found.candidates if c.match is not None]
    matching = [c for c in compared if (c.match or 0.0) >= needed]
    return {c.passage.source for c in matching}, 0 < len(matching) == len(compared) < len(found.candidates)


def _located(place: Place, bench: Workbench) -> dict[str, Any] | None:
    """The passages at a place; None when the library has no such place."""
    library = bench.library
    if place.quote:
        passages = _with_phrase(place.quote, bench)
    else:
        source = _source(place, library.sources())
        if source is None:
            return None
        passages = _there(library.passages_of(source.id), place)
    if not passages:
        return None
    citations = [_citation(p, _narrowed(p, place.quote)) for p in passages[:LISTED]]
    return {"outcome": "answered", "answer": citations[0]["quote"], "citations": citations}


def _source(place: Place, sources: Iterable[Source]) -> Source | None:
    """By number, by address, by the name of its file or its title; the shortest name that holds the words wins."""
    if place.source is not None:
        return next((s for s in sources if s.id == place.source), None)
    if place.url:
        return next(
            (s for s in sources if place.url.rstrip("/") in (s.path.rstrip("/"), (s.origin or "").rstrip("/"))), None
        )
    words = place.name.casefold()
    named = [
        (len(name), s.id, s)
        for s in sources
        for name in (s.path.rsplit("/", 1)[-1], s.title)
        if words in name.casefold()
    ]
    return min(named)[2] if words and named else None


def _there(passages: list[Passage], place: Place) -> list[Passage]:
    if place.page is not None:
        return [p for p in passages if p.locator.page == place.page]
    if place.seconds is not None:
        at = place.seconds
        return [p for p in passages if p.locator.t0 is not None and p.locator.t0 <= at < (p.locator.t1 or at + 1)]
    return passages


def _with_phrase(phrase: str, bench: Workbench) -> list[Passage]:
    hits = [i for i, _ in bench.library.phrase(phrase, PHRASES)]
    return [p for p in bench.library.passages(hits) if _find(p.text, phrase) is not None]


def _find(text: str, phrase: str) -> tuple[int, int] | None:
    """Where a phrase stands, whatever its case."""
    at = text.casefold().find(phrase.casefold())
    if at < 0 or len(text.casefold()) != len(text):
        at = text.find(phrase)
    return (at, at + len(phrase)) if at >= 0 else None


def _narrowed(passage: Passage, phrase: str) -> tuple[int, int]:
    """The part of the passage that is shown: the phrase itself, or all of it."""
    return (_find(passage.text, phrase) if phrase else None) or (0, len(passage.text))


def _citation(passage: Passage, part: tuple[int, int]) -> dict[str, Any]:
    start, end = part
    return {
        "number": passage.source,
        "source": passage.source,
        "title": passage.title,
        "path": passage.path,
        "kind": passage.kind,
        "locator": locator_document(passage.place(start, end)),
        "quote": passage.text[start:end],
    }
