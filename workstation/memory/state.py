"""The typed state of a run, and how each event changes it. `apply` is pure and total; everything shown is a fold of
it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import TypeVar, assert_never

from workstation.memory import events as e
from workstation.memory.events import (
    Check,
    Depth,
    Event,
    Format,
    Limits,
    NeedStatus,
    NoteKind,
    Place,
    SubQuestion,
    Value,
)

T = TypeVar("T", bound=Value)


class Need(Value):
    """A sub-question of the approved plan with what is known about it. `angles` are the ways it was searched."""

    question: SubQuestion
    status: NeedStatus = "open"
    reason: str = ""
    angles: tuple[str, ...] = ()


class Search(Value):
    need: str
    query: str
    angle: str
    found: int
    kept: tuple[int, ...]
    top_cosine: float
    covered: bool


class LedgerEntry(Value):
    """A source with the number that the report cites it by. The number never changes."""

    number: int
    source: int
    version: str
    title: str
    path: str
    kind: str
    language: str
    date: str | None
    origin: str | None
    first_read: str
    places: tuple[Place, ...] = ()


class Note(Value):
    """One line of the evidence log: a quote at an address. `kind` is None until it was checked against the source."""

    id: str
    need: str
    number: int
    quote: str
    place: Place
    passage: int
    cosine: float | None
    rerank: float | None
    why: str
    kind: NoteKind | None = None
    reason: str = ""


class Thesis(Value):
    id: str
    need: str
    sentence: str
    notes: tuple[str, ...]
    strong: bool


class Paragraph(Value):
    id: str
    section: str
    need: str
    text: str
    notes: tuple[str, ...]


class Ending(Value):
    outcome: e.Outcome
    exit_reason: str
    detail: str
    seconds: float
    model_calls: int


class ResearchState(Value):
    """All that a run knows. Parts are tuples in the order in which they happened."""

    question: str = ""
    depth: Depth = "thorough"
    format: Format = "report"
    library: str = ""
    language: str = ""
    started: str = ""
    intent: str = ""
    restated: str = ""
    title: str = ""
    proposed: tuple[SubQuestion, ...] = ()
    limits: Limits | None = None
    plan_hash: str = ""
    needs: tuple[Need, ...] = ()
    stage: str = ""
    searches: tuple[Search, ...] = ()
    ledger: tuple[LedgerEntry, ...] = ()
    notes: tuple[Note, ...] = ()
    theses: tuple[Thesis, ...] = ()
    paragraphs: tuple[Paragraph, ...] = ()
    check: Check | None = None
    ended: Ending | None = None
    commands_taken: int = 0
    enough: bool = False
    warnings: tuple[str, ...] = ()
    seq: int = 0
    time: str = ""

    def need(self, id: str) -> Need:
        return next(n for n in self.needs if n.question.id == id)

    def open_needs(self) -> tuple[Need, ...]:
        return tuple(n for n in self.needs if n.status == "open")

    def facts(self, need: str | None = None) -> tuple[Note, ...]:
        return tuple(n for n in self.notes if n.kind == "fact" and (need is None or n.need == need))

    def note(self, id: str) -> Note | None:
        return next((n for n in self.notes if n.id == id), None)

    def entry(self, number: int) -> LedgerEntry | None:
        return next((x for x in self.ledger if x.number == number), None)

    def number_of(self, source: int, version: str) -> int | None:
        return next((x.number for x in self.ledger if (x.source, x.version) == (source, version)), None)


def apply(state: ResearchState, event: Event) -> ResearchState:
    """The state after `event`. Events that repeat an id change nothing."""
    new = _applied(state, event)
    return new.model_copy(update={"seq": max(state.seq, event.seq), "time": event.time or state.time})


def fold(events: Iterable[Event], state: ResearchState | None = None) -> ResearchState:
    return reduce(apply, events, state or ResearchState())


def _applied(s: ResearchState, event: Event) -> ResearchState:
    match event:
        case e.RunStarted():
            return _with(
                s,
                question=event.question,
                depth=event.depth,
                format=event.format,
                library=event.library,
                started=event.time,
            )
        case e.RunResumed():
            return _with(s, ended=None)
        case e.Classified():
            return _with(s, intent=event.intent)
        case e.BriefWritten():
            return _with(s, restated=event.restated, title=event.title, language=event.language)
        case e.PlanProposed():
            return _with(s, proposed=event.items, limits=event.limits)
        case e.PlanApproved():
            return _with(s, plan_hash=event.plan_hash, needs=tuple(Need(question=q) for q in event.items))
        case e.StageEntered():
            return _with(s, stage=event.stage)
        case e.SearchDone():
            search = Search(**event.model_dump(exclude={"seq", "time", "type", "seconds"}))
            needs = tuple(
                _with(n, angles=(*n.angles, event.angle)) if n.question.id == event.need else n for n in s.needs
            )
            return _with(s, searches=(*s.searches, search), needs=needs)
        case e.SourceRegistered():
            return _register(s, event)
        case e.ObservationMade():
            return _observe(s, event)
        case e.ObservationChecked():
            notes = tuple(_with(n, kind=event.kind, reason=event.reason) if n.id == event.id else n for n in s.notes)
            return _with(s, notes=notes)
        case e.NeedClosed():
            needs = tuple(
                _with(n, status=event.status, reason=event.reason) if n.question.id == event.need else n
                for n in s.needs
            )
            return _with(s, needs=needs)
        case e.ThesisStated():
            thesis = Thesis(**event.model_dump(exclude={"seq", "time", "type"}))
            return _with(s, theses=(*(t for t in s.theses if t.id != event.id), thesis))
        case e.ParagraphWritten():
            paragraph = Paragraph(**event.model_dump(exclude={"seq", "time", "type"}))
            kept = tuple(p for p in s.paragraphs if p.id != event.id)
            return _with(s, paragraphs=(*kept, paragraph), check=None)
        case e.ReportVerified():
            return _with(s, check=event.check)
        case e.RunEnded():
            return _with(s, ended=Ending(**event.model_dump(exclude={"seq", "time", "type"})))
        case e.CommandTaken():
            return _with(s, commands_taken=event.command_seq, enough=s.enough or event.command == "enough")
        case e.Warned():
            return _with(s, warnings=(*s.warnings, event.text))
        case _:
            assert_never(event)


def _with(value: T, **changes: object) -> T:
    return value.model_copy(update=changes)


def _register(s: ResearchState, event: e.SourceRegistered) -> ResearchState:
    if s.entry(event.number) is not None:
        return s
    entry = LedgerEntry(**event.model_dump(exclude={"seq", "time", "type"}), first_read=event.time)
    return _with(s, ledger=(*s.ledger, entry))


def _observe(s: ResearchState, event: e.ObservationMade) -> ResearchState:
    if s.note(event.id) is not None:
        return s
    note = Note(**{k: getattr(event, k) for k in Note.model_fields if k in e.ObservationMade.model_fields})
    ledger = tuple(
        _with(x, places=(*x.places, event.place)) if x.number == event.number and not _known(x, event.place) else x
        for x in s.ledger
    )
    return _with(s, notes=(*s.notes, note), ledger=ledger)


def _known(entry: LedgerEntry, place: Place) -> bool:
    return any(p.start == place.start and p.end == place.end for p in entry.places)
