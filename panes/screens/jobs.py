"""The jobs screen: what was read into the library, what was not, and why."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content

from panes import wording
from panes.doors import Doors
from panes.job_words import headline
from panes.keymap import bindings, footer
from panes.rows import Pen, Row, blank, inert
from panes.screens.calm import CalmScreen
from panes.troubles import tell
from panes.widgets.bars import Bar, KeyLine, StatusLine
from panes.widgets.pane import empty
from panes.widgets.row_list import RowList
from panes.wording import when
from workstation.errors import FloriError

if TYPE_CHECKING:
    from workstation.jobs.state import Job

POLL_S = 0.5
REASONS = 200
"""Items that are listed with their reasons below one job."""


class JobsScreen(CalmScreen[None]):
    """Follows the jobs of the library as they go on."""

    BINDINGS = bindings("jobs")
    AUTO_FOCUS = "#rows"
    SCOPES = ("list", "jobs", "app")

    def __init__(self, doors: Doors) -> None:
        super().__init__()
        self._doors = doors
        self._jobs: Sequence[Job] = ()

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield RowList("rows")
        yield StatusLine()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#top", Bar).put(Content.styled(inert(f"Reading into {self._doors.options.library}"), "bold"))
        self.query_one(KeyLine).show(footer("jobs", "app"))
        self.query_one(StatusLine).show(None, "A job goes on when the workstation is closed")
        self.set_interval(POLL_S, self._look)
        self.call_after_refresh(self._look)

    async def _look(self) -> None:
        try:
            jobs = await asyncio.to_thread(self._doors.keeper.jobs)
        except OSError as error:
            self.query_one(StatusLine).say(f"The jobs cannot be read: {error}")
            return
        if jobs != self._jobs or not jobs:
            self._jobs = jobs
            rows = [row for job in jobs for row in _rows(job)]
            nothing = empty("Nothing was read yet", "Press Esc, then a to add a file, a folder or a page.")
            self.query_one(RowList).set_rows(rows or nothing)

    def action_close(self) -> None:
        self.dismiss()

    async def action_resume(self) -> None:
        if job := self._chosen():
            await self._do(self._doors.keeper.resume, job.folder, "It goes on")

    async def action_cancel(self) -> None:
        if job := self._chosen():
            await self._do(self._doors.keeper.cancel, job.folder, "Stopping; what was read is kept")

    async def _do(self, what: Callable[[Path], None], folder: Path, said: str) -> None:
        try:
            await asyncio.to_thread(what, folder)
        except (FloriError, OSError) as error:
            tell(self, error)
            return
        self.query_one(StatusLine).say(said)

    def _chosen(self) -> Job | None:
        key = self.query_one(RowList).cursor
        return next((job for job in self._jobs if str(job.folder) == key), None)


def _rows(job: Job) -> list[Row]:
    """A job and what it did not read, with the reasons."""
    begun = when(job.started.time) if job.started else ""
    rows = [Pen().put(headline(job), "strong").row(str(job.folder), hang=2)]
    facts = [f"begun {begun}"] if begun else []
    if job.ended and job.ended.outcome == "done":
        facts += [wording.count(job.ended.passages, "passage"), wording.clock(job.ended.seconds)]
    facts += job.named if len(job.named) > 1 else ()
    rows.append(Pen().put("  " + "   ".join(facts), "dim").row(hang=2))
    for refused in job.refused[:REASONS]:
        style = "bad" if refused.state == "failed" else "dim"
        rows.append(
            Pen().put(f"  {refused.state}  ", style).put(refused.path).put(f"  {refused.reason}", "dim").row(hang=4)
        )
    if (more := job.failed + job.skipped - min(len(job.refused), REASONS)) > 0:
        rows.append(Pen().put(f"  and {more:,} more: flori ingest lists them with --json", "dim").row())
    return [*rows, blank()]
