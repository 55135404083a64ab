"""What a screen can do to the library, off the event loop and with every refusal and error said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual.screen import Screen

from panes.keeping import Keeper
from panes.keymap import shown
from panes.troubles import lines_of, tell
from workstation.errors import FloriError
from workstation.jobs.state import Job

RESTING = 8
"""While no job goes on, only every eighth look is taken."""


@dataclass(frozen=True, slots=True)
class Look:
    """The jobs that a person should see. `read`: something was read since the last look; `ended`: a job ended."""

    shown: tuple[Job, ...] = ()
    read: bool = False
    ended: bool = False


class Stocking:
    """Jobs and changes of the library, as one screen sees them from when it was opened."""

    def __init__(self, screen: Screen[None], keeper: Keeper, say: Callable[[str], None]) -> None:
        self._screen, self._keeper, self._say = screen, keeper, say
        self._jobs: Sequence[Job] = ()
        self._old: set[Path] | None = None
        self._ticks = 0

    async def look(self) -> Look | None:
        """How the jobs stand, or None when nothing has changed. For every tick: most cost nothing."""
        self._ticks += 1
        if not any(job.live for job in self._jobs) and self._ticks % RESTING != 1:
            return None
        try:
            jobs = await asyncio.to_thread(self._keeper.jobs)
        except OSError:
            return None
        first = self._old is None
        if self._old is None:  # how earlier ones ended is old news
            self._old = {job.folder for job in jobs if job.life == "ended"}
        if jobs == self._jobs:
            return None
        before, self._jobs = {job.folder: job for job in self._jobs}, jobs
        changed = [job for job in jobs if before.get(job.folder) != job]
        return Look(
            self.shown,
            read=any(job.live for job in changed),
            ended=not first and any(job.life == "ended" for job in changed),
        )

    @property
    def shown(self) -> tuple[Job, ...]:
        """What goes on, what was interrupted (unless the same was begun again later), and the last one that ended."""
        old = self._old or set()
        later: set[tuple[str, ...]] = set()
        live, waiting, ended = list[Job](), list[Job](), list[Job]()
        for job in self._jobs:
            if job.live:
                live.append(job)
            elif job.life == "interrupted" and job.named not in later:
                waiting.append(job)
            elif job.life == "ended" and job.folder not in old:
                ended.append(job)
            later.add(job.named)
        return (*live, *waiting, *ended[:1])

    def attend(self) -> None:
        """The next look is taken at the next tick."""
        self._ticks = 0

    async def add(self, line: str) -> bool:
        """Begins to read what the line names; false, with the reason said, when there is nothing."""
        try:
            await asyncio.to_thread(self._keeper.add, line)
        except (FloriError, OSError) as error:
            title, *rest = lines_of(error)
            self._say(f"! {title}: {'. '.join(rest)}")  # below what is being typed, not over it
            return False
        self._say("")
        self.attend()
        return True

    async def resume(self) -> None:
        """Goes on with the newest job that did not come to its end."""
        job = next((job for job in self.shown if not job.live and not _done(job)), None)
        if job is None:
            self._say("There is no reading that was stopped")
        else:
            await self._do(lambda: self._keeper.resume(job.folder), "It goes on")

    async def cancel(self) -> None:
        """Stops the newest job that goes on; without one, gives up the one that was interrupted."""
        job = next((job for job in self.shown if job.life != "ended"), None)
        if job is None:
            self._say("Nothing is being read")
        else:
            said = "Stopping; what was read is kept" if job.live else "Given up; what was read is kept"
            await self._do(lambda: self._keeper.cancel(job.folder), said)

    async def remove(self, source: int, title: str) -> bool:
        """Takes a source out of the library."""
        self._say(f"Removing {title} ...")
        if not await self._do(
            lambda: self._keeper.remove(source), f"Removed: {title}   {shown('library.undo')} puts it back"
        ):
            return False
        self._keeper.removed.append((source, title))
        return True

    async def undo(self) -> bool:
        """Puts back what was removed last."""
        if not self._keeper.removed:
            self._say("Nothing was removed since the workstation was opened")
            return False
        source, title = self._keeper.removed[-1]
        if not await self._do(lambda: self._keeper.restore(source), f"Put back: {title}"):
            return False
        self._keeper.removed.pop()
        return True

    async def _do(self, what: Callable[[], object], said: str) -> bool:
        try:
            await asyncio.to_thread(what)
        except (FloriError, OSError) as error:
            self._say("")
            tell(self._screen, error)
            return False
        self._screen.app.clear_notifications()  # they were about what was tried before
        self._say(said)
        self.attend()
        return True


def _done(job: Job) -> bool:
    return job.ended is not None and job.ended.outcome == "done"
