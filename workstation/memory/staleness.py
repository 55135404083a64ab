"""What was concluded from evidence that a person changed since: stale, until it is concluded anew.

Nothing is marked in the log. Each conclusion knows the revision of the evidence that it was drawn from, and each note
what it was then: a rejection that is taken back makes nothing stale.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from workstation.memory.state import Note, Paragraph, ResearchState, Standing


@dataclass(frozen=True, slots=True)
class Stale:
    """Ids of the sub-questions whose status, the theses, and the paragraphs that no longer follow."""

    needs: frozenset[str] = frozenset()
    theses: frozenset[str] = frozenset()
    paragraphs: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.needs or self.theses or self.paragraphs)


FRESH = Stale()


def stale(state: ResearchState) -> Stale:
    """What would have to be concluded anew."""
    if not state.revision:
        return FRESH
    edited = [note for note in state.notes if note.past]
    direct = {n.question.id for n in state.needs if n.question.direct} or {n.question.id for n in state.needs}
    return Stale(
        frozenset(
            n.question.id
            for n in state.needs
            if n.status != "open"
            and any(_weighs(now, was, n.question.id) for _, was, now in _changed(edited, n.revision))
        ),
        frozenset(
            t.id
            for t in state.theses
            if any(note.id in t.notes or _weighs(now, was, t.need) for note, was, now in _changed(edited, t.revision))
        ),
        frozenset(p.id for p in state.paragraphs if _is_stale(p, edited, direct)),
    )


def _is_stale(paragraph: Paragraph, edited: list[Note], direct: set[str]) -> bool:
    """Whether it rests on what is not so any more, or leaves out what has become a fact of its sub-question. The
    answer draws on the `direct` sub-questions."""
    subjects = direct if paragraph.section == "answer" else {paragraph.need}
    return any(
        note.id in paragraph.notes or (now.is_fact and now.need in subjects)
        for note, was, now in _changed(edited, paragraph.revision)
    )


def _weighs(now: Standing, was: Standing, need: str) -> bool:
    return any(standing.is_fact and standing.need == need for standing in (now, was))


def _changed(edited: Iterable[Note], revision: int) -> Iterable[tuple[Note, Standing, Standing]]:
    """The notes that are not what they were at a revision, with what they were then and what they are."""
    for note in edited:
        was, now = note.at(revision), note.now
        if (was.kind, was.need, was.place) != (now.kind, now.need, now.place):
            yield note, was, now
