"""How events become state. `apply` is pure and total; everything shown is a fold of it.

A state is taken apart into dictionaries, the events are entered, and it is put together again: one pass over a log
costs time in proportion to its length, however many notes it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar, assert_never

from workstation.memory import events as e
from workstation.memory.events import Event, EventBase, Place, Value
from workstation.memory.state import Ending, LedgerEntry, Need, Note, Paragraph, ResearchState, Search, Thesis

V = TypeVar("V", bound=Value)


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
        self._seq, self._enough = state.seq, state.enough
        self._needs = {n.question.id: n for n in state.needs}
        self._ledger = {x.number: x for x in state.ledger}
        self._places = {x.number: {(p.start, p.end): p for p in x.places} for x in state.ledger}
        self._notes = {n.id: n for n in state.notes}
        self._theses = {t.id: t for t in state.theses}
        self._paragraphs = {p.id: p for p in state.paragraphs}
        self._searches, self._warnings = list(state.searches), list(state.warnings)

    def state(self) -> ResearchState:
        return self._before.model_copy(
            update=self._values
            | {
                "seq": self._seq,
                "enough": self._enough,
                "needs": tuple(self._needs.values()),
                "ledger": tuple(self._entry(x) for x in self._ledger.values()),
                "notes": tuple(self._notes.values()),
                "theses": tuple(self._theses.values()),
                "paragraphs": tuple(self._paragraphs.values()),
                "searches": tuple(self._searches),
                "warnings": tuple(self._warnings),
            }
        )

    def enter(self, event: Event) -> None:
        self._seq = max(self._seq, event.seq)
        if event.time:
            self._values["time"] = event.time
        match event:
            case e.RunStarted():
                self._take(event, "question", "depth", "format", "library")
                self._values["started"] = event.time
            case e.RunResumed():
                self._values["ended"] = None
            case e.Classified():
                self._take(event, "intent")
            case e.BriefWritten():
                self._take(event, "restated", "title", "language")
            case e.PlanProposed():
                self._values |= {"proposed": event.items, "limits": event.limits}
            case e.PlanApproved():
                self._take(event, "plan_hash")
                self._needs = {q.id: Need(question=q) for q in event.items}
            case e.StageEntered():
                self._take(event, "stage")
            case e.SearchDone():
                self._searches.append(_part(Search, event))
                self._change_need(event.need, lambda n: {"angles": (*n.angles, event.angle)})
            case e.SourceRegistered():
                if event.number not in self._ledger:
                    self._ledger[event.number] = _part(LedgerEntry, event, first_read=event.time)
                    self._places[event.number] = {}
            case e.ObservationMade():
                if event.id not in self._notes:
                    self._notes[event.id] = _part(Note, event)
                    self._place(event.number, event.place)
            case e.ObservationChecked():
                if note := self._notes.get(event.id):
                    self._notes[event.id] = _with(note, kind=event.kind, reason=event.reason)
            case e.NeedClosed():
                self._change_need(event.need, lambda n: {"status": event.status, "reason": event.reason})
            case e.ThesisStated():
                self._theses.pop(event.id, None)
                self._theses[event.id] = _part(Thesis, event)
            case e.ParagraphWritten():
                self._paragraphs.pop(event.id, None)
                self._paragraphs[event.id] = _part(Paragraph, event)
                self._values["check"] = None
            case e.ReportVerified():
                self._values["check"] = event.check
            case e.RunEnded():
                self._values["ended"] = _part(Ending, event)
            case e.CommandTaken():
                self._values["commands_taken"] = event.command_seq
                self._enough = self._enough or event.command == "enough"
            case e.Warned():
                self._warnings.append(event.text)
            case _:
                assert_never(event)

    def _take(self, event: EventBase, *names: str) -> None:
        self._values |= {name: getattr(event, name) for name in names}

    def _change_need(self, id: str, changes: Callable[[Need], dict[str, object]]) -> None:
        if need := self._needs.get(id):
            self._needs[id] = _with(need, **changes(need))

    def _place(self, number: int, place: Place) -> None:
        self._places.setdefault(number, {}).setdefault((place.start, place.end), place)

    def _entry(self, entry: LedgerEntry) -> LedgerEntry:
        places = self._places[entry.number]
        return entry if len(places) == len(entry.places) else _with(entry, places=tuple(places.values()))


def _part(kind: type[V], event: EventBase, **more: object) -> V:
    """The value of that kind made of the event's fields of the same names."""
    shared = {name: getattr(event, name) for name in kind.model_fields if name in type(event).model_fields}
    return kind.model_construct(**(shared | more))


def _with(value: V, **changes: object) -> V:
    return value.model_copy(update=changes)
