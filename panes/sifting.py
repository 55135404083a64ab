"""Which evidence is shown, and in what order: filters by kind, and ways to sort."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from workstation.memory.state import Note, ResearchState, Search

Filter = Literal["all", "facts", "hypotheses", "errors", "empty searches", "rejected", "disagreements"]
Sort = Literal["sub-question", "source", "how sure", "date"]
FILTERS: tuple[Filter, ...] = (
    "all",
    "facts",
    "hypotheses",
    "errors",
    "empty searches",
    "rejected",
    "disagreements",
)
SORTS: tuple[Sort, ...] = ("sub-question", "source", "how sure", "date")
KINDS: dict[Filter, str] = {
    "facts": "fact",
    "hypotheses": "hypothesis",
    "errors": "extraction_error",
    "rejected": "rejected",
}


@dataclass(frozen=True, slots=True)
class Group:
    """Notes and empty searches that stand together. `key` names what they have in common: the id of a sub-question, a
    citation number, a date; nothing where all stand in one list."""

    key: str
    notes: Sequence[Note] = ()
    searches: Sequence[Search] = ()


def sifted(state: ResearchState, wanted: Filter, order: Sort) -> list[Group]:
    """The groups in their order, without empty ones."""
    is_wanted = _chooser(state, wanted)
    notes = [note for note in state.notes if is_wanted(note)] if wanted != "empty searches" else []
    searches = [s for s in state.searches if not s.kept or not s.covered] if wanted in ("all", "empty searches") else []
    if order == "sub-question":
        return _by_need(state, notes, searches)
    rest = [Group("", searches=searches)] if searches else []
    if order == "source":
        return _grouped(sorted(notes, key=lambda n: (n.number, n.place.start)), lambda n: str(n.number)) + rest
    if order == "date":
        dates = {entry.number: entry.date or "" for entry in state.ledger}
        latest = sorted(notes, key=lambda n: dates.get(n.number, ""), reverse=True)
        return _grouped(latest, lambda n: dates.get(n.number, "")) + rest
    return ([Group("", sorted(notes, key=_sureness))] if notes else []) + rest


def _chooser(state: ResearchState, wanted: Filter) -> Callable[[Note], bool]:
    if wanted == "disagreements":
        sides = {id for d in state.disputes() for id in (d.note, d.against)}
        return lambda note: note.id in sides
    kind = KINDS.get(wanted)
    return lambda note: kind is None or note.kind == kind


def _by_need(state: ResearchState, notes: Sequence[Note], searches: Sequence[Search]) -> list[Group]:
    of: dict[str, tuple[list[Note], list[Search]]] = defaultdict(lambda: ([], []))
    for note in notes:
        of[note.need][0].append(note)
    for search in searches:
        of[search.need][1].append(search)
    planned = [need.question.id for need in state.needs if need.question.id in of]
    strays = [id for id in of if id not in planned]  # found for a sub-question that is in the plan no more
    return [Group(id, *of[id]) for id in (*planned, *strays)]


def _grouped(notes: Sequence[Note], key: Callable[[Note], str]) -> list[Group]:
    groups: dict[str, list[Note]] = defaultdict(list)
    for note in notes:
        groups[key(note)].append(note)
    return [Group(key, found) for key, found in groups.items()]


def _sureness(note: Note) -> tuple[bool, float, float]:
    """Reranked ones first, by that score; the others by cosine: the two are never compared."""
    return note.rerank is None, -(note.rerank or 0.0), -(note.cosine or 0.0)
