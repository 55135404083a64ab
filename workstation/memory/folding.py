"""How events become state. `apply` is pure and total; everything shown is a fold of it.

A state is taken apart into dictionaries, the events are entered, and it is put together again: one pass over a log
costs time in proportion to its length, however many notes it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache
from typing import TypeVar, assert_never

from pydantic import TypeAdapter

from workstation.memory import events as e
from workstation.memory.events import Event, EventBase, Place, Value
from workstation.memory.state import (
    Clarified,
    Disagreement,
    Ending,
    LedgerEntry,
    Need,
    Note,
    Paragraph,
    ResearchState,
    Search,
    Thesis,
)

V = TypeVar("V", bound=Value)

NOTES = TypeAdapter(tuple[Note, ...])
"""Puts many notes together five times as fast as one after the other."""
WAITED_FOR = frozenset({e.RunResumed, e.PlanApproved, e.ClarificationAnswered, e.CommandTaken})
"""Events that end a time in which no work was done."""


def apply(state: ResearchState, event: Event) -> ResearchState:
    """The state after `event`. Events that repeat an id change nothing."""
    return fold([event], state)


def fold(events: Iterable[Event], state: ResearchState | None = None) -> ResearchState:
    """The state after all `events`, in order."""
    memory = _Memory(state or ResearchState())
    for event in events:
        memory.enter(event)
    return memory.state()


class _Memory:
    """A state taken apart: what can be found by a key stands under it, in the order in which it came."""

    def __init__(self, state: ResearchState) -> None:
        self._before = state
        self._values: dict[str, object] = {}
        self._seq, self._enough, self._rounds = state.seq, state.enough, state.rounds
        self._time, self._worked = state.time, state.worked
        self._clock = _seconds(state.time) if state.time else 0.0
        self._tokens, self._calls = state.tokens, state.model_calls
        asked = state.clarifications
        self._clarified = None if asked is None else {c.question.id: c for c in asked}
        self._needs = {n.question.id: n for n in state.needs}
        self._ledger = {x.number: x for x in state.ledger}
        self._places = {x.number: {(p.start, p.end): p for p in x.places} for x in state.ledger}
        self._notes = {n.id: n for n in state.notes}
        self._found: dict[str, dict[str, object]] = {}  # notes that came in, put together at the end
        self._disagreements = {(d.note, d.against): d for d in state.disagreements}
        self._theses = {t.id: t for t in state.theses}
        self._paragraphs = {p.id: p for p in state.paragraphs}
        self._revision, self._earlier = state.revision, state.earlier
        self._plan = state.proposed
        self._searches, self._warnings = list(state.searches), list(state.warnings)
        self._crawl = list(state.crawl)

    def state(self) -> ResearchState:
        return self._before.model_copy(
            update=self._values
            | {
                "seq": self._seq,
                "enough": self._enough,
                "time": self._time,
                "worked": self._worked,
                "tokens": self._tokens,
                "model_calls": self._calls,
                "clarifications": None if self._clarified is None else tuple(self._clarified.values()),
                "needs": tuple(self._needs.values()),
                "ledger": tuple(self._entry(x) for x in self._ledger.values()),
                "notes": (*self._notes.values(), *NOTES.validate_python(tuple(self._found.values()))),
                "disagreements": tuple(self._disagreements.values()),
                "theses": tuple(self._theses.values()),
                "paragraphs": tuple(self._paragraphs.values()),
                "revision": self._revision,
                "earlier": self._earlier,
                "proposed": self._plan,
                "searches": tuple(self._searches),
                "crawl": tuple(self._crawl),
                "warnings": tuple(self._warnings),
            }
        )

    def enter(self, event: Event) -> None:
        self._seq = max(self._seq, event.seq)
        self._pass_time(event)
        match event:  # the most frequent first: a long log is made of them
            case e.ObservationMade():
                if event.id not in self._notes and event.id not in self._found:
                    self._found[event.id] = _fields(Note, event) | {"kind": None, "reason": ""}
                    self._place(event.number, event.place)
            case e.ObservationChecked():
                if found := self._found.get(event.id):
                    found |= {"kind": event.kind, "reason": event.reason}
                elif (note := self._notes.get(event.id)) and not note.past:  # what a person made of it stays
                    self._notes[event.id] = _with(note, kind=event.kind, reason=event.reason)
            case e.RunStarted():
                self._take(event, "question", "depth", "format", "library", "web")
                self._values["started"] = event.time
            case e.RunResumed():
                self._values["ended"] = None
            case e.Classified():
                self._take(event, "intent", "options")
            case e.BriefWritten():
                self._take(event, "restated", "title", "language", "left_out")
                self._values |= {n: v for n in ("depth", "format") if (v := getattr(event, n))}
            case e.ClarificationAsked():
                self._clarified = {c.id: Clarified(question=c) for c in event.questions}
            case e.ClarificationAnswered():
                if self._clarified and (asked := self._clarified.get(event.id)):
                    self._clarified[event.id] = _with(asked, answer=event.answer)
            case e.PlanProposed():
                self._propose(event)
            case e.PlanApproved():
                self._take(event, "plan_hash")
                self._needs = {q.id: Need(question=q) for q in event.items}
            case e.PlanExtended():
                self._take(event, "plan_hash", "limits")
                self._values |= {"rounds": self._rounds + 1, "ended": None}
                self._rounds, self._enough = self._rounds + 1, False
                for id in event.reopened:
                    self._change_need(id, lambda n: {"status": "open", "cause": "", "reason": "", "angles": ()})
                self._needs |= {q.id: Need(question=q) for q in event.items if q.id not in self._needs}
            case e.ModelUsed():
                self._tokens += event.prompt_tokens + event.output_tokens
                self._calls += 1
            case e.StageEntered():
                self._take(event, "stage")
            case e.SearchDone():
                self._searches.append(_part(Search, event))
                self._change_need(event.need, lambda n: {"angles": (*n.angles, event.angle)})
            case e.SourceRegistered():
                if event.number not in self._ledger:
                    self._ledger[event.number] = _part(LedgerEntry, event, first_read=event.time)
                    self._places[event.number] = {}
            case e.NoteRejected():
                rejected: dict[str, object] = {"kind": "rejected", "reason": event.reason}
                rejected["rejected_with"] = event.along or event.id
                self._change_note(event.id, lambda n: {} if n.kind == "rejected" else rejected)
            case e.NoteRestored():
                self._change_note(event.id, _restored)
            case e.NoteCorrected():
                self._correct(event)
            case e.NoteMoved():
                self._change_note(event.id, lambda n: {"need": event.need} if n.need != event.need else {})
            case e.DisagreementFound():
                pair = (event.note, event.against)
                self._disagreements.setdefault(pair, _part(Disagreement, event))
            case e.NeedClosed():
                closed: dict[str, object] = {"status": event.status, "cause": event.cause, "reason": event.reason}
                closed |= {"revision": self._revision}
                self._change_need(event.need, lambda n: closed)
            case e.ThesisStated():
                self._theses[event.id] = _part(Thesis, event, revision=self._revision)
            case e.ThesisWithdrawn():
                self._theses.pop(event.id, None)
            case e.ParagraphWritten():
                self._paragraphs[event.id] = _part(Paragraph, event, revision=self._revision)
                self._values["check"] = None
            case e.ParagraphWithdrawn():
                if self._paragraphs.pop(event.id, None):
                    self._values["check"] = None
            case e.ReportVerified():
                self._values["check"] = event.check
            case e.RunEnded():
                self._values["ended"] = _part(Ending, event)
            case e.LeadsFound() | e.CrawlStarted() | e.CrawlStep() | e.CrawlEnded():
                self._crawl.append(event)
            case e.CommandTaken():
                self._values["commands_taken"] = event.command_seq
                self._enough = self._enough or event.command == "enough"
            case e.Warned():
                self._warnings.append(event.text)
            case _:
                assert_never(event)

    def _pass_time(self, event: Event) -> None:
        """Counts the time since the event before, unless nothing ran in it or the engine waited for the user."""
        if event.time:
            clock = _seconds(event.time)
            if self._time and type(event) not in WAITED_FOR:
                self._worked += max(0.0, clock - self._clock)
            self._time, self._clock = event.time, clock

    def _take(self, event: EventBase, *names: str) -> None:
        self._values |= {name: getattr(event, name) for name in names}

    def _change_need(self, id: str, changes: Callable[[Need], dict[str, object]]) -> None:
        if need := self._needs.get(id):
            self._needs[id] = _with(need, **changes(need))

    def _propose(self, event: e.PlanProposed) -> None:
        """The plan before is kept, unless this is it again."""
        if self._earlier and self._earlier[-1] == event.items:
            self._earlier = self._earlier[:-1]
        elif self._plan and self._plan != event.items:
            self._earlier = (*self._earlier, self._plan)
        self._plan = event.items
        self._values["limits"] = event.limits

    def _correct(self, event: e.NoteCorrected) -> None:
        def corrected(note: Note) -> dict[str, object]:
            self._place(note.number, event.place)
            same = (note.quote, note.place, note.kind) == (event.quote, event.place, "fact")
            return {} if same else {"quote": event.quote, "place": event.place, "kind": "fact", "reason": ""}

        self._change_note(event.id, corrected)

    def _change_note(self, id: str, changes: Callable[[Note], dict[str, object]]) -> None:
        """Enters what a person made of a note, and keeps what it was."""
        self._notes |= {note.id: note for note in NOTES.validate_python(tuple(self._found.values()))}
        self._found.clear()
        note = self._notes.get(id)
        if note and (changed := changes(note)):
            self._revision += 1
            self._notes[id] = _with(note, since=self._revision, past=(*note.past, note.now), **changed)

    def _place(self, number: int, place: Place) -> None:
        self._places.setdefault(number, {}).setdefault((place.start, place.end), place)

    def _entry(self, entry: LedgerEntry) -> LedgerEntry:
        places = self._places[entry.number]
        return entry if len(places) == len(entry.places) else _with(entry, places=tuple(places.values()))


def _restored(note: Note) -> dict[str, object]:
    was = next((s for s in reversed(note.past) if s.kind != "rejected"), None)
    if note.kind != "rejected" or was is None:
        return {}
    return {"kind": was.kind, "reason": was.reason, "rejected_with": ""}


def _seconds(time: str) -> float:
    return datetime.fromisoformat(time).timestamp()


def _part(kind: type[V], event: EventBase, **more: object) -> V:
    """The value of that kind made of the event's fields of the same names."""
    return kind.model_construct(None, **_fields(kind, event), **more)


def _fields(kind: type[Value], event: EventBase) -> dict[str, object]:
    values = event.__dict__
    return {name: values[name] for name in _shared(kind, type(event))}


@cache
def _shared(kind: type[Value], event: type[EventBase]) -> tuple[str, ...]:
    return tuple(name for name in kind.model_fields if name in event.model_fields)


def _with(value: V, **changes: object) -> V:
    return value.model_copy(update=changes)
