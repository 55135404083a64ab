"""The runs screen: every run folder, how it stands, and what can be done with it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from panes import wording
from panes.doors import Doors
from panes.keymap import Scope, bindings, footer, shown
from panes.ports import Run
from panes.rows import inert
from panes.screens.calm import CalmScreen
from panes.screens.page import PageScreen
from panes.screens.steering import Steered, Steering
from panes.troubles import tell
from panes.widgets.bars import Bar, KeyLine, StatusLine
from panes.widgets.entry import EntryLine
from panes.widgets.pane import empty
from panes.widgets.row_list import RowList
from panes.widgets.table import Column, Item, Table
from workstation.errors import FloriError

REFRESH_S = 2.0


class RunsScreen(CalmScreen[Path | None]):
    """Answers with the folder of the run to open, or with None."""

    BINDINGS = bindings("runs")
    AUTO_FOCUS = "#rows"
    SCOPES = ("list", "runs", "app")

    def __init__(self, doors: Doors) -> None:
        super().__init__()
        self._doors = doors
        self._steer = Steering(self, doors.engine, self._say)
        self._runs: Sequence[Run] = ()
        self._filter = ""
        self._marked = ""

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield Table(Column("State", 18), Column("Question", 0), Column("Started", 17, needs=70))
        yield EntryLine()
        yield StatusLine()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#top", Bar).put(Content.styled("Research runs", "bold"))
        self._draw_keys()
        self.query_one(StatusLine).show(None, inert(f"Reports: {self._doors.options.reports}"))
        self.set_interval(REFRESH_S, self._refresh)
        self.call_after_refresh(self._refresh)

    async def _refresh(self) -> None:
        try:
            self._runs = await asyncio.to_thread(self._doors.engine.runs)
        except (FloriError, OSError, ValueError) as error:
            if not self.gone:
                self.query_one(StatusLine).show(None, f"The runs cannot be read: {inert(str(error))}")
            return
        if not self.gone:
            self._draw()

    def _draw(self) -> None:
        wanted = self._filter.casefold().split()
        listed = [run for run in self._runs if all(word in _words(run) for word in wanted)]
        items = [
            Item(str(run.folder), (self._state(run), run.title or run.question, wording.when(run.started)))
            for run in listed
        ]
        nothing = empty("No runs yet", "Press Esc, then / and ask a question.")
        if self._runs:
            nothing = empty(f"No run has “{self._filter}” in it", f"{shown('runs.close_runs')} shows all of them.")
        self.query_one(Table).rows.set_items(items, nothing)
        of = f", {len(listed)} of them with “{self._filter}”" if wanted else ""
        title = f"Research runs: {len(self._runs)}{of}" if self._runs else "Research runs"
        self.query_one("#top", Bar).put(Content.styled(inert(title), "bold"))
        self._draw_keys()

    def _state(self, run: Run) -> str:
        return ("* " if str(run.folder) == self._marked else "") + wording.run_state(run)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        self.dismiss(Path(event.key))

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        self._draw_keys()

    def action_close(self) -> None:
        """All runs again, where some are filtered out; then back."""
        if self._filter:
            self._filter = ""
            self._draw()
        else:
            self.dismiss(None)

    # what can be done with the run under the cursor

    async def action_continue(self) -> None:
        await self._steer.go_on(self._chosen())

    async def action_enough(self) -> None:
        await self._steer.tell_run(self._chosen(), "enough")

    async def action_cancel(self) -> None:
        await self._steer.tell_run(self._chosen(), "cancel")

    def action_verify(self) -> None:
        """Checks the report again as it stands on disk, in a process of its own."""
        run = self._run()
        if run is None:
            return
        if run.status == "running":
            self._say("The engine is still at work on this run: it checks what it writes itself.")
            return
        self.run_worker(self._verify(run), group="verify", exclusive=True)

    async def _verify(self, run: Run) -> None:
        name = run.title or run.question
        self._say(f"Checking: {name} ...")
        try:
            document = await asyncio.to_thread(self._doors.engine.verify, run.folder)
        except (FloriError, OSError) as error:
            if not self.gone:
                tell(self, error)
            return
        if self.gone:
            return
        from panes import checked  # the events' types: not before they are needed

        rows = checked.rows(document)
        self._say("Checked." if document.get("ok") else "Checked: it failed.")
        if self.is_current:
            self.app.push_screen(PageScreen(f"Checked again: {name}", lambda width: rows))

    async def action_compare(self) -> None:
        """Marks a run; on another one it shows both."""
        run = self._run()
        if run is None:
            return
        key = str(run.folder)
        if not self._marked or self._marked == key:
            self._marked = "" if self._marked == key else key
            marked = f"Marked. {shown('runs.run_compare')} on another run compares the two."
            self._say(marked if self._marked else "No run is marked.")
            self._draw()
            return
        from panes import comparison
        from workstation.engine.launch import load_run

        try:
            one, two = await asyncio.gather(*(asyncio.to_thread(load_run, f) for f in (Path(self._marked), run.folder)))
        except (FloriError, OSError, ValueError) as error:
            tell(self, error)
            return
        self._marked = ""
        self._draw()
        title = f"1: {one.title or one.question}   2: {two.title or two.question}"
        self.app.push_screen(PageScreen(title, partial(comparison.rows, one, two)))

    # filtering

    def action_filter(self) -> None:
        self.query_one(EntryLine).open("Filter ", "words of the question, or how it ended", self._filter)
        self._draw_keys()

    def on_entry_line_typed(self, event: EntryLine.Typed) -> None:
        self._filter = event.text
        self._draw()

    def on_entry_line_entered(self, event: EntryLine.Entered) -> None:
        self._leave_line()

    def on_entry_line_stepped(self, event: EntryLine.Stepped) -> None:
        self.query_one(Table).rows.action_step(event.by)

    def on_entry_line_left(self) -> None:
        self._filter = ""
        self._leave_line()

    def _leave_line(self) -> None:
        self.query_one(Table).rows.focus(scroll_visible=False)
        self.query_one(EntryLine).display = False
        self._draw()

    # the bars

    def watch_focused(self, focused: Widget | None) -> None:
        if focused and self.is_mounted:
            self._draw_keys()

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return ("entry", "app") if self.query_one(EntryLine).display else self.SCOPES

    def _draw_keys(self) -> None:
        """The keys that do something with the run under the cursor."""
        run = self._run()
        going = run is not None and run.status == "running"
        idle = {"run_verify", "run_continue", "run_compare"} if going else {"run_enough", "run_cancel"}
        idle |= set() if run and run.status == "interrupted" else {"run_continue"}
        self.query_one(KeyLine).show(footer(*self.scopes, without=frozenset(idle)))

    def _run(self) -> Run | None:
        key = self.query_one(Table).rows.cursor
        return next((run for run in self._runs if str(run.folder) == key), None)

    def _chosen(self) -> Steered | None:
        run = self._run()
        return Steered(run.folder, run.status == "running", outcome=run.outcome) if run else None

    def _say(self, text: str) -> None:
        self.query_one(StatusLine).say(text)


def _words(run: Run) -> str:
    return f"{run.title} {run.question} {wording.run_state(run)}".casefold()
