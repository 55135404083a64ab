"""Gather and theses: searches for one sub-question at a time, quotes with addresses, and the claim that they carry."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict

from workstation.core.budget import Budget
from workstation.core.cancel import CancelToken
from workstation.core.messages import text
from workstation.engine.services import EngineServices, Finding
from workstation.evidence.spans import Span
from workstation.evidence.voices import Statement, distinct
from workstation.memory import events as e
from workstation.memory.events import Cause, Event, Place
from workstation.memory.state import Need, ResearchState
from workstation.retrieval.lexical import query_terms

SPANS = 5  # quotes that one search may add to a sub-question
CHOICE = 12  # from which they are chosen, so that as many sources as can speak
STRONG_NOTES = 2  # a thesis that fewer notes carry is thin and gets one more search


def gather(state: ResearchState, services: EngineServices, budget: Budget, cancel: CancelToken) -> Iterator[Event]:
    """Works on one open sub-question: up to two angles, then it is answered, partly answered or unresolved."""
    need = next_need(state)
    id = need.question.id
    if spent := budget.spent():
        yield closed(state, id, "unresolved", spent)
        return
    observer = Observer(state, services)
    said = list(_said(state, id))
    reached = any(s.covered for s in state.searches if s.need == id)
    seen = frozenset(p for s in state.searches if s.need == id for p in s.kept)
    for angle, query in _angles(state, need):
        if angle in need.angles:
            continue
        cancel.check()
        held = frozenset(n.passage for n in state.facts()) if angle == "held" else None
        found = services.find(query, spans=CHOICE, exclude=seen, among=held)
        covered = found.retrieval.coverage.covered
        reached = reached or covered
        spans = _spread(_wanted(found.spans, state), _chosen(state), services.voice_of)
        observed = list(observer.observe(spans, id)) if covered else []
        yield search_done(found, id, angle, query)
        yield from observed
        facts = sum(isinstance(event, e.ObservationChecked) and event.kind == "fact" for event in observed)
        said += (Statement(observer.voice(event.number), event.quote) for event in _facts(observed))
        quotes = len(distinct(said))
        seen |= {c.passage.id for c in found.retrieval.kept} if held is None else frozenset()
        if facts and quotes >= STRONG_NOTES:
            break
    if len(distinct(said)) >= STRONG_NOTES:
        yield closed(state, id, "answered")
    elif said:
        yield closed(state, id, "partly", "one_passage")
    else:
        yield closed(state, id, "unresolved", "no_answer" if reached else "empty")


def theses(state: ResearchState, services: EngineServices, budget: Budget, cancel: CancelToken) -> Iterator[Event]:
    """States the claim of the first sub-question that has none; a thin one gets exactly one more search, for the
    claim."""
    id = needs_without_thesis(state)[0]
    need, facts = state.need(id), state.facts(id)
    claim = facts[0].quote
    notes = [n.id for n in facts]
    said = list(_said(state, id))
    if len(distinct(said)) < STRONG_NOTES and "claim" not in need.angles and not budget.spent():
        cancel.check()
        found = services.find(claim, spans=1, exclude=frozenset(n.passage for n in facts))
        yield search_done(found, id, "claim", claim)
        if found.retrieval.coverage.covered:
            observer = Observer(state, services)
            observed = list(observer.observe(_wanted(found.spans, state), id))
            yield from observed
            notes += (event.id for event in _facts(observed))
            said += (Statement(observer.voice(event.number), event.quote) for event in _facts(observed))
    strong = len(distinct(said)) >= STRONG_NOTES
    yield e.ThesisStated(id=f"t-{id}", need=id, sentence=claim, notes=tuple(notes), strong=strong)


def next_need(state: ResearchState) -> Need:
    """The open sub-question to work on: the one that looks for dissent comes after those that it is about."""
    needs = state.open_needs()
    return next((n for n in needs if not n.question.counter), needs[0])


def needs_without_thesis(state: ResearchState) -> list[str]:
    """Sub-questions with facts that no thesis rests on yet, or that have got more since."""
    stated = {t.need: set(t.notes) for t in state.theses}
    wanted = [n.question.id for n in state.needs if not n.question.counter]
    return [id for id in wanted if (facts := state.facts(id)) and not {n.id for n in facts} <= stated.get(id, set())]


def closed(state: ResearchState, need: str, status: e.ClosedStatus, cause: Cause = "") -> e.NeedClosed:
    reason = text(cause, state.language) if cause else ""
    return e.NeedClosed(need=need, status=status, cause=cause, reason=reason)


def _angles(state: ResearchState, need: Need) -> Iterator[tuple[str, str]]:
    """Ways to ask. A line that came later is asked of what the run holds first; then all are asked in their own words,
    and by the telling words of the line and of the whole question."""
    query = need.question.query or need.question.text
    if state.rounds and state.facts() and not need.angles:
        yield "held", query
    yield "question", query
    words = (*query_terms(query, state.language), *query_terms(state.restated, state.language))
    yield "keywords", " ".join(dict.fromkeys(words))


def _chosen(state: ResearchState) -> Callable[[Span], int]:
    """How many words of what the user chose stand in a span's title: that source comes first."""
    answers = " ".join(c.answer or "" for c in state.clarifications or ())
    said = set(query_terms(answers, state.language)) if answers.strip() else set()
    return lambda span: len(said & set(query_terms(span.candidate.passage.title, state.language))) if said else 0


