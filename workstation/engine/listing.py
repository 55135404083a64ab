"""The list of runs: how each one stands, read without folding its whole log."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from workstation.memory.events import EVENT
from workstation.memory.folding import fold
from workstation.memory.log import LOG, engine_alive

Status = Literal["running", "interrupted", "finished"]
KEPT = 4096  # runs whose summaries are remembered for as long as their logs do not change

_TYPE = re.compile(rb'\s*\{\s*"seq"\s*:\s*\d+\s*,\s*"time"\s*:\s*"[^"]*"\s*,\s*"type"\s*:\s*"(\w+)"')
_TELLING = frozenset(
    {b"run_started", b"brief_written", b"clarification_asked", b"clarification_answered", b"plan_proposed"}
    | {b"plan_approved", b"run_resumed", b"plan_extended", b"run_ended"}
)
"""Events that a summary depends on: a handful, however long the log is."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """`waits`: for the user's answer, or for approval of its plan."""

    folder: Path
    title: str
    question: str
    started: str
    status: Status
    outcome: str
    waits: bool = False


@dataclass(frozen=True, slots=True)
class _Glance:
    title: str
    question: str
    started: str
    ended: bool
    outcome: str
    waits: bool


def runs(reports: Path) -> list[RunSummary]:
    """All run folders directly below `reports`, newest first. Raises ValidationError on a log that cannot be read."""
    found = [run for log in reports.glob(f"*/{LOG}") if (run := _summary(log))] if reports.is_dir() else []
    return sorted(found, key=lambda run: run.started, reverse=True)


def _summary(log: Path) -> RunSummary | None:
    """None for a folder that is no run: nothing whole stands in its log, or it has just gone."""
    try:
        now = log.stat()
        glance = _glance(log, now.st_size, now.st_mtime_ns)
    except FileNotFoundError:
        return None
    if glance is None:
        return None
    folder = log.parent
    status: Status = "running" if engine_alive(folder) else "finished" if glance.ended else "interrupted"
    return RunSummary(folder, glance.title, glance.question, glance.started, status, glance.outcome, glance.waits)


@lru_cache(maxsize=KEPT)
def _glance(log: Path, size: int, changed_ns: int) -> _Glance | None:
    """The summary of a log in this state; a line whose type does not stand where the log writes it is read in full."""
    telling, lines = [], 0
    with log.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                break  # torn: the writer is at it, or was killed
            lines += bool(line.strip())
            kind = _TYPE.match(line)
            if line.strip() and (kind is None or kind[1] in _TELLING):
                telling.append(EVENT.validate_json(line))
    if not lines:
        return None
    state = fold(telling)
    outcome = state.ended.outcome if state.ended else ""
    waits = state.ended is None and not state.plan_hash and bool(state.proposed or state.waiting_for())
    ended = state.ended is not None
    return _Glance(state.title or state.question, state.question, state.started, ended, outcome, waits)
