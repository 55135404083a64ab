"""The home screen: runs to go on with, how to begin, and the ask line. It is the first frame, so it imports little."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widget import Widget

from panes.keeping import Keeper
from panes.keymap import Scope, bindings, footer
from panes.messages import RunOpened
from panes.ports import Run
from panes.screens.asking import AskingScreen
from panes.troubles import tell
from panes.welcome import Welcome, folder_of
from panes.widgets.ask import AskInput, AskLine
from panes.widgets.bars import KeyLine, StatusLine, TopLine
from panes.widgets.row_list import RowList
from workstation.errors import FloriError

JOBS_S = 2.0


class HomeScreen(AskingScreen):
    """Offers the newest unfinished runs, or example questions where there is none."""

    BINDINGS = bindings("home")
    AUTO_FOCUS = "#ask"
    SCOPES = ("home", "list", "ask", "app")

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return ("ask", "app") if self.asks else ("list", "home", "app")

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield Welcome()
        yield StatusLine()
        yield AskLine(self._asking)
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(TopLine).show("florilegium")
        self.query_one(StatusLine).show(None, "No run is open")
        self._welcome(None)
        self.call_after_refresh(self._offer_runs)
        self.set_interval(JOBS_S, self._look_at_jobs)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        if folder := folder_of(event.key):
            self.post_message(RunOpened(folder))
            return
        ask = self.query_one(AskInput)
        ask.value = event.key.removeprefix("ask:")
        ask.focus()

    def on_ask_left(self) -> None:
        self.set_focus(self.query_one(Welcome))

    def watch_focused(self, focused: Widget | None) -> None:
        if focused:
            self.query_one(KeyLine).show(footer(*self.scopes))

    def action_other(self) -> None:
        """From the list to the ask line and back."""
        self.set_focus(self.query_one(Welcome) if self.asks else self.query_one(AskInput))

    async def _offer_runs(self) -> None:
        try:
            runs = await asyncio.to_thread(self._doors.engine.runs)
        except (FloriError, OSError, ValueError) as error:
            tell(self, error)
            return
        self._asking.remember(run.question for run in reversed(runs))
        self._welcome(runs)
        unfinished = next((run for run in runs if run.status != "finished"), None)
        if unfinished and not self.query_one(AskInput).value:
            welcome = self.query_one(Welcome)
            welcome.go_to(f"run:{unfinished.folder}")
            welcome.focus()

    async def _look_at_jobs(self) -> None:
        """Says what is being read into the library."""
        if self.app.screen is not self:
            return
        try:
            jobs = await asyncio.to_thread(_live_jobs, self._doors.keeper)
        except OSError:
            return
        self.query_one(StatusLine).show(None, "   ".join(["No run is open", *jobs]))

    def _welcome(self, runs: Sequence[Run] | None) -> None:
        library = self._doors.options.library
        empty = not (library / "library.db").exists()
        self.query_one(Welcome).show(runs, str(library), empty=empty)


def _live_jobs(keeper: Keeper) -> list[str]:
    """The jobs that go on, in a few words each."""
    from panes.job_words import brief

    return [brief(job) for job in keeper.jobs() if job.live]
