"""The counter-question: what in the library speaks against the answers that were found?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from workstation.core.budget import Budget
from workstation.core.cancel import CancelToken
from workstation.engine.gathering import Observer, closed, next_need, note_id, search_done
from workstation.engine.services import EngineServices
from workstation.evidence.disagreement import Against, Comparison, Dated, aged
from workstation.evidence.spans import Span
from workstation.evidence.voices import Statement
from workstation.memory import events as e
from workstation.memory.events import Event
from workstation.memory.state import ResearchState

SENTENCES = 60  # that are compared with an answer
BESIDE = 4  # other sources that are quoted on a question without being set against its answer


def dispute(state: ResearchState, services: EngineServices, budget: Budget, cancel: CancelToken) -> Iterator[Event]:
    """Looks at every part of the question twice: what else is said on it, and who disputes what is said."""
    need = next_need(state)
    id = need.question.id
    if spent := budget.spent():
        yield closed(state, id, "unresolved", spent)
        return
    asked = [n.question for n in state.needs if n.question.direct and state.facts(n.question.id)]
    differing, observer = len(state.disputes()), Observer(state, services)
    for question in asked:
        words = question.query or question.text
        reference: Span | None = None
        for angle, query in ((f"versions of {question.id}", words), (f"against {question.id}", need.question.text)):
            cancel.check()
            found = services.find(query, spans=SENTENCES, wide=True)
            comparison = _comparison(words, found.spans, state, services)
            reference = reference or comparison.reference(_leads(state, question.id))
            if angle in need.angles:
                continue
            compared = list(_compared(comparison, reference, id, observer, state, services)) if reference else []
            yield search_done(found, id, angle, query)
            for event in compared:
                differing += isinstance(event, e.DisagreementFound)
                yield event
    if differing:
        yield closed(state, id, "answered")
    else:
        yield closed(state, id, "unresolved", "no_dissent" if asked else "empty")


def _comparison(question: str, spans: tuple[Span, ...], state: ResearchState, services: EngineServices) -> Comparison:
    def text_of(span: Span) -> str:
        return services.stored_text(span.candidate.passage.source, span.candidate.passage.version) or ""

    return Comparison(question, state.language, spans, text_of)


def _leads(state: ResearchState, need: str) -> Callable[[Span], bool]:
    """Whether a sentence is the one that the answer to a sub-question begins with."""
    lead = state.facts(need)[0]
    entry = state.entry(lead.number)

    def is_lead(span: Span) -> bool:
        same = entry is not None and span.candidate.passage.source == entry.source
        return same and span.locator.start < lead.place.end and lead.place.start < span.locator.end

    return is_lead


def _compared(
    comparison: Comparison,
    reference: Span,
    need: str,
    observer: Observer,
    state: ResearchState,
    services: EngineServices,
) -> Iterator[Event]:
    """Notes for the sentences that speak against the reference, each followed by what it is that differs, and for what
    sources say beside it that the report does not cite yet."""

    def dated(span: Span) -> Dated:
        passage = span.candidate.passage
        return Dated(services.origin_of(passage.source).date, passage.title)

    against = (d for d in comparison.against(reference) if not observer.was_rejected(d.span))
    found = list(_voiced(against, services))
    if found:
        yield from observer.observe([reference], need)
    for differing in found:
        kind = aged(differing.kind, dated(reference), dated(differing.span), state.language)
        yield from observer.observe([differing.span], need)
        yield e.DisagreementFound(
            need=need, note=note_id(need, differing.span), against=note_id(need, reference), kind=kind
        )
    quoted = {state.entry(note.number) for note in state.facts()}
    known = {entry.source for entry in quoted if entry} | {d.span.candidate.passage.source for d in found}
    voices = {services.voice_of(source) for source in known}
    others = (s for s in comparison.beside(reference, known) if not _heard(s, voices, services))
    yield from observer.observe(islice(others, BESIDE), need)


def _voiced(found: Iterable[Against], services: EngineServices) -> Iterator[Against]:
    """Without what a copy only says again."""
    said: list[Statement] = []
    for each in found:
        statement = Statement(services.voice_of(each.span.candidate.passage.source), each.span.quote)
        if not any(statement.repeats(earlier) for earlier in said):
            said.append(statement)
            yield each


def _heard(span: Span, voices: set[int], services: EngineServices) -> bool:
    """Whether this voice has spoken already; from then on it has."""
    voice = services.voice_of(span.candidate.passage.source)
    heard = voice in voices
    voices.add(voice)
    return heard
