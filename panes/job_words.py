"""How a job stands, in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from panes import wording
from panes.keymap import shown
from panes.rows import inert

if TYPE_CHECKING:
    from workstation.jobs.events import JobEnded
    from workstation.jobs.state import Job


SHORT = 30
"""Characters of a path that say what is read; its end says the most."""


def headline(job: Job, *, advised: bool = False) -> str:
    """One inert line: what goes on, how fast and for how long still, or how it ended; what can be done about it, where
    that is asked for; and what it reads."""
    told = [_running(job)] if job.life == "running" else [_state(job), advice(job) if advised else "", subject(job)]
    return inert("   ".join(filter(None, told)))


def advice(job: Job) -> str:
    """What can be done about it, with the key; empty when there is nothing to do."""
    resume = shown("library.resume_job")
    if job.life == "interrupted":
        return f"{resume} goes on, {shown('library.cancel_job')} gives up"
    if job.ended is None:
        return ""
    if job.ended.outcome != "done":
        return f"{resume} goes on" if job.ended.outcome == "cancelled" else f"{resume} tries again"
    return f"{shown('library.show_jobs')} says why" if job.ended.failed or job.ended.skipped else ""


def subject(job: Job) -> str:
    """What the job reads, as short as it can be said."""
    if not job.named:
        return "nothing"
    more = f" and {len(job.named) - 1} more" if len(job.named) > 1 else ""
    return _homely(job.named[0]) + more


def brief(job: Job) -> str:
    """For a status line: "reading 12 of 40"."""
    if job.life == "waiting":
        return "reading waits for another writer"
    return f"reading {job.progress.done:,} of {job.progress.total:,}" if job.progress else "reading begins"


def tally(ended: JobEnded) -> str:
    """What was read, skipped and failed."""
    counts = ("added", "updated", "unchanged", "failed", "skipped")
    told = [f"{getattr(ended, name):,} {name}" for name in counts if getattr(ended, name)]
    return ", ".join(told) or "there was nothing to read"


def _state(job: Job) -> str:
    match job.life:
        case "starting" | "running":
            return "Starting to read"
        case "waiting":
            return f"Waiting: {job.waits or 'another process is writing'}"
        case "interrupted":
            return f"Interrupted{_reached(job)}"
    assert job.ended is not None
    match job.ended.outcome:
        case "failed":
            return f"Failed: {job.ended.detail}"
        case "cancelled":
            return f"Cancelled{_reached(job)}"
    return f"Read: {tally(job.ended)}"


def _running(job: Job) -> str:
    at = job.progress
    if at is None:
        return f"Reading {subject(job)}: finding the files, loading the model"
    parts = [f"Reading {at.done:,} of {at.total:,}"]
    if at.rate:
        parts.append(f"{at.rate:.1f} passages/s")
    if at.left is not None:
        parts.append(f"{wording.clock(at.left)} left")
    if job.failed:
        parts.append(f"{job.failed:,} failed")
    return "   ".join([*parts, at.current])


def _reached(job: Job) -> str:
    return f" at {job.progress.done:,} of {job.progress.total:,}" if job.progress else ""


def _homely(path: str) -> str:
    """The path with ~ for the home folder; of a long one the end."""
    home = str(Path.home())
    path = "~" + path.removeprefix(home) if path.startswith(home + "/") else path
    return path if len(path) <= SHORT else f"…{path[1 - SHORT :]}"
