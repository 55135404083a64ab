"""A job as it stands: the fold of its log, and whether a process is at work on it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from pathlib import Path
from typing import Literal

from workstation.jobs.events import ItemRefused, JobEnded, JobEvent, JobProgress, JobStarted, JobWaits
from workstation.memory.base import Value

Life = Literal["starting", "waiting", "running", "interrupted", "ended"]
KEPT_REASONS = 1_000
"""Items that are kept with their reasons; the others are counted."""


class Job(Value):
    """`waits`: what it waits for. `refused`: what was not read, with the reasons, in order."""

    folder: Path
    life: Life = "starting"
    started: JobStarted | None = None
    progress: JobProgress | None = None
    waits: str = ""
    refused: tuple[ItemRefused, ...] = ()
    failed: int = 0
    skipped: int = 0
    ended: JobEnded | None = None

    @property
    def live(self) -> bool:
        """Whether a process is at work on it, or will be in a moment."""
        return self.life in ("starting", "waiting", "running")

    @property
    def named(self) -> tuple[str, ...]:
        """What it reads."""
        return self.started.named if self.started else ()


def apply(job: Job, event: JobEvent) -> Job:
    """The job after one more event."""
    match event:
        case JobStarted():
            return Job(folder=job.folder, life=job.life, started=event)
        case JobWaits():
            return job.model_copy(update={"waits": event.text})
        case JobProgress():
            return job.model_copy(update={"progress": event, "waits": ""})
        case ItemRefused():
            counted: dict[str, object] = {event.state: getattr(job, event.state) + 1}
            kept = (*job.refused, event) if len(job.refused) < KEPT_REASONS else job.refused
            return job.model_copy(update=counted | {"refused": kept})
        case JobEnded():
            return job.model_copy(update={"ended": event, "waits": ""})


def fold(job: Job, events: Iterable[JobEvent]) -> Job:
    return reduce(apply, events, job)
