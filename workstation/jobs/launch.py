"""Jobs from the outside: begin one, go on with one, stop one. Light enough for the terminal application."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from workstation import __version__
from workstation.engine.launch import Where, encode
from workstation.errors import FloriError, Offline
from workstation.jobs.events import JobEnded, JobStarted
from workstation.jobs.listing import Watch
from workstation.jobs.log import OUTPUT, JobBusy, JobLog, cancel, new_folder
from workstation.jobs.naming import URL
from workstation.memory.log import engine_alive


class NotAJob(FloriError):
    title = "This folder is not a job"
    hint = "Look at the jobs in the library of the workstation"


def start(where: Where, named: Sequence[str], kind: str | None = None) -> Path:
    """Begins to read what is named (addresses and full paths) in a process of its own; returns the job's folder.

    Raises Offline when there is a page among it and the network is switched off.
    """
    _check(where, named)
    folder = new_folder(where.library)
    _launch(folder, where, JobStarted(named=tuple(named), kind=kind, program=__version__))
    return folder


def resume(folder: Path, where: Where) -> None:
    """Goes on with a job that was interrupted, cancelled or failed; what the library has by then is not read again.
    JobBusy while a process works on it."""
    job = next((job for job in Watch(where.library).look() if job.folder == folder), None)
    if job is None or job.started is None:
        raise NotAJob(str(folder))
    _check(where, job.named)
    _launch(folder, where, job.started)


def _check(where: Where, named: Sequence[str]) -> None:
    pages = [each for each in named if URL.match(each)]
    if pages and where.offline:
        raise Offline(pages[0])


def _launch(folder: Path, where: Where, started: JobStarted) -> None:
    """The log begins here, so that the job is seen before its process has come up."""
    with JobLog(folder) as log:
        log.append(started)
    arguments = [sys.executable, "-P", "-m", "workstation.jobs.worker", str(folder), "--options", encode(where)]
    with (folder / OUTPUT).open("ab") as output:
        subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)


def give_up(folder: Path) -> None:
    """Stops a job. One that nobody works on any more counts as cancelled from then on."""
    if engine_alive(folder):
        cancel(folder)
        return
    with suppress(JobBusy), JobLog(folder) as log:
        log.append(JobEnded(outcome="cancelled"))
