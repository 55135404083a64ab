"""The home screen: runs to go on with, how to begin, and the ask line. It is the first frame, so it imports little."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widget import Widget

from panes.doors import Doors
from panes.keeping import Keeper
from panes.keymap import Scope, bindings, footer
from panes.messages import LibraryChosen, RunOpened
from panes.ports import Run
from panes.screens.asking import AskingScreen
from panes.screens.working import Working
from panes.troubles import said_lines, tell
from panes.welcome import OWN, SAMPLE, Welcome, folder_of
from panes.widgets.ask import AskInput, AskLine
from panes.widgets.bars import KeyLine, StatusLine, TopLine
from panes.widgets.row_list import RowList
from workstation.errors import FloriError
from workstation.paths import has_library, sample_library

JOBS_S = 2.0


class HomeScreen(AskingScreen):
    """Offers the newest unfinished runs, or example questions where there is none."""

    BINDINGS = bindings("home")
    AUTO_FOCUS = "#ask"
    SCOPES = ("home", "list", "ask", "app")

    def __init__(self, doors: Doors) -> None:
        super().__init__(doors)
        self._own = ""
        self._runs: Sequence[Run] | None = None
        self._empty = False
        self._work = Working(doors.commands, self._stand)

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
        self._stand("")
        self._welcome(None)
        self.call_after_refresh(self._offer_runs)
        self.set_interval(JOBS_S, self._look_at_jobs)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        if folder := folder_of(event.key):
            self.post_message(RunOpened(folder))
            return
        if event.key.startswith("do:"):
            self._do(event.key)
            return
        ask = self.query_one(AskInput)
        ask.value = event.key.removeprefix("ask:")
        self.set_focus(ask)

    def on_ask_left(self) -> None:
        self.set_focus(self.query_one(Welcome))

    def watch_focused(self, focused: Widget | None) -> None:
        if focused:
            self.query_one(KeyLine).show(footer(*self.scopes))

    def action_other(self) -> None:
        """From the list to the ask line and back."""
        self.set_focus(self.query_one(Welcome) if self.asks else self.query_one(AskInput))

    def reopen(self, doors: Doors, own: str) -> None:
        """Begins again on another library; `own` is the one to go back to, if it is not that."""
        self._own = own
        self.work_on(doors)
        self._work = Working(doors.commands, self._stand)
        self.query_one(Welcome).reset()
        self.run_worker(self._offer_runs(), exit_on_error=False)

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
            self.set_focus(welcome)  # at once: a key of the same burst is meant for it

    async def _look_at_jobs(self) -> None:
        """Says what is being read into the library."""
        if self.app.screen is not self or self._work.busy:
            return
        try:
            jobs = await asyncio.to_thread(_live_jobs, self._doors.keeper)
        except OSError:
            return
        self._stand("   ".join(["No run is open", *jobs]))
        self._look_at_library()

    def on_screen_resume(self) -> None:
        self._look_at_library()

    def _look_at_library(self) -> None:
        """Says no longer that the library is empty once something was put into it, from here or from elsewhere."""
        if self._empty and has_library(self._doors.options.library):
            self._welcome(self._runs)

    def _do(self, what: str) -> None:
        """What a row about libraries offers."""
        if what == SAMPLE:
            self.run_worker(self._make_sample(), group="sample", exit_on_error=False)
        elif what == OWN:
            self.post_message(LibraryChosen(None))
        else:
            self.run_worker(self.run_action("app.go('library')"), exit_on_error=False)

    async def _make_sample(self) -> None:
        done = await self._work.run("Making the sample library", "sample")
        if isinstance(done, str):
            self._say(done)
        elif done.status or not done.document:
            title, *rest = said_lines(done.words)
            self.app.notify("\n".join(rest), title=title, severity="error", timeout=12, markup=False)
        else:
            self.post_message(LibraryChosen(sample_library()))

    def _stand(self, text: str) -> None:
        if self.is_attached:
            self.query_one(StatusLine).show(None, text or "No run is open")

    def _welcome(self, runs: Sequence[Run] | None) -> None:
        library = self._doors.options.library
        empty = not has_library(library)
        self._runs, self._empty = runs, empty
        welcome = self.query_one(Welcome)
        welcome.show(runs, str(library), empty=empty, own=self._own)
        if empty and runs == [] and not self.query_one(AskInput).value:
            welcome.go_to(SAMPLE)
            self.set_focus(welcome)  # at once: a key of the same burst is meant for it


def _live_jobs(keeper: Keeper) -> list[str]:
    """The jobs that go on, in a few words each."""
    from panes.job_words import brief

    return [brief(job) for job in keeper.jobs() if job.live]
