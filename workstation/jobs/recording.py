"""A job's beginning and its end in its log, whatever the end is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from workstation import __version__
from workstation.jobs.events import JobEnded, JobStarted
from workstation.jobs.log import JobLog, new_folder


@contextmanager
def begun(library: Path, named: Sequence[str], kind: str | None, allowed: Sequence[str]) -> Iterator[JobLog]:
    """The log of another job that begins in this process."""
    with JobLog(new_folder(library)) as log, failing(log):
        log.append(JobStarted(named=tuple(named), kind=kind, allowed=tuple(allowed), program=__version__))
        yield log


@contextmanager
def failing(log: JobLog) -> Iterator[None]:
    """Whatever ends the block with an error ends the job in its log as well, with the reason."""
    try:
        yield
    except BaseException as error:
        from workstation.problems import describe

        problem = describe(error)
        stopped = isinstance(error, KeyboardInterrupt)
        detail = "" if stopped else ". ".join(filter(None, (problem.title, problem.what, problem.hint)))
        log.append(JobEnded(outcome="cancelled" if stopped else "failed", detail=detail))
        raise
