"""The library screen: what can be searched, source by source; what is being read into it; adding and removing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from panes import wording
from panes.doors import Doors
from panes.keymap import Scope, bindings, footer, shown
from panes.rows import inert
from panes.screens.calm import CalmScreen
from panes.screens.jobs import JobsScreen
from panes.screens.reader import ReaderScreen, Reading
from panes.screens.stocking import Stocking
from panes.shelf import Listed, Shelf, View, outermost, title_of
from panes.source_detail import detail_rows
from panes.troubles import lines_of
from panes.widgets.bars import WIDE, Bar, KeyLine
from panes.widgets.entry import EntryInput, EntryLine
from panes.widgets.job_bar import JobBar
from panes.widgets.pane import empty
from panes.widgets.row_list import RowList
from panes.widgets.shelves import Details, Shelves, item_of
from panes.widgets.table import Items, Table
from workstation.errors import FloriError
from workstation.paths import has_library

POLL_S = 0.25
"""Four looks a second at the jobs: what a line that changes may cost over a slow connection."""
RESTED_S = 0.1
"""The cursor rests on a source for so long before its details are asked for."""
FIRST, CHUNK = 500, 2_000
"""Sources that are asked for at once: a first screenful soon, then as many as cost a frame to take in."""


class LibraryScreen(CalmScreen[None]):
    """Asks the library for its sources when it opens, or for those that a question wants; choosing one opens the
    reader."""

    BINDINGS = bindings("library")
    AUTO_FOCUS = "#rows"
    SCOPES = ("list", "library", "app")

    def __init__(self, doors: Doors, question: str = "") -> None:
        super().__init__()
        self._doors, self._question = doors, question
        self._found = self._said = self._said_at = ""
        self._shelf, self._view, self._keys = Shelf(), View(), list[str]()
        self._stock = Stocking(self, doors.keeper, self._say)
        self._detailed = False
        self._loading = self._settled = False
        self._soon: Timer | None = None

    @property
    def scopes(self) -> tuple[Scope, ...]:
        if isinstance(self.focused, EntryInput):
            return ("entry", "app")
        return ("details", "text", "library", "app") if isinstance(self.focused, Details) else self.SCOPES

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield Shelves()
        yield JobBar()
        yield Bar("where")
        yield EntryLine()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#top", Bar).put(Content.styled(inert(f"Library   {self._doors.options.library}"), "bold"))
        self._arrange()
        self.set_interval(POLL_S, self._look)
        self.action_reload()

    def on_resize(self, event: events.Resize) -> None:
        self._arrange()

    def watch_focused(self, focused: Widget | None) -> None:
        if focused:
            self.query_one(KeyLine).show(footer(*self.scopes))

    # the list

    def action_reload(self) -> None:
        self._where("Looking for sources ..." if self._question else "Reading the list of sources ...")
        self._start_loading(Shelf())

    def _start_loading(self, shelf: Shelf) -> None:
        self.run_worker(self._load(shelf), group="load", exclusive=True)

    async def _load(self, shelf: Shelf) -> None:
        """Fills the shelf with all sources after its last one. One that begins anew is shown at once where nothing is
        shown yet, and at its end where something is."""
        self._loading = True
        lookups = self._doors.lookups()
        try:
            if self._question:
                answer = await lookups.ask(self._question)
                self._found = str(answer.get("answer") or "")
                shelf.put(answer.get("sources") or ())
            limit = FIRST
            while not self._question:
                answer = await lookups.sources(shelf.last, limit)
                found, last = answer.get("sources") or (), shelf.last
                shelf.put(found)
                if len(found) < limit or shelf.last == last:
                    break
                limit = CHUNK
                fresh = shelf is self._shelf or not self._settled
                if fresh and len(shelf) >= 2 * len(self._keys):  # not at each part: all of it is gone through each time
                    self._take(shelf)
        except (FloriError, OSError) as error:
            if self.gone:
                return
            if not self._question and not has_library(self._doors.options.library):
                self._take(Shelf())  # the first source that is added makes it
                return
            title, *rest = lines_of(error)
            self.query_one(Table).rows.set_items([], empty(title, *rest))
            self._where(f"The list could not be read. Press {shown('library.reload')} to try again.")
            return
        finally:
            self._loading = False
        self._settled = True
        self._take(shelf)

    def _take(self, shelf: Shelf) -> None:
        if not self.gone:
            self._shelf = shelf
            self._show()

    def _show(self) -> None:
        """Shows what the view lets through. Rows are made when they come into sight."""
        keys = self._keys = self._shelf.keys(self._view)
        rows = self.query_one(Table).rows
        before, leads = rows.cursor, rows.leads and self._view.order == "newest first"
        rows.set_items(
            Items(keys, lambda at: item_of(keys[at], self._shelf[keys[at]])) if keys else [], self._nothing()
        )
        if leads and keys:
            rows.go_to(keys[0])  # whoever stands at the top sees what comes
        self._say_source()
        if rows.cursor != before:
            self._ask_details_soon()

    def _nothing(self) -> list[Any]:
        if self._question:
            return empty("Nothing in the library is about that", f"{shown('app.library')} lists all that it holds.")
        if len(self._shelf):
            return empty(
                "No source is like that",
                f"Press {shown('library.filter')} to change the words, {shown('library.kind')} for another kind, "
                f"{shown('library.close_library')} for all.",
            )
        return empty("The library is empty", f"Press {shown('library.add')} to add a file, a folder or a page.")

    def _see(self, view: View) -> None:
        self._view, self._said = view, ""
        self._show()

    def action_kind(self) -> None:
        self._see(replace(self._view, kind=self._shelf.next_kind(self._view.kind)))

    def action_sort(self) -> None:
        self._see(replace(self._view, order=self._view.next_order))

    def action_close(self) -> None:
        """Back from the details, from the filter, from the screen."""
        if isinstance(self.focused, Details):
            self.action_details()
        elif self._view.words or self._view.kind:
            self._see(View(order=self._view.order))
        else:
            self.dismiss()

    # what is typed

    def action_filter(self) -> None:
        self.query_one(EntryLine).open("Filter", "words of title or path", self._view.words, purpose="filter")

    def action_add(self) -> None:
        hint = "a file, a folder" if self._doors.options.offline else "a file, a folder, or the address of a page"
        self.query_one(EntryLine).open("Add", hint, purpose="add")

    def on_entry_line_typed(self, event: EntryLine.Typed) -> None:
        if event.purpose == "filter" and not isinstance(event, EntryLine.Entered):
            self._see(replace(self._view, words=event.text))

    async def on_entry_line_entered(self, event: EntryLine.Entered) -> None:
        if event.purpose == "add" and event.text.strip():
            if not await self._stock.add(event.text):
                return  # what was typed can be mended
            self._see(View(order="newest first"))  # what is read from here on comes first
            self.query_one(Table).rows.action_edge(False)
        self._leave_line()

    def on_entry_line_left(self) -> None:
        if self.query_one(EntryLine).purpose == "filter":
            self._see(replace(self._view, words=""))
        self._leave_line()

    def _leave_line(self) -> None:
        self.query_one(EntryLine).close()
        self.set_focus(self.query_one(Table).rows)

    # one source

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        if not isinstance(event, RowList.Chosen):
            self._said = self._said if event.key == self._said_at else ""
            self._say_source()
            self._ask_details_soon()

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        self.action_open()

    def action_open(self) -> None:
        if source := self._chosen():
            self.app.push_screen(ReaderScreen(self._doors, Reading(int(source["source"]), None, title_of(source))))

    def action_details(self) -> None:
        """To the details and back: beside the list, or in its place where there is no room for both."""
        details, rows = self.query_one(Details), self.query_one(Table).rows
        self._detailed = not isinstance(self.focused, Details)
        self._arrange()
        self.set_focus(details if self._detailed else rows)
        self._ask_details()

    def _arrange(self) -> None:
        narrow = self.size.width < WIDE
        details, table = self.query_one(Details), self.query_one(Table)
        details.display = self._detailed or not narrow
        table.display = not (self._detailed and narrow)
        details.set_class(narrow, "-alone")

    def _ask_details_soon(self) -> None:
        """When the cursor has come to rest."""
        if self._soon:
            self._soon.stop()
        self._soon = self.set_timer(RESTED_S, self._ask_details)

    def _ask_details(self) -> None:
        if self.query_one(Details).display:
            self.run_worker(self._show_details(), group="details", exclusive=True)

    async def _show_details(self) -> None:
        source, details = self._chosen(), self.query_one(Details)
        if source is None:
            details.reset()
            return
        try:
            rows = detail_rows(await self._doors.lookups().detail(int(source["source"])))
        except (FloriError, OSError) as error:
            title, *rest = lines_of(error)
            rows = empty(title, *rest)
        if self.gone:
            return
        details.reset()
        details.set_rows(rows)

    def _chosen(self) -> Listed | None:
        return self._shelf.get(self.query_one(Table).rows.cursor)

    # what changes the library

    async def action_read_again(self) -> None:
        if source := self._chosen():
            await self._stock.add(outermost(str(source.get("path") or "")))
        else:
            self._say("There is no source to be read again.")

    async def action_remove(self) -> None:
        rows = self.query_one(Table).rows
        if (source := self._chosen()) is None:
            self._say("There is no source to be removed.")
            return
        key, neighbour = rows.cursor, rows.neighbour()
        if await self._stock.remove(int(source["source"]), title_of(source)):
            if rows.cursor == key and neighbour:
                rows.go_to(neighbour)
            said = self._said
            self._shelf.drop(key)
            self._show()
            self._say(said)

    async def action_undo(self) -> None:
        if await self._stock.undo():
            self._start_loading(Shelf())

    async def action_resume(self) -> None:
        await self._stock.resume()

    async def action_cancel(self) -> None:
        await self._stock.cancel()

    def action_jobs(self) -> None:
        self.app.push_screen(JobsScreen(self._doors))

    async def _look(self) -> None:
        """Shows the jobs as they stand, and what they have put into the library."""
        look = await self._stock.look()
        if look is None or self.gone:
            return
        self.query_one(JobBar).show(look.shown)
        if self._question or self._loading:
            return
        if look.ended:
            self._said = ""  # that it is being stopped, or goes on, is over
            self._start_loading(Shelf())  # sources may have another version or status than before
        elif look.read:
            self._start_loading(self._shelf)  # only what has come since

    # what stands below the list

    def _say_source(self) -> None:
        if self._said:
            self._where(self._said)
            return
        source, view = self._chosen(), self._view
        count = wording.count(len(self._shelf), "source")
        if self._loading and not self._settled:
            count = f"{count} so far ..."
        if view.words or view.kind:
            count = f"{len(self._keys):,} of {count}"
        parts = [self._found or count]
        parts += [f"with “{view.words.strip()}”"] if view.words.strip() else []
        parts += [f"{view.kind} only"] if view.kind else []
        parts += [view.order] if view.order != View().order else []
        parts += [str(source.get("path", ""))] if source else []
        self._where("   ".join(parts))

    def _say(self, text: str) -> None:
        """Says what became of what was done, until the cursor moves."""
        if self.gone:
            return
        self._said, self._said_at = text, self.query_one(Table).rows.cursor
        self._say_source()

    def _where(self, text: str) -> None:
        self.query_one("#where", Bar).put(Content(inert(text)))
