"""The reader: a source's stored text, opened at the exact span that a quote was taken from."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from panes.doors import Doors
from panes.finding import Matches, find
from panes.keymap import Key, Scope, bindings, footer, relabelled, shown
from panes.messages import CopyAsked
from panes.quoting import cited
from panes.reading import Reading as Reading  # handed on: what is opened is made there
from panes.reading import reading_at as reading_at
from panes.reading import reading_of as reading_of
from panes.rows import inert
from panes.screens.calm import CalmScreen
from panes.screens.uses import UsesScreen
from panes.source_text import SourceText, page_starts, sentence_at
from panes.troubles import lines_of, tell
from panes.uses import Use
from panes.waypoints import Waypoints, waypoints
from panes.widgets.bars import Bar, KeyLine
from panes.widgets.entry import EntryLine
from panes.widgets.pane import empty
from panes.widgets.reader_text import ReaderText as ReaderText
from workstation.errors import FloriError

SETTLING_S = 0.12
"""In a long text nothing is looked for before so much time went by without a key: each search reads all of it."""
LONG = 300_000


class ReaderScreen(CalmScreen[Use | None]):
    """Opens one source. It asks the library for the text, and says so while it waits or when that fails.

    It answers with the claim of the open run that the reader wants to go to, if any."""

    BINDINGS = bindings("reader")
    AUTO_FOCUS = "#text"
    SCOPES = ("reader", "text", "app")

    def __init__(self, doors: Doors, reading: Reading) -> None:
        super().__init__()
        self._doors, self._reading = doors, reading
        self._at = reading.at
        self._path = ""
        self._text: SourceText | None = None
        self._ways: Waypoints | None = None
        self._matches = Matches()
        self._begun = 0  # where the search was begun: each letter more looks on from there
        self._jumps = False
        self._roams = not reading.marks

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield Bar("where")
        yield ReaderText()
        yield EntryLine()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#top", Bar).put(Content(inert(self._reading.title)))
        self._say("Opening the stored text ...")
        self._draw_keys()
        self.run_worker(self._open(), exit_on_error=False)

    async def _open(self) -> None:
        view = self.query_one(ReaderText)
        try:
            document = await self._doors.lookups().source(self._reading.source, self._reading.version)
            text, self._ways = await asyncio.to_thread(_made, document, self._reading, view.text_width)
        except (FloriError, OSError) as error:
            title, *rest = lines_of(error)
            view.set_rows(empty(title, *rest))
            self._say("The text could not be opened")
            return
        self._path = str(document.get("path") or "")
        facts = [str(document.get("kind") or ""), str(document.get("language") or ""), self._path]
        self.query_one("#top", Bar).put(Content(inert("   ".join([self._reading.title, *filter(None, facts)]))))
        self._text = text
        view.show(text)
        self.call_after_refresh(self._show_place)  # only then the view knows its height

    # places and matches

    def action_place(self, by: int) -> None:
        """The next match while something is looked for, else the next place."""
        if self._matches.starts:
            self._choose_match((self._matches.at + by) % len(self._matches.starts))
        elif self._reading.marks and self._text:
            self._at = (self._at + by) % len(self._reading.marks)
            self._show_place()

    def _show_place(self) -> None:
        """The chosen place in the text, and above it where that is."""
        marks, text = self._reading.marks, self._text
        if text is None:
            return
        if not marks:
            self._show_position()
            return
        mark = marks[self._at]
        self._roams = False
        text.choose(self._at)
        view = self.query_one(ReaderText)
        view.refresh()
        view.show_offset(mark.start)
        parts = [f"Place {self._at + 1} of {len(marks)}", mark.where, f"characters {mark.start:,} to {mark.end:,}"]
        if self._ways and (page := self._ways.page(mark.start)) in self._ways.words and "image" not in mark.where:
            parts.append(f"page {page}: {self._ways.words[page]}" if page else "")
        if self._ways and (mark.page or self._ways.page(mark.start)) in self._ways.images:
            parts.append(f"{shown('reader.image')} shows the page")
        line = inert("   ".join(part for part in parts if part))
        if text.holds(mark):
            self._say(line)
        else:
            warning = ("! The stored text differs from the quote here.  ", "bold")
            self.query_one("#where", Bar).put(Content.assemble(warning, line))

    def _show_position(self) -> None:
        if self._ways:
            self._say(self._ways.at(self.query_one(ReaderText).offset_in_sight))

    def on_reader_text_scrolled(self) -> None:
        if self._roams and not self._matches.needle:
            self._show_position()

    # finding

    def action_find(self) -> None:
        if self._text:
            self._jumps = False
            self._begun = self.query_one(ReaderText).offset_in_sight
            self.query_one(EntryLine).open("Find ", "words, in any case", self._matches.needle)

    def action_jump(self) -> None:
        if self._text and self._ways:
            self._jumps = True
            self.query_one(EntryLine).open("Go to ", self._ways.asks)

    def on_entry_line_typed(self, event: EntryLine.Typed) -> None:
        if not self._jumps and type(event) is EntryLine.Typed:
            self.run_worker(self._find(event.text), group="find", exclusive=True)

    async def on_entry_line_entered(self, event: EntryLine.Entered) -> None:
        if self._jumps:
            self._jump(event.text)
            return
        if event.text != self._matches.needle:  # Enter came before the search
            await self._find(event.text, now=True)
        if self._matches.starts or not event.text.strip():
            self._leave_line()

    def on_entry_line_stepped(self, event: EntryLine.Stepped) -> None:
        self.action_place(event.by)

    def on_entry_line_left(self) -> None:
        if not self._jumps:
            self._end_find()
        self._leave_line()

    async def _find(self, needle: str, *, now: bool = False) -> None:
        if self._text is None:
            return
        if len(self._text.text) > LONG and not now:
            await asyncio.sleep(SETTLING_S)
        matches = await asyncio.to_thread(find, self._text.text, needle)
        if self.gone:
            return
        self._matches = matches
        self._choose_match(self._matches.after(self._begun))

    def _choose_match(self, at: int) -> None:
        self._matches = replace(self._matches, at=at)
        assert self._text
        self._text.show_matches(self._matches)
        view = self.query_one(ReaderText)
        view.refresh()
        self.query_one(EntryLine).note(self._matches.said)
        if at >= 0:
            view.show_offset(self._matches.starts[at])
            where = self._ways.at(self._matches.starts[at]) if self._ways else ""
            self._say(f"Match {self._matches.said}   {where}")
        elif self._matches.needle:
            self._say(f"“{self._matches.needle}” does not stand in this text")
        self._draw_keys()

    def _end_find(self) -> None:
        self._matches = Matches()
        if self._text:
            self._text.show_matches(self._matches)
        self._roams = True
        self.query_one(ReaderText).refresh()
        self._show_position()
        self._draw_keys()

    def _jump(self, said: str) -> None:
        assert self._ways
        goal = self._ways.goal(said)
        if isinstance(goal, str):
            self.query_one(EntryLine).note("not found")
            self._say(goal)
            return
        self._leave_line()
        self._roams = True
        self.query_one(ReaderText).show_offset(goal, top=True)
        self._show_position()

    def _leave_line(self) -> None:
        self.query_one(ReaderText).focus(scroll_visible=False)
        self.query_one(EntryLine).display = False
        self._draw_keys()

    # what can be done with it

    def action_copy(self) -> None:
        """The chosen match's sentence, or the chosen place, with its citation."""
        if self._text is None or self._ways is None:
            return
        marks, at = self._reading.marks, self._matches.at
        title = self._title
        if at >= 0:
            start = self._matches.starts[at]
            quote = sentence_at(self._text.text, start, self._matches.ends[at])
            text = cited(quote, title, self._path, page=self._ways.page(start), seconds=self._ways.time(start))
        elif marks:
            mark = marks[self._at]
            text = cited(mark.quote, title, self._path, page=mark.page, seconds=mark.seconds)
        else:
            self._say("Nothing is chosen to be copied. Press / to find a place first.")
            return
        self.post_message(CopyAsked(text, "The quote with its citation"))

    @property
    def _title(self) -> str:
        """The source's title, without the number that the run gave it."""
        return self._reading.title.removeprefix(f"[{self._reading.number}] ")

    def action_original(self) -> None:
        """Opens the file itself, at the place that is chosen or in sight."""
        if self._ways:
            self.run_worker(self._open_outside(image=False), group="outside", exclusive=True)

    def action_image(self) -> None:
        """Shows the page as it looks."""
        if self._ways:
            self.run_worker(self._open_outside(image=True), group="outside", exclusive=True)

    async def _open_outside(self, *, image: bool) -> None:
        assert self._ways
        offset = self._offset()
        page, seconds = self._ways.page(offset), self._ways.time(offset)
        reading, lookups = self._reading, self._doors.lookups()
        self._say("Opening the page's image ..." if image else "Opening the original ...")
        try:
            if image:
                found = await lookups.show_page(reading.source, reading.version, page or 1)
            else:
                found = await lookups.show_original(reading.source, reading.version, page, seconds)
        except (FloriError, OSError) as error:
            tell(self, error)
            self._say(lines_of(error)[0])
            return
        self._say(f"Opened with {found.get('program')}: {found.get('file')}")

    def _offset(self) -> int:
        """What is looked at: the chosen match or place, else the first line in sight."""
        if self._matches.at >= 0:
            return self._matches.starts[self._matches.at]
        if self._reading.marks and not self._roams:
            return self._reading.marks[self._at].start
        return self.query_one(ReaderText).offset_in_sight

    def action_uses(self) -> None:
        """Every claim of the open run that uses this source."""
        if self._reading.state is None:
            self._say("No run that is open cites this source from here.")
        else:
            self.app.push_screen(UsesScreen(self._reading.state, self._reading.number), self._go_to)

    def _go_to(self, use: Use | None) -> None:
        if use:
            self.dismiss(use)

    def action_close(self) -> None:
        """One step back: from what was found to the text, from the text to where one came from."""
        if self._matches.needle:
            self._end_find()
        else:
            self.dismiss(None)

    # the bars

    def _say(self, text: str) -> None:
        self.query_one("#where", Bar).put(Content(inert(text)))

    def watch_focused(self, focused: Widget | None) -> None:
        if focused and self.is_mounted:
            self._draw_keys()

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return ("entry", "app") if self.query_one(EntryLine).display else self.SCOPES

    def _draw_keys(self) -> None:
        self.query_one(KeyLine).show(self._keys())

    def _keys(self) -> tuple[Key, ...]:
        if self.query_one(EntryLine).display:
            return footer(*self.scopes)
        if self._matches.needle:
            labels = {"place": "Next match", "place_before": "Match before", "close_reader": "End the search"}
            return relabelled(footer(*self.scopes, without=frozenset({"jump", "original"})), labels)
        idle = {"place", "place_before"} if not self._reading.marks else {"jump", "original"}
        return footer(*self.scopes, without=frozenset(idle))


def _made(document: Mapping[str, Any], reading: Reading, width: int) -> tuple[SourceText, Waypoints]:
    """The text of a `source` document, wrapped to `width`: a book takes its time, so not where the screen waits."""
    ways = waypoints(document)
    text = SourceText(str(document.get("text") or ""), reading.marks, page_starts(document), ways.words)
    for row in text.rows:
        row.lines(width)
    return text, ways
