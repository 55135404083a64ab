"""Passages that a search found, as rows: what each is and where, and below it the words that matched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.cells import cell_len

from panes import wording
from panes.keymap import shown
from panes.rows import Pen, Row, inert
from panes.screens.reader import Reading
from panes.source_text import Mark
from panes.widgets.pane import empty
from panes.widgets.row_list import RowList
from panes.wrapping import cut
from workstation.memory.events import Place

LINES = 2
"""Screen lines that a passage gets below its title."""
INDENT = 2
NEAR = {"close": ("close match", "good"), "near": ("related", ""), "far": ("far away", "dim")}
Found = Mapping[str, Any]


class ResultRows(RowList):
    """The passages, two rows each: the one with the title can be gone to. They are cut anew when the width changes."""

    def __init__(self) -> None:
        super().__init__(id="results")
        self._found: Sequence[Found] = ()
        self._nothing: list[Row] = []

    def set_found(self, found: Sequence[Found], nothing: list[Row]) -> None:
        """Shows these passages, or the rows `nothing` when there are none."""
        self._found, self._nothing = found, nothing
        self.reflow()

    def reflow(self) -> None:
        rows = [row for one in self._found for row in _rows(one, self.text_width)]
        self.set_rows(rows or self._nothing)

    def start(self) -> None:
        """Back to the first passage."""
        self.reset()


def _rows(found: Found, width: int) -> tuple[Row, Row]:
    facts = [str(found.get("kind") or ""), wording.place(place_of(found))]
    near, style = NEAR.get(str(found.get("near") or ""), ("", ""))
    behind = "".join(f"  {fact}" for fact in filter(None, facts)) + (f"  {near}" if near else "")
    title = cut(inert(title_of(found)), max(width // 3, width - cell_len(inert(behind))))
    pen = Pen().put(title, "strong").put(behind.removesuffix(near), "dim").put(near, style)
    return pen.row(f"{found['passage']}", folds=False), _passage(found, LINES * (width - INDENT) - 8)


def _passage(found: Found, room: int) -> Row:
    """As much of the passage as there is room for, from where most of its marked words stand."""
    text, marks = str(found["text"]), [(int(a), int(b)) for a, b in found.get("marks") or ()]
    start, end = window(text, marks, max(20, room), _title_in(text, title_of(found)))
    pen, at = Pen().put(" " * INDENT).put("… " if start else ""), start
    for left, right in marks:
        if start <= left and right <= end and left >= at:
            pen.put(text[at:left]).put(text[left:right], "found")
            at = right
    return pen.put(text[at:end]).put(" …" if end < len(text) else "").row(hang=INDENT)


def _title_in(text: str, title: str) -> int:
    """Where a passage goes on that begins with the title, which stands above it already."""
    at = text.find(title, 0, len(title) + 5) if title else -1
    return at + len(title) if at >= 0 and len(text) > at + 2 * len(title) else 0


def window(text: str, marks: Sequence[tuple[int, int]], room: int, first: int = 0) -> tuple[int, int]:
    """The range of `text` of at most `room` characters, from `first` on, that holds most of the marks, cut between
    words."""
    if len(text) - first <= room:
        return first, len(text)
    starts = [max(first, left - room // 8) for left, _ in marks if left >= first] or [first]
    start = max(starts, key=lambda s: (sum(s <= a and b <= s + room for a, b in marks), -s))
    start = min(start, len(text) - room)
    if start > first and (blank := text.find(" ", start, start + room // 8)) >= 0:
        start = blank + 1
    end = min(len(text), start + room)
    if end < len(text) and (blank := text.rfind(" ", start, end)) > start:
        end = blank
    return start, end


def title_of(found: Found) -> str:
    return str(found.get("title") or found.get("path") or "")


def place_of(found: Found) -> Place:
    """Where it stands, without a heading that is the title again."""
    place = Place.model_validate(found["locator"])
    return place.model_copy(update={"heading": None}) if place.heading == found.get("title") else place


def citation_of(found: Found) -> str:
    """ "Title, page 12" """
    return ", ".join(filter(None, (title_of(found), wording.place(place_of(found)))))


def reading_of(found: Found) -> Reading:
    """The source, opened at the passage."""
    place = Place.model_validate(found["locator"])
    mark = Mark(place.start, place.end, str(found["text"]), wording.place(place_of(found)))
    return Reading(int(found["source"]), None, title_of(found), (mark,))


def nothing_found(words: str, filters: Mapping[str, Any], *, ranked: bool, known: Mapping[str, Any]) -> list[Row]:
    """What to try next, when there is nothing to show."""
    if not words:
        more = " Filters alone find nothing: they narrow a search." if any(filters.values()) else ""
        return empty(
            "Type what to look for",
            "Words, a name, a number, or a whole question; what you type is looked up at once." + more,
            "Narrow it among the words: kind:pdf  lang:de  after:2020  before:1999",
        )
    if not ranked:
        return empty("No passage holds these words", "Looking for passages that say it in other words ...")
    tips = ["Try fewer or other words, or ask it as a whole question."]
    if any(filters.values()):
        tips = [f"Take a filter away: {_filters(filters)}.", *_unknown(filters, known), *tips]
    ways = f"{shown('find.find_list')}, then {shown('search.research_it')}: make it a research question."
    return empty("Nothing found", *tips, f"{ways} {shown('app.library')} lists what the library holds.")


def _filters(filters: Mapping[str, Any]) -> str:
    parts = [f"kind:{kind}" for kind in filters.get("kinds") or ()]
    parts += [f"lang:{language}" for language in filters.get("languages") or ()]
    return "  ".join([*parts, *(f"{name}:{filters[name]}" for name in ("after", "before") if filters.get(name))])


def _unknown(filters: Mapping[str, Any], known: Mapping[str, Any]) -> list[str]:
    """What the library has, where a filter names something that it has not."""
    found = []
    for name, one in (("kinds", "kinds"), ("languages", "languages")):
        have = [str(x) for x in known.get(name) or ()]
        if have and not set(filters.get(name) or ()) & {x.lower() for x in have} and filters.get(name):
            found.append(f"The library's {one}: {', '.join(have)}.")
    if filters.get("after") or filters.get("before"):
        found.append("Sources without a date are left out by a date filter.")
    return found
