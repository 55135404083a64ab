"""The reader: a source's stored text, opened at the exact span that a quote was taken from."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen

from panes import wording
from panes.keymap import bindings, footer
from panes.ports import Lookups
from panes.rows import Pen, Row, inert
from panes.troubles import lines_of
from panes.widgets.bars import Bar, KeyLine
from panes.widgets.line_view import LineView
from panes.widgets.pane import empty
from workstation.errors import FloriError
from workstation.memory.state import ResearchState

FULL_LINE = 60
"""A line of at least so many characters was ended by its width, a shorter one by its writer."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place to show: text[start:end], which should read `quote`."""

    start: int
    end: int
    quote: str
    where: str


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


class ReaderText(LineView):
    """The text, with all places marked and one of them chosen."""

    BINDINGS = bindings("reader")[2:-1]

    def __init__(self) -> None:
        super().__init__(id="text")
        self.chosen = ""

    def is_target(self, target: str) -> bool:
        return target == self.chosen

    def sign(self, index: int, line: int) -> str:
        row = self.rows[index]
        start, end = row.lines(self.text_width)[line]
        marked = any(self.is_target(s.target) and s.start < end and start < s.end for s in row.spans if s.target)
        return "▌" if marked else " "

    def choose(self, target: str) -> None:
        """Highlights a place and brings it into sight, with some lines before it."""
        self.chosen = target
        self.refresh()
        line = self.line_of(target)
        self.show_lines(line, line, context=min(6, self.size.height // 3))


class ReaderScreen(Screen[None]):
    """Opens one source. It asks the library for the text, and says so while it waits or when that fails."""

    BINDINGS = bindings("reader")
    AUTO_FOCUS = "#text"

    def __init__(self, reading: Reading, lookups: Lookups) -> None:
        super().__init__()
        self._reading, self._lookups = reading, lookups
        self._at = reading.at
        self._text: str | None = None

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield Bar("where")
        yield ReaderText()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#top", Bar).put(Content(inert(self._reading.title)))
        self.query_one("#where", Bar).put(Content("Opening the stored text ..."))
        self.query_one(KeyLine).show(footer("reader", "app"))
        self.run_worker(self._open(), exit_on_error=False)

    def action_place(self, by: int) -> None:
        if self._reading.marks and self._text is not None:
            self._at = (self._at + by) % len(self._reading.marks)
            self._show_place()

    def action_close(self) -> None:
        self.dismiss()

    async def _open(self) -> None:
        view = self.query_one(ReaderText)
        try:
            document = await self._lookups.source(self._reading.source, self._reading.version)
            self._text = str(document.get("text") or "")
            rows = await asyncio.to_thread(text_rows, self._text, self._reading.marks, _page_starts(document))
        except (FloriError, OSError) as error:
            title, *rest = lines_of(error)
            view.set_rows(empty(title, *rest))
            self.query_one("#where", Bar).put(Content("The text could not be opened"))
            return
        view.set_rows(rows)
        facts = [str(document.get("kind") or ""), str(document.get("language") or ""), str(document.get("path") or "")]
        self.query_one("#top", Bar).put(Content(inert("   ".join([self._reading.title, *filter(None, facts)]))))
        self.call_after_refresh(self._show_place)

    def _show_place(self) -> None:
        """The chosen place in the text, and above it where that is."""
        bar, marks = self.query_one("#where", Bar), self._reading.marks
        if not marks:
            bar.put(Content(wording.count(len(self._text or ""), "character")))
            return
        mark = marks[self._at]
        self.query_one(ReaderText).choose(str(self._at))
        parts = [f"Place {self._at + 1} of {len(marks)}", mark.where, f"characters {mark.start:,} to {mark.end:,}"]
        line = inert("   ".join(part for part in parts if part))
        if (self._text or "")[mark.start : mark.end] != mark.quote:
            bar.put(Content.assemble(("! The stored text differs from the quote here.  ", "bold"), line))
        else:
            bar.put(Content(line))


def text_rows(text: str, marks: Sequence[Mark], pages: Mapping[int, int]) -> list[Row]:
    """One row for each paragraph of the text, a rule where a page begins (`pages`: start offset to page number)."""
    rows: list[Row] = []
    starts = sorted(pages)
    paged = 0
    for first, last in paragraphs(text):
        while paged < len(starts) and starts[paged] <= first:
            rows.append(Pen().put(f"── page {pages[starts[paged]]} ──", "dim").row())
            paged += 1
        pen = Pen()
        for start, end, target in _pieces(first, last, marks):
            pen.put(text[start:end], "mark" if target else "", target)
        rows.append(pen.row())
    return rows


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """The ranges of the text that are shown as one row: lines, and lines that go on in the next one joined to it.

    A stored text keeps the line breaks of its file. One that only ends a full line would tear the paragraph on a
    screen of another width.
    """
    start = at = 0
    for line in text.splitlines(keepends=True):
        end = at + len(line)
        follows = text[end : end + 1]
        goes_on = (
            len(line) > FULL_LINE and line.endswith("\n") and (follows.isalnum() or follows in ("“", '"', "(", "„"))
        )
        if not goes_on:
            yield start, end - (len(line) - len(line.rstrip("\r\n")))
            start = end
        at = end
    if start < len(text):
        yield start, len(text)


def _pieces(start: int, end: int, marks: Sequence[Mark]) -> list[tuple[int, int, str]]:
    """text[start:end] cut at the marks' edges; where marks overlap, the first one has it."""
    found: list[tuple[int, int, str]] = []
    for index, mark in enumerate(marks):
        left, right = max(mark.start, start), min(mark.end, end)
        if left >= right:
            continue
        if left > start:
            found.append((start, left, ""))
        found.append((left, right, str(index)))
        start = right
    found.append((start, end, ""))
    return found


def _page_starts(document: Mapping[str, Any]) -> dict[int, int]:
    """Where each page begins, from the page ledger or, without one, from the passages' places."""
    found: dict[int, int] = {}
    for page in document.get("pages") or ():
        if isinstance(page, dict) and isinstance(page.get("start"), int):
            found.setdefault(page["start"], int(page.get("number", len(found) + 1)))
    if found:
        return found if len(found) > 1 else {}
    numbers: dict[int, int] = {}
    for passage in document.get("passages") or ():
        where = passage.get("locator") or {}
        if where.get("page") is not None:
            numbers[where["page"]] = min(where["start"], numbers.get(where["page"], where["start"]))
    return {start: page for page, start in numbers.items()}
