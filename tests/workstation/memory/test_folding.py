"""The fold: a log read at once, event by event, or in two parts gives one state, and repeated entries change
nothing."""

from __future__ import annotations

from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from workstation.memory import events as e
from workstation.memory.events import Event, Place, SubQuestion
from workstation.memory.folding import apply, fold
from workstation.memory.state import ResearchState

NEEDS = ("s1", "s2")
ITEMS = tuple(SubQuestion(id=id, text=id) for id in NEEDS)


def _observation(id: int, need: str, number: int) -> e.ObservationMade:
    place = Place(start=id, end=id + 3)
    return e.ObservationMade(
        id=f"n{id}", need=need, number=number, quote="abc", place=place, passage=id, cosine=0.9, rerank=1.0
    )


def _source(number: int) -> e.SourceRegistered:
    return e.SourceRegistered(
        number=number, source=number, version=f"v{number}", title="t", path="p", kind="text", language="en"
    )


EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(_observation, st.integers(0, 5), st.sampled_from(NEEDS), st.integers(1, 2)),
    st.builds(_source, st.integers(1, 2)),
    st.builds(lambda n: e.ObservationChecked(id=f"n{n}", kind="fact"), st.integers(0, 5)),
    st.builds(lambda id: e.NeedClosed(need=id, status="partly"), st.sampled_from(NEEDS)),
    st.builds(lambda n: e.ParagraphWritten(id=f"p{n}", section="finding", text=str(n)), st.integers(0, 2)),
    st.just(e.CommandTaken(command_seq=1, command="enough")),
    st.just(e.ReportVerified(check=e.Check(sentences=1))),
    st.just(e.PlanApproved(items=ITEMS, plan_hash="h")),
    st.just(e.Warned(text="w")),
)


@given(st.lists(EVENTS, max_size=30), st.integers(0, 30))
def test_however_a_log_is_cut_its_state_is_the_same(events: list[Event], cut: int) -> None:
    whole = fold(events)
    assert fold(events[cut:], fold(events[:cut])) == whole
    assert reduce(apply, events, ResearchState()) == whole


@given(st.lists(EVENTS, max_size=20))
def test_an_entry_that_is_repeated_after_a_kill_adds_no_second_one(events: list[Event]) -> None:
    state = fold([*events, *events])
    assert len({n.id for n in state.notes}) == len(state.notes)
    assert len({x.number for x in state.ledger}) == len(state.ledger)
    for entry in state.ledger:
        assert len({(p.start, p.end) for p in entry.places}) == len(entry.places)


def test_a_changed_paragraph_must_be_checked_again() -> None:
    checked = fold([e.ReportVerified(check=e.Check(sentences=1))])
    assert apply(checked, e.ParagraphWritten(id="p", section="answer", text="x")).check is None
