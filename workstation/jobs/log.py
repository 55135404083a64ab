"""A job's folder: job.jsonl has one writer (an OS lock, by which a killed job is recognised), commands.jsonl is
appended to by anyone who wants to stop it.

Folders of jobs lie below the library that they write to (LIBRARY/jobs/TIME-PID): whoever opens the library, here or in
another terminal, sees what goes on in it, and they are as private as it is.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workstation.core.cancel import CancelToken
from workstation.errors import FloriError
from workstation.jobs.events import JOB_EVENT, JobEvent
from workstation.memory.events import Command
from workstation.memory.log import EventLog, Tail, engine_alive, read_commands, send

LOG, JOBS, OUTPUT = "job.jsonl", "jobs", "engine.log"
KEPT = 20
"""Folders of jobs that are kept when another one begins."""
HEARKEN_S = 0.2  # between looks for a command: a stop should seem to happen at once


class JobBusy(FloriError):
    title = "This job is being worked on by another process"
    hint = "Wait until it has ended, or cancel it"
    exit_code = 5


class JobLog(EventLog[JobEvent]):
    """The one writer of a job's folder. Any thread may append."""

    NAME = LOG
    BUSY = JobBusy

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._one_at_a_time = threading.Lock()

    def append(self, event: JobEvent, *, durable: bool = True) -> JobEvent:
        with self._one_at_a_time:
            return super().append(event, durable=durable)


class JobTail(Tail[JobEvent]):
    """Follows a job's log."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / LOG, JOB_EVENT.validate_json)


def new_folder(library: Path) -> Path:
    """Makes the folder of another job; of the older ones that nobody works on only the newest are kept."""
    home = library / JOBS
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    for old in folders(library)[KEPT:]:
        if not engine_alive(old):
            shutil.rmtree(old, ignore_errors=True)
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    number, folder = 0, home / f"{stamp}-{os.getpid()}"
    while folder.exists():
        number += 1
        folder = home / f"{stamp}-{os.getpid()}-{number}"
    folder.mkdir(mode=0o700)
    return folder


def folders(library: Path) -> list[Path]:
    """The folders of a library's jobs, newest first."""
    return sorted((log.parent for log in (library / JOBS).glob(f"*/{LOG}")), reverse=True)


def cancel(folder: Path) -> None:
    """Asks the process that works on the job to stop; what was stored by then stays."""
    send(folder, Command(kind="cancel"))


@contextmanager
def hearkening(folder: Path, token: CancelToken) -> Iterator[None]:
    """Sets the token as soon as somebody cancels the job, while the block runs."""
    before, over = len(read_commands(folder)), threading.Event()

    def look() -> None:
        while not over.wait(HEARKEN_S):
            if any(command.kind == "cancel" for command in read_commands(folder, before)):
                token.cancel()
                return

    thread = threading.Thread(target=look, name="commands", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
