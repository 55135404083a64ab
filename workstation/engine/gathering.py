"""Gather and theses: searches for one sub-question at a time, quotes with addresses, and the claim that they carry."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from workstation.core.budget import Budget
from workstation.core.cancel import CancelToken
from workstation.engine.services import EngineServices, Finding
from workstation.evidence.dissent import dissents
from workstation.evidence.spans import Span
from workstation.memory import events as e
from workstation.memory.events import Event, Place
from workstation.memory.state import Need, ResearchState
from workstation.retrieval.lexical import query_terms

SPANS = 5  # quotes that one search may add to a sub-question
STRONG_NOTES = 2  # a thesis that fewer notes carry is thin and gets one more search


def gather(
    state: ResearchState, services: EngineServices, budget: Budget | None, cancel: CancelToken
) -> Iterator[Event]:
    """Works on the first open sub-question: up to two angles, then it is answered, partly answered or unresolved."""
    need = state.open_needs()[0]
    id = need.question.id
    spent = budget.spent(len(state.searches), len(state.ledger)) if budget else ""
    if spent:
        yield e.NeedClosed(need=id, status="unresolved", reason=f"not reached: the budget of {spent} is spent")
        return
    ledger = _Numbers(state)
    quotes, reached = len(state.facts(id)), any(s.covered for s in state.searches if s.need == id)
    for angle, query in _angles(state, need):
        if angle in need.angles:
            continue
        cancel.check()
        known = frozenset(n.passage for n in state.notes if n.need == id)
        found = services.find(query, spans=SPANS, exclude=known)
        reached = reached or found.retrieval.coverage.covered
        facts = 0
        observed = list(_observe(found, need, ledger, services)) if found.retrieval.coverage.covered else []
        yield _search_done(found, id, angle, query)
        for event in observed:
            facts += isinstance(event, e.ObservationChecked) and event.kind == "fact"
            yield event
        quotes += facts
        if facts:
            break
    yield _verdict(need, quotes, reached)


def theses(
    state: ResearchState, services: EngineServices, budget: Budget | None, cancel: CancelToken
) -> Iterator[Event]:
    """States the claim of the first sub-question that has none; a thin one gets exactly one more search, for the
    claim."""
    id = needs_without_thesis(state)[0]
    need, facts = state.need(id), state.facts(id)
    claim = facts[0].quote
    spent = budget.spent(len(state.searches), len(state.ledger)) if budget else ""
    notes = [n.id for n in facts]
    if len(facts) < STRONG_NOTES and "claim" not in need.angles and not spent:
        cancel.check()
        found = services.find(claim, spans=1, exclude=frozenset(n.passage for n in facts))
        yield _search_done(found, id, "claim", claim)
        if found.retrieval.coverage.covered:
            for event in _observe(found, need, _Numbers(state), services):
                if isinstance(event, e.ObservationChecked) and event.kind == "fact":
                    notes.append(event.id)
                yield event
    yield e.ThesisStated(id=f"t-{id}", need=id, sentence=claim, notes=tuple(notes), strong=len(notes) >= STRONG_NOTES)


def needs_without_thesis(state: ResearchState) -> list[str]:
    stated = {t.need for t in state.theses}
    return [n.question.id for n in state.needs if state.facts(n.question.id) and n.question.id not in stated]


def _angles(state: ResearchState, need: Need) -> Iterator[tuple[str, str]]:
    """Two ways to ask: in the sub-question's words, and by the telling words of it and the whole question."""
    yield "question", need.question.text
    words = (*query_terms(need.question.text, state.language), *query_terms(state.restated, state.language))
    yield "keywords", " ".join(dict.fromkeys(words))


class _Numbers:
    """Hands out citation numbers: the ledger's own, and the next free one for a source version that has none."""

    def __init__(self, state: ResearchState) -> None:
        self._numbers = {(x.source, x.version): x.number for x in state.ledger}

    def of(self, span: Span) -> tuple[int, bool]:
        passage = span.candidate.passage
        key = (passage.source, passage.version)
        fresh = key not in self._numbers
        return self._numbers.setdefault(key, len(self._numbers) + 1), fresh


def _observe(found: Finding, need: Need, ledger: _Numbers, services: EngineServices) -> Iterator[Event]:
    for span in found.spans:
        if need.question.counter and not dissents(span.quote):
            continue
        passage, place = span.candidate.passage, span.locator
        number, fresh = ledger.of(span)
        if fresh:
            yield e.SourceRegistered(
                number=number,
                source=passage.source,
                version=passage.version,
                title=passage.title,
                path=passage.path,
                kind=passage.kind,
                language=passage.language,
            )
        id = _note_id(need.question.id, passage.source, passage.version, place.start, place.end)
        yield e.ObservationMade(
            id=id,
            need=need.question.id,
            number=number,
            quote=span.quote,
            place=Place(
                start=place.start, end=place.end, page=place.page, heading=place.heading, t0=place.t0, t1=place.t1
            ),
            passage=passage.id,
            cosine=span.candidate.cosine,
            rerank=span.candidate.rerank,
            why=span.candidate.why,
        )
        stored = services.stored_text(passage.source, passage.version)
        if stored is not None and stored[place.start : place.end] == span.quote:
            yield e.ObservationChecked(id=id, kind="fact")
        else:
            reason = "the quote is not at its address in the stored text"
            yield e.ObservationChecked(id=id, kind="extraction_error", reason=reason)


def _note_id(need: str, source: int, version: str, start: int, end: int) -> str:
    return "n" + hashlib.sha256(f"{need}|{source}|{version}|{start}|{end}".encode()).hexdigest()[:12]


def _search_done(found: Finding, need: str, angle: str, query: str) -> e.SearchDone:
    r = found.retrieval
    return e.SearchDone(
        need=need,
        query=query,
        angle=angle,
        found=len(r.candidates),
        kept=tuple(c.passage.id for c in r.kept),
        top_cosine=round(r.coverage.top_cosine, 4),
        covered=r.coverage.covered,
        seconds=round(sum(r.timings_ms.values()) / 1000, 4),
    )


def _verdict(need: Need, quotes: int, reached: bool) -> e.NeedClosed:
    id = need.question.id
    if quotes >= STRONG_NOTES:
        return e.NeedClosed(need=id, status="answered")
    if quotes:
        return e.NeedClosed(need=id, status="partly", reason="only one passage speaks to it")
    if need.question.counter:
        return e.NeedClosed(need=id, status="unresolved", reason="two searches found no passage that disagrees")
    reason = (
        "related passages were found, but none that answers it"
        if reached
        else "two searches found nothing in the library"
    )
    return e.NeedClosed(need=id, status="unresolved", reason=reason)
