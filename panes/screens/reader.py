"""The reader: a source's stored text, opened at the exact span that a quote was taken from."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from textual.app import ComposeResult
from textual.content import Content

from panes import wording
from panes.doors import Doors
from panes.keymap import bindings, footer
from panes.rows import inert
from panes.screens.calm import CalmScreen
from panes.source_text import CHOSEN, Mark, SourceText, page_starts
from panes.troubles import lines_of
from panes.widgets.bars import Bar, KeyLine
from panes.widgets.line_view import LineView
from panes.widgets.pane import empty
from workstation.errors import FloriError
from workstation.memory.events import Place
from workstation.memory.state import ResearchState


@dataclass(frozen=True, slots=True)
class Reading:
    """What to open: a source in a version (None: the current one), its places, and the one to begin with."""

    source: int
    version: str | None
    title: str
    marks: tuple[Mark, ...] = ()
    at: int = 0


def reading_of(state: ResearchState, number: int, note: str = "") -> Reading | None:
    """The source with this citation number, with every place that the run quoted, beginning at `note`."""
    entry = state.entry(number)
    if entry is None:
        return None
    notes = sorted((n for n in state.notes if n.number == number), key=lambda n: (n.place.start, n.place.end))
    marks: dict[tuple[int, int], Mark] = {}
    at = 0
    for found in notes:
        span = (found.place.start, found.place.end)
        marks.setdefault(span, Mark(*span, found.quote, wording.place(found.place)))
        if found.id == note:
            at = list(marks).index(span)
    title = f"[{number}] {entry.title or entry.path}"
    return Reading(entry.source, entry.version, title, tuple(marks.values()), at)


def reading_at(document: Mapping[str, Any]) -> tuple[Reading, list[str]]:
    """The source of the first place of an `ask` document, with all places there, and the titles of other sources."""
    first, *_ = citations = document["citations"]
    marks = [_mark(c) for c in citations if c["source"] == first["source"]]
    others = dict.fromkeys(_title(c) for c in citations if c["source"] != first["source"])
    return Reading(int(first["source"]), None, _title(first), tuple(marks)), list(others)


def _mark(citation: Mapping[str, Any]) -> Mark:
    place = Place.model_validate(citation["locator"])
    return Mark(place.start, place.end, str(citation["quote"]), wording.place(place))


def _title(citation: Mapping[str, Any]) -> str:
    return inert(str(citation.get("title") or citation.get("path")))


class ReaderText(LineView):
    """The text, with all places marked and one of them chosen."""

    BINDINGS = bindings("text")

    def is_target(self, target: str) -> bool:
        return target == CHOSEN

    def sign(self, index: int, line: int) -> str:
        row = self.rows[index]
        start, end = row.lines(self.text_width)[line]
        return "▌" if any(s.target == CHOSEN and s.start < end and start < s.end for s in row.spans) else " "

    def show_chosen(self) -> None:
        """Brings the chosen place into sight, with some lines before it."""
        line = self.line_of(CHOSEN)
        self.show_lines(line, line, context=min(6, self.size.height // 3))


class ReaderScreen(CalmScreen[None]):
    """Opens one source. It asks the library for the text, and says so while it waits or when that fails."""

    BINDINGS = bindings("reader")
    AUTO_FOCUS = "#text"
    SCOPES = ("reader", "text", "app")

    def __init__(self, doors: Doors, reading: Reading) -> None:
        super().__init__()
        self._doors, self._reading = doors, reading
        self._at = reading.at
        self._text: SourceText | None = None

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield Bar("where")
        yield ReaderText("text")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#top", Bar).put(Content(inert(self._reading.title)))
        self.query_one("#where", Bar).put(Content("Opening the stored text ..."))
        self.query_one(KeyLine).show(footer("reader", "app"))
        self.run_worker(self._open(), exit_on_error=False)

    def action_place(self, by: int) -> None:
        if self._reading.marks and self._text:
            self._at = (self._at + by) % len(self._reading.marks)
            self._show_place()

    def action_close(self) -> None:
        self.dismiss()

    async def _open(self) -> None:
        view = self.query_one(ReaderText)
        try:
            document = await self._doors.lookups().source(self._reading.source, self._reading.version)
            text = str(document.get("text") or "")
            self._text = await asyncio.to_thread(SourceText, text, self._reading.marks, page_starts(document))
        except (FloriError, OSError) as error:
            title, *rest = lines_of(error)
            view.set_rows(empty(title, *rest))
            self.query_one("#where", Bar).put(Content("The text could not be opened"))
            return
        facts = [str(document.get("kind") or ""), str(document.get("language") or ""), str(document.get("path") or "")]
        self.query_one("#top", Bar).put(Content(inert("   ".join([self._reading.title, *filter(None, facts)]))))
        view.set_rows(await asyncio.to_thread(self._text.rows))
        self.call_after_refresh(self._show_place)  # only then the view knows its height

    def _show_place(self) -> None:
        """The chosen place in the text, and above it where that is."""
        bar, marks, text = self.query_one("#where", Bar), self._reading.marks, self._text
        if text is None:
            return
        if not marks:
            bar.put(Content(wording.count(len(text.text), "character")))
            return
        mark = marks[self._at]
        view = self.query_one(ReaderText)
        view.set_rows(text.rows(self._at))
        view.show_chosen()
        parts = [f"Place {self._at + 1} of {len(marks)}", mark.where, f"characters {mark.start:,} to {mark.end:,}"]
        line = inert("   ".join(part for part in parts if part))
        if text.holds(mark):
            bar.put(Content(line))
        else:
            bar.put(Content.assemble(("! The stored text differs from the quote here.  ", "bold"), line))
