"""What a person does to the evidence: nothing is lost by it, and nothing that rests on it passes for fresh."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workstation.memory import events as e
from workstation.memory.events import Event, Place, SubQuestion
from workstation.memory.folding import fold
from workstation.memory.staleness import FRESH, stale
from workstation.memory.state import ResearchState

NEEDS = ("s1", "s2")
NOTES = tuple(f"n{number}" for number in range(4))


def gathered() -> list[Event]:
    """A finished run: two sub-questions with two facts each, a thesis and a paragraph for each, and an answer."""
    found: list[Event] = [
        e.PlanApproved(items=tuple(SubQuestion(id=id, text=id, direct=id == "s1") for id in NEEDS), plan_hash="h"),
        e.SourceRegistered(number=1, source=1, version="v", title="t", path="p", kind="text", language="en"),
    ]
    for at, id in enumerate(NOTES):
        need = NEEDS[at // 2]
        place = Place(start=10 * at, end=10 * at + 5)
        found += [
            e.ObservationMade(id=id, need=need, number=1, quote=id, place=place, passage=at, cosine=0.9, rerank=None),
            e.ObservationChecked(id=id, need=need, kind="fact"),
        ]
    for need in NEEDS:
        found.append(e.NeedClosed(need=need, status="answered"))
        found.append(_thesis(fold(found), need))
    return [*found, *written(fold(found)), e.ReportVerified(check=e.Check(sentences=1))]


def written(state: ResearchState) -> list[Event]:
    """The paragraphs that follow from the facts."""
    answer = tuple(n.id for n in state.facts("s1"))[:1]
    return [
        e.ParagraphWritten(id="answer", section="answer", text=str(answer), notes=answer),
        *(_finding(state, need) for need in NEEDS),
    ]


def concluded(state: ResearchState) -> list[Event]:
    """All that is concluded, anew."""
    closed = [e.NeedClosed(need=need, status="answered") for need in NEEDS]
    return [*closed, *(_thesis(state, need) for need in NEEDS), *written(state)]


def _thesis(state: ResearchState, need: str) -> Event:
    notes = tuple(n.id for n in state.facts(need))
    return e.ThesisStated(id=f"t-{need}", need=need, sentence=need, notes=notes, strong=True)


def _finding(state: ResearchState, need: str) -> Event:
    notes = tuple(n.id for n in state.facts(need))
    return e.ParagraphWritten(id=f"f-{need}", section="finding", need=need, text=str(notes), notes=notes)


def facts(state: ResearchState) -> list[tuple[str, str, str]]:
    return [(n.id, n.need, n.quote) for n in state.facts()]


note = st.sampled_from(NOTES)
JUDGEMENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(lambda id: e.NoteRejected(id=id, need=""), note),
    st.builds(lambda id: e.NoteRestored(id=id, need=""), note),
    st.builds(lambda id, need: e.NoteMoved(id=id, need=need), note, st.sampled_from(NEEDS)),
    st.builds(
        lambda id, at: e.NoteCorrected(id=id, need="", quote="q", place=Place(start=at, end=at + 1)),
        note,
        st.integers(50, 52),
    ),
)


@given(st.lists(JUDGEMENTS, max_size=6), note)
def test_a_rejection_that_is_taken_back_changes_nothing(before: list[Event], id: str) -> None:
    state = fold([*gathered(), *before])
    again = fold([e.NoteRejected(id=id, need=""), e.NoteRestored(id=id, need="")], state)
    known = state.note(id)
    assert known is not None
    if known.kind != "rejected":
        assert facts(again) == facts(state)
        assert stale(again) == stale(state)


@given(st.lists(JUDGEMENTS, max_size=8))
def test_nothing_that_rests_on_a_rejected_note_is_fresh_before_it_is_written_again(judged: list[Event]) -> None:
    state = fold(judged, fold(gathered()))
    rejected = {n.id for n in state.notes if n.kind == "rejected"}
    assert not rejected & {n.id for n in state.facts()}
    outdated = stale(state)
    assert {p.id for p in state.paragraphs if rejected & set(p.notes)} <= outdated.paragraphs
    assert {t.id for t in state.theses if rejected & set(t.notes)} <= outdated.theses
    again = fold(concluded(state), state)
    assert stale(again) == FRESH
    assert all(not rejected & set(p.notes) for p in again.paragraphs)


@given(st.lists(JUDGEMENTS, max_size=8), st.integers(0, 8))
def test_a_log_with_judgements_can_be_cut_anywhere_and_repeated(judged: list[Event], cut: int) -> None:
    whole = fold([*gathered(), *judged])
    assert fold(judged[cut:], fold([*gathered(), *judged[:cut]])) == whole
    assert [n.id for n in whole.notes] == list(NOTES)
    assert [x.number for x in whole.ledger] == [1]


def test_only_what_rests_on_a_note_is_stale() -> None:
    outdated = stale(fold([*gathered(), e.NoteRejected(id="n3", need="s2")]))
    assert outdated.paragraphs == {"f-s2"}
    assert outdated.theses == {"t-s2"}
    assert outdated.needs == {"s2"}


def test_what_is_found_again_stays_rejected() -> None:
    state = fold([*gathered(), e.NoteRejected(id="n0", need="s1"), *gathered()])
    assert [n.id for n in state.notes if n.kind == "rejected"] == ["n0"]
