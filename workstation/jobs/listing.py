"""The jobs of a library as they stand, for whoever looks at them again and again."""

from __future__ import annotations

import time
from pathlib import Path

from pydantic import ValidationError

from workstation.jobs.log import LOG, JobTail, folders
from workstation.jobs.state import Job, Life, fold
from workstation.memory.log import engine_alive

STARTING_S = 10.0
"""A process that was just started gets this long to take the job's lock before the job counts as interrupted."""


class Watch:
    """Follows all jobs of a library: each look reads only what was appended since the last one. One thread at a time
    may look."""

    def __init__(self, library: Path) -> None:
        self._library = library
        self._jobs: dict[Path, Job] = {}
        self._tails: dict[Path, JobTail] = {}

    def look(self) -> tuple[Job, ...]:
        """The jobs, newest first. A log that cannot be read any further is shown as far as it could be."""
        found = folders(self._library)
        for gone in self._jobs.keys() - set(found):
            del self._jobs[gone], self._tails[gone]
        return tuple(self._follow(folder) for folder in found)

    def _follow(self, folder: Path) -> Job:
        job = self._jobs.get(folder) or Job(folder=folder)
        tail = self._tails.setdefault(folder, JobTail(folder))
        alive = engine_alive(folder)  # asked first: what it did before it ended is in the log
        try:
            while batch := tail.read():
                job = fold(job, batch)
        except (ValidationError, OSError):
            pass
        life = _life(job, alive)
        self._jobs[folder] = job = job if job.life == life else job.model_copy(update={"life": life})
        return job


def _life(job: Job, alive: bool) -> Life:
    if job.ended is not None:
        return "ended"
    if alive:
        return "waiting" if job.waits else "running"
    try:
        age = time.time() - (job.folder / LOG).stat().st_mtime
    except OSError:
        return "interrupted"
    return "starting" if job.progress is None and 0 <= age < STARTING_S else "interrupted"
