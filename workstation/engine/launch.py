"""Run folders from the outside: make one, start an engine on it, list them. Light enough for the terminal
application."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from workstation import __version__
from workstation.content.language import detect
from workstation.engine.listing import runs as runs  # handed on: runs are listed from here
from workstation.errors import FloriError
from workstation.memory.events import Command, CommandTaken, Depth, Format, RunStarted, Web
from workstation.memory.folding import fold
from workstation.memory.log import LOG, LogTail, RunBusy, RunLog, engine_alive, read_log, send
from workstation.memory.projections import render_files
from workstation.memory.state import ResearchState
from workstation.planning.brief import restate, slug, title_of
from workstation.planning.talking import separate

ENGINE_OUTPUT = "engine.log"
POLL_S = 0.1  # between looks at whether an engine has taken a command


class NotARun(FloriError):
    title = "This folder is not a research run"
    hint = "Run: flori runs"
    exit_code = 3


class NoQuestion(FloriError):
    title = "This is not a question yet"
    hint = "Ask for what you want to know, in a sentence or a few words"
    exit_code = 3


class FolderTaken(FloriError):
    title = "The folder for the report is in use"
    hint = "Choose another with --out, or continue that run with: flori continue FOLDER"
    exit_code = 3


class Where(Protocol):
    """The part of the command line's options that an engine process must be told."""

    @property
    def library(self) -> Path: ...
    @property
    def reports(self) -> Path: ...
    @property
    def models(self) -> Path: ...
    @property
    def offline(self) -> bool: ...


def new_run(
    where: Where,
    question: str,
    *,
    depth: Depth | None = None,
    format: Format | None = None,
    defaults: tuple[Depth, Format] = ("thorough", "report"),
    out: Path | None = None,
    web: Web | None = None,
) -> Path:
    """Makes the run's folder with its first event. Without `out` it is named after the question, below the reports
    folder. Depth and format are those given, else what the question itself says, else the defaults. `web`: leave to
    fetch pages.

    Raises FolderTaken, and NoQuestion when there is nothing to find out.
    """
    question = restate(question)
    asked = separate(question)
    if not any(c.isalnum() for c in asked.question):
        raise NoQuestion(question)
    language = detect(asked.question, classify=False)
    folder = out if out is not None else _free(where.reports / slug(title_of(asked.question, language)))
    if (folder / LOG).exists() or (folder.exists() and any(folder.iterdir())):
        raise FolderTaken(str(folder))
    with RunLog(folder) as log:
        log.append(
            RunStarted(
                question=question,
                depth=depth or asked.depth or defaults[0],
                format=format or asked.format or defaults[1],
                library=str(where.library.resolve()),
                program=__version__,
                web=web,
            )
        )
    return folder


def deliver(folder: Path, command: Command) -> bool:
    """Sends a command; true when an engine has taken it, false when none is at work on the run any more."""
    number, tail, alive = send(folder, command), LogTail(folder), True
    while alive:
        alive = engine_alive(folder)  # asked first: what it did before it ended is in the log
        while batch := tail.read():
            if any(isinstance(event, CommandTaken) and event.command_seq >= number for event in batch):
                return True
        time.sleep(POLL_S)
    return False


def settle(folder: Path) -> None:
    """Completes the files of a run that ended while nobody looked, or whose engine died; not while one is at work."""
    if engine_alive(folder):
        return
    with suppress(RunBusy), RunLog(folder):
        render_files(folder, load_run(folder))


def launch(folder: Path, where: Where, *, approve: bool = False) -> int:
    """Starts the engine on `folder` in a session of its own, so that it outlives this process; returns its pid."""
    arguments = [sys.executable, "-P", "-m", "workstation.engine.worker", str(folder), "--options", encode(where)]
    with (folder / ENGINE_OUTPUT).open("ab") as output:
        child = subprocess.Popen(
            [*arguments, *(["--yes"] if approve else [])],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    return child.pid


def attend(folder: Path, where: Where) -> bool:
    """Has what was said about the evidence of a run taken by a process of its own, which then ends; false when it
    could not."""
    arguments = [sys.executable, "-P", "-m", "workstation.engine.worker", str(folder), "--options", encode(where)]
    with (folder / ENGINE_OUTPUT).open("ab") as output:
        done = subprocess.run([*arguments, "--attend"], stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    return done.returncode == 0


def encode(where: Where) -> str:
    """The options that a child process needs, as one JSON argument."""
    return json.dumps(
        {
            "library": str(where.library),
            "reports": str(where.reports),
            "models": str(where.models),
            "offline": where.offline,
        }
    )


def load_run(folder: Path) -> ResearchState:
    """The folded state of a run folder; NotARun when it has no log."""
    events = read_log(folder)
    if not events:
        raise NotARun(str(folder))
    return fold(events)


def _free(folder: Path) -> Path:
    number, candidate = 1, folder
    while candidate.exists():
        number += 1
        candidate = folder.with_name(f"{folder.name}-{number}")
    return candidate
