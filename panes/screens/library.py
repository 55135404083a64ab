"""The library screen: what can be searched, source by source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual.app import ComposeResult
from textual.content import Content

from panes import wording
from panes.doors import Doors
from panes.keymap import bindings, footer, shown
from panes.rows import inert
from panes.screens.calm import CalmScreen
from panes.screens.reader import ReaderScreen, Reading
from panes.troubles import lines_of
from panes.widgets.bars import Bar, KeyLine
from panes.widgets.pane import empty
from panes.widgets.row_list import RowList
from panes.widgets.table import Column, Item, Table
from workstation.errors import FloriError


class LibraryScreen(CalmScreen[None]):
    """Asks the library for its sources when it opens, or for those that a question wants; choosing one opens the
    reader."""

    BINDINGS = bindings("library")
    AUTO_FOCUS = "#rows"
    SCOPES = ("list", "library", "app")

    def __init__(self, doors: Doors, question: str = "") -> None:
        super().__init__()
        self._doors, self._question = doors, question
        self._found = ""
        self._sources: dict[str, Mapping[str, Any]] = {}

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield Table(
            Column("Title", 0),
            Column("Kind", 10, needs=60),
            Column("Language", 8, needs=90),
            Column("Passages", 8, right=True, needs=50),
            Column("Status", 14, needs=70),
        )
        yield Bar("where")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#top", Bar).put(Content.styled(inert(f"Library   {self._doors.options.library}"), "bold"))
        self.query_one(KeyLine).show(footer(*self.scopes))
        self.action_reload()

    def action_reload(self) -> None:
        self._say("Looking for sources ..." if self._question else "Reading the list of sources ...")
        self.run_worker(self._load(), group="load", exclusive=True)

    def action_close(self) -> None:
        self.dismiss()

    async def _load(self) -> None:
        rows = self.query_one(Table).rows
        try:
            lookups = self._doors.lookups()
            answer = await (lookups.ask(self._question) if self._question else lookups.sources())
        except (FloriError, OSError) as error:
            title, *rest = lines_of(error)
            rows.set_items([], empty(title, *rest))
            self._say(f"The list could not be read. Press {shown('library.reload')} to try again.")
            return
        self._sources = {str(source["source"]): source for source in answer.get("sources") or ()}
        self._found = str(answer.get("answer") or "")
        nothing = empty("The library is empty", "Put a folder into it with: flori ingest FOLDER")
        if self._question:
            nothing = empty("Nothing in the library is about that", "F4 lists all that it holds.")
        rows.set_items([_item(key, source) for key, source in self._sources.items()], nothing)
        self._say_source(rows.cursor)

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        if not isinstance(event, RowList.Chosen):
            self._say_source(event.key)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        source = self._sources[event.key]
        reading = Reading(int(source["source"]), None, str(source.get("title") or source.get("path")))
        self.app.push_screen(ReaderScreen(self._doors, reading))

    def _say_source(self, key: str) -> None:
        source = self._sources.get(key)
        path = f"   {source.get('path', '')}" if source else ""
        self._say(f"{self._found or wording.count(len(self._sources), 'source')}{path}")

    def _say(self, text: str) -> None:
        self.query_one("#where", Bar).put(Content(inert(text)))


def _item(key: str, source: Mapping[str, Any]) -> Item:
    status = str(source.get("status") or "")
    title = str(source.get("title") or source.get("path"))
    cells = (
        str(source.get(field) if source.get(field) is not None else "") for field in ("kind", "language", "passages")
    )
    return Item(key, (title, *cells, status), "" if status in ("ok", "") else "warn")
