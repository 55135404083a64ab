"""What the reader opens: a source in a version, with the places in it that are worth going to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from panes import wording
from panes.rows import inert
from panes.source_text import Mark
from workstation.memory.events import Place
from workstation.memory.state import ResearchState


@dataclass(frozen=True, slots=True)
class Reading:
    """A source in a version (None: the current one), its places, and the one to begin with. `state` is the run that
    cites it, by `number`; without one there are no claims to go back to."""

    source: int
    version: str | None
    title: str
    marks: tuple[Mark, ...] = ()
    at: int = 0
    number: int = 0
    state: ResearchState | None = None


def reading_of(state: ResearchState, number: int, note: str = "") -> Reading | None:
    """The source with this citation number, with every place that the run quoted, beginning at `note`."""
    entry = state.entry(number)
    if entry is None:
        return None
    notes = sorted((n for n in state.notes if n.number == number), key=lambda n: (n.place.start, n.place.end))
    marks: dict[tuple[int, int], Mark] = {}
    first: tuple[int, int] | None = None
    for found in notes:
        span = (found.place.start, found.place.end)
        marks.setdefault(span, _at(found.place, found.quote))
        if found.id == note:
            first = span
    title = f"[{number}] {entry.title or entry.path}"
    at = list(marks).index(first) if first else 0
    return Reading(entry.source, entry.version, title, tuple(marks.values()), at, number, state)


def reading_at(document: Mapping[str, Any]) -> tuple[Reading, list[str]]:
    """The source of the first place of an `ask` document, with all places there, and the titles of other sources."""
    first, *_ = citations = document["citations"]
    marks = [
        _at(Place.model_validate(c["locator"]), str(c["quote"])) for c in citations if c["source"] == first["source"]
    ]
    others = dict.fromkeys(_title(c) for c in citations if c["source"] != first["source"])
    return Reading(int(first["source"]), None, _title(first), tuple(marks)), list(others)


def _at(place: Place, quote: str) -> Mark:
    return Mark(place.start, place.end, quote, wording.place(place), place.page, place.t0)


def _title(citation: Mapping[str, Any]) -> str:
    return inert(str(citation.get("title") or citation.get("path")))
