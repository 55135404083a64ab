"""What a person says about the evidence becomes events, and what depended on it is concluded anew."""

from __future__ import annotations

from collections.abc import Iterator

from workstation.core.text import find_words, one_line
from workstation.engine.gathering import STRONG_NOTES, closed
from workstation.engine.services import EngineServices
from workstation.memory import events as e
from workstation.memory.events import Command, Event
from workstation.memory.staleness import stale
from workstation.memory.state import Need, Note, ResearchState


def changed_evidence(state: ResearchState, command: Command, services: EngineServices) -> Iterator[Event]:
    """What a command about a note does; a warning and nothing else when that cannot be done."""
    note = state.note(command.note)
    if note is None:
        yield _refused("There is no such quote in this run.")
        return
    match command.kind:
        case "reject":
            yield from _rejected(state, note, " ".join(command.value.split()))
        case "restore":
            yield from _restored(state, note)
        case "correct":
            yield from _corrected(state, note, command.value, services)
        case "move":
            yield from _moved(state, note, command.value)


def revise(state: ResearchState, *_: object) -> Iterator[Event]:
    """Status and thesis of each sub-question whose evidence was changed, from the evidence that is left: nothing is
    searched for."""
    outdated = stale(state)
    for need in state.needs:
        if need.question.id in outdated.needs:
            yield _closed_again(state, need)
    asked = {need.question.id for need in state.needs if not need.question.counter}
    theses = {t.id: t.need for t in state.theses if t.id in outdated.theses}
    theses |= {f"t-{need}": need for need in sorted(outdated.needs & asked)}
    for id, about in theses.items():
        if facts := state.facts(about):
            notes = tuple(n.id for n in facts)
            strong = len(notes) >= STRONG_NOTES
            yield e.ThesisStated(id=id, need=about, sentence=facts[0].quote, notes=notes, strong=strong)
        else:
            yield e.ThesisWithdrawn(id=id, need=about)


def revised(state: ResearchState) -> bool:
    """Whether every status and thesis follows from the evidence."""
    outdated = stale(state)
    return not (outdated.needs or outdated.theses)


def _rejected(state: ResearchState, note: Note, reason: str) -> Iterator[Event]:
    """The note, and all others of the run that hold its words or a part of them: they would say the same again."""
    if note.kind == "rejected":
        yield _refused(f"This quote is rejected already: “{one_line(note.quote, 60)}”")
        return
    yield e.NoteRejected(id=note.id, need=note.need, reason=reason)
    for other in state.notes:
        if other.id != note.id and other.kind != "rejected" and _same_words(note, other):
            yield e.NoteRejected(id=other.id, need=other.need, reason=reason, along=note.id)


def _same_words(note: Note, other: Note) -> bool:
    if note.number != other.number:
        return False
    (a, b), (c, d) = (note.place.start, note.place.end), (other.place.start, other.place.end)
    return (a <= c and d <= b) or (c <= a and b <= d)


def _restored(state: ResearchState, note: Note) -> Iterator[Event]:
    """The note, and those that were rejected along with it."""
    if note.kind != "rejected":
        yield _refused(f"This quote is not rejected: “{one_line(note.quote, 60)}”")
        return
    for other in state.notes:
        if other.kind == "rejected" and other.rejected_with == note.rejected_with:
            yield e.NoteRestored(id=other.id, need=other.need)


def _corrected(state: ResearchState, note: Note, quote: str, services: EngineServices) -> Iterator[Event]:
    entry = state.entry(note.number)
    text = services.stored_text(entry.source, entry.version) if entry else None
    if note.kind == "rejected":
        yield _refused("This quote is rejected: restore it first.")
    elif entry is None or text is None:
        yield _refused(f"The stored text of [{note.number}] is gone: the quote stays as it was.")
    elif (span := find_words(quote, text, note.place.start)) is None:
        shown = one_line(quote, 60)
        yield _refused(
            f"[{note.number}] {one_line(entry.title, 40)} does not hold these words: “{shown}”. Nothing changed."
        )
    else:
        place = services.place_of(entry.source, entry.version, *span)
        yield e.NoteCorrected(id=note.id, need=note.need, quote=text[slice(*span)], place=place)


def _moved(state: ResearchState, note: Note, need: str) -> Iterator[Event]:
    if need not in {n.question.id for n in state.needs}:
        yield _refused("The plan has no such sub-question: the quote stays where it is.")
    elif note.need != need:
        yield e.NoteMoved(id=note.id, need=need)


def _closed_again(state: ResearchState, need: Need) -> e.NeedClosed:
    id = need.question.id
    if need.question.counter:
        holds = any(d.need == id for d in state.disputes())
    else:
        holds = len(state.facts(id)) >= STRONG_NOTES
    status: e.ClosedStatus = "answered" if holds else "unresolved"
    if not holds and not need.question.counter and state.facts(id):
        status = "partly"
    if status == need.status != "open":
        return e.NeedClosed(need=id, status=status, cause=need.cause, reason=need.reason)
    if status == "answered":
        return closed(state, id, status)
    return closed(state, id, status, "one_passage" if status == "partly" else "rejected")


def _refused(words: str) -> e.Warned:
    return e.Warned(text=words)
