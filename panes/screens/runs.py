"""The runs screen: every run folder, how it stands, and what can be done with it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from textual.app import ComposeResult
from textual.content import Content

from panes import wording
from panes.doors import Doors
from panes.keymap import bindings, footer
from panes.ports import Run
from panes.rows import inert
from panes.screens.calm import CalmScreen
from panes.screens.steering import Steered, Steering
from panes.widgets.bars import Bar, KeyLine, StatusLine
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

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield Table(Column("State", 18), Column("Question", 0), Column("Started", 17, needs=70))
        yield StatusLine()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#top", Bar).put(Content.styled("Research runs", "bold"))
        self.query_one(KeyLine).show(footer(*self.scopes))
        self.query_one(StatusLine).show(None, inert(f"Reports: {self._doors.options.reports}"))
        self.set_interval(REFRESH_S, self._refresh)
        self.call_after_refresh(self._refresh)

    async def _refresh(self) -> None:
        try:
            self._runs = await asyncio.to_thread(self._doors.engine.runs)
        except (FloriError, OSError, ValueError) as error:
            self.query_one(StatusLine).show(None, f"The runs cannot be read: {inert(str(error))}")
            return
        items = [
            Item(str(run.folder), (wording.run_state(run), run.title or run.question, wording.when(run.started)))
            for run in self._runs
        ]
        nothing = empty("No runs yet", "Press Esc, then / and ask a question.")
        self.query_one(Table).rows.set_items(items, nothing)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        self.dismiss(Path(event.key))

    def action_close(self) -> None:
        self.dismiss(None)

    async def action_continue(self) -> None:
        await self._steer.go_on(self._chosen())

    async def action_enough(self) -> None:
        await self._steer.tell_run(self._chosen(), "enough")

    async def action_cancel(self) -> None:
        await self._steer.tell_run(self._chosen(), "cancel")

    def _chosen(self) -> Steered | None:
        key = self.query_one(Table).rows.cursor
        run = next((run for run in self._runs if str(run.folder) == key), None)
        return Steered(run.folder, run.status == "running", outcome=run.outcome) if run else None

    def _say(self, text: str) -> None:
        self.query_one(StatusLine).say(text)