def _said(state: ResearchState, need: str) -> Iterator[Statement]:
    """What the facts of a sub-question say, each with its voice."""
    for note in state.facts(need):
        entry = state.entry(note.number)
        yield Statement(entry.voice if entry else -note.number, note.quote)


def _facts(observed: Iterable[Event]) -> Iterator[e.ObservationMade]:
    """The observations among these events that were checked and stand."""
    made: dict[str, e.ObservationMade] = {}
    for event in observed:
        if isinstance(event, e.ObservationMade):
            made[event.id] = event
        elif isinstance(event, e.ObservationChecked) and event.kind == "fact":
            yield made[event.id]


def _spread(spans: Iterable[Span], chosen: Callable[[Span], int], voice: Callable[[int], int]) -> list[Span]:
    """The best span of each voice, what was chosen before the rest, then the next ones while there is room; what a copy
    only says again is left out."""
    first: dict[int, Span] = {}
    said: list[Statement] = []
    others: list[Span] = []
    for span in spans:
        speaker = voice(span.candidate.passage.source)
        statement = Statement(speaker, span.quote)
        if any(statement.repeats(earlier) for earlier in said):
            continue
        said.append(statement)
        if first.setdefault(speaker, span) is not span:
            others.append(span)
    return sorted([*first.values(), *others][:SPANS], key=lambda s: (-chosen(s), -s.score))


def _wanted(spans: Iterable[Span], state: ResearchState) -> Iterator[Span]:
    """Without what speaks of a topic that was to be left out."""
    asked = set(query_terms(state.restated, state.language))
    topics = [words - asked for topic in state.left_out if (words := set(query_terms(topic, state.language)))]
    for span in spans:
        said = set(query_terms(span.quote, span.candidate.passage.language))
        if not any(words and words <= said for words in topics):
            yield span


class Observer:
    """Turns spans into notes. Hands out citation numbers: the ledger's own, and the next free one for a source version
    that has none."""

    def __init__(self, state: ResearchState, services: EngineServices) -> None:
        self._services = services
        self._numbers = {(x.source, x.version): x.number for x in state.ledger}
        self._voices = {x.number: x.voice for x in state.ledger}
        self._rejected: set[tuple[int | None, int, int]] = {
            (n.number, n.place.start, n.place.end) for n in state.notes if n.kind == "rejected"
        }

    def voice(self, number: int) -> int:
        """Whose words the source with this number holds."""
        return self._voices[number]

    def observe(self, spans: Iterable[Span], need: str) -> Iterator[Event]:
        """The quote, compared with its source, as a fact or an extraction error; before it its source, when that is
        met for the first time. What a person rejected is not brought back."""
        for span in spans:
            passage, place = span.candidate.passage, span.locator
            number = self._numbers.get((passage.source, passage.version))
            if self.was_rejected(span):
                continue
            if number is None:
                number = self._numbers[passage.source, passage.version] = len(self._numbers) + 1
                self._voices[number] = self._services.voice_of(passage.source)
                yield self._registered(span, number, need)
            note = note_id(need, span)
            yield e.ObservationMade(
                id=note,
                need=need,
                number=number,
                quote=span.quote,
                place=Place.model_validate(asdict(place)),
                passage=passage.id,
                cosine=span.candidate.cosine,
                rerank=span.candidate.rerank,
                why=span.candidate.why,
            )
            stored = self._services.stored_text(passage.source, passage.version)
            if stored is None or stored[place.start : place.end] != span.quote:
                reason = "the quote is not at its address in the stored text"
                yield e.ObservationChecked(id=note, need=need, kind="extraction_error", reason=reason)
            elif unsure := unsure_figures(span, self._services):
                reason = f"two readings of the page's image differ in {', '.join(unsure)}"
                yield e.ObservationChecked(id=note, need=need, kind="extraction_error", reason=reason)
            else:
                yield e.ObservationChecked(id=note, need=need, kind="fact")

    def was_rejected(self, span: Span) -> bool:
        """Whether a person said that this is no evidence."""
        passage, place = span.candidate.passage, span.locator
        return (self._numbers.get((passage.source, passage.version)), place.start, place.end) in self._rejected

    def _registered(self, span: Span, number: int, need: str) -> e.SourceRegistered:
        passage = span.candidate.passage
        origin = self._services.origin_of(passage.source)
        return e.SourceRegistered(
            need=need,
            number=number,
            source=passage.source,
            version=passage.version,
            title=passage.title,
            path=passage.path,
            kind=passage.kind,
            language=passage.language,
            date=origin.date,
            origin=origin.origin,
            copy_of=voice if (voice := self._voices[number]) != passage.source else None,
        )


def unsure_figures(span: Span, services: EngineServices) -> list[str]:
    """The figures in a quote that was read from an image which a second reading of it did not find there."""
    passage, place = span.candidate.passage, span.locator
    figures = services.doubtful(passage.source, passage.version, place.page) if place.ocr is not None else frozenset()
    return sorted(f for f in figures if re.search(rf"(?<!\d){re.escape(f)}(?!\d)", span.quote))


def note_id(need: str, span: Span) -> str:
    """From the content, so that a step that is repeated after a kill repeats no entry."""
    passage, place = span.candidate.passage, span.locator
    content = f"{need}|{passage.source}|{passage.version}|{place.start}|{place.end}"
    return "n" + hashlib.sha256(content.encode()).hexdigest()[:12]


def search_done(found: Finding, need: str, angle: str, query: str) -> e.SearchDone:
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
