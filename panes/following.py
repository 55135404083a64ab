"""Reads one run folder as it grows: tails the log, folds it, and says whether anything that is shown has changed.

Nothing here draws: the panes follow a run through this, and so does the mode that speaks in lines.
"""

from __future__ import annotations

import contextlib
import gc
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from panes.talk import SILENCE, Talk
from workstation.memory.events import Clarification, Event
from workstation.memory.folding import fold
from workstation.memory.log import LOG, LogTail, engine_alive
from workstation.memory.staleness import FRESH, Stale, stale
from workstation.memory.state import Paragraph, ResearchState

Life = Literal["starting", "running", "interrupted", "ended"]

RESTING = 8
"""A run that has ended is looked at on every eighth tick only."""
STARTING_S = 10.0
"""An engine that was just started gets this long to take the folder's lock before the run counts as interrupted."""
LONG = 5_000
"""Events that make a log a long one."""
DRAFT, ENGINE_OUTPUT = "draft.md", "engine.log"
DRAFT_BYTES = 32_000


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A run as it stands. `versions` are the files that hold its report as it was before it was deepened, `stale` what
    was concluded from evidence that was changed since."""

    folder: Path
    state: ResearchState
    draft: str = ""
    life: Life = "starting"
    trouble: str = ""
    talk: Talk = SILENCE
    versions: tuple[str, ...] = ()
    stale: Stale = FRESH

    @property
    def asked(self) -> Clarification | None:
        """The question that waits for the user's answer."""
        return None if self.state.plan_hash or self.state.ended else self.state.waiting_for()

    @property
    def waiting(self) -> bool:
        """Whether a plan is proposed that nobody has approved yet."""
        return bool(self.state.proposed) and not self.state.plan_hash and self.state.ended is None

    @property
    def done(self) -> bool:
        """Whether it has ended, so that it can be asked for more."""
        return self.life == "ended" and bool(self.state.plan_hash)


class Follower:
    """Reads a run folder as it grows. `changed` is cheap enough for every tick; `read` does the work."""

    def __init__(self, folder: Path, *, launched: bool = False) -> None:
        self.snapshot = Snapshot(folder, ResearchState())
        self._tail = LogTail(folder)
        self._seen: tuple[object, ...] = ()
        self._ticks = 0
        self._grace = time.monotonic() + STARTING_S if launched else 0.0
        self._resumed = -1

    def expect_engine(self) -> None:
        """An engine was just started on the folder: how the run ended before means no longer that it has."""
        self._grace = time.monotonic() + STARTING_S
        self._resumed = self.snapshot.state.seq
        self._ticks = 0

    def hurry(self) -> None:
        """Something was just done to the run: the next tick looks, also at one that has ended."""
        self._ticks = -1

    def changed(self) -> bool:
        """Whether it is worth reading: a file grew, or it is time to see if an engine is at work."""
        self._ticks += 1
        if self.snapshot.life == "ended" and self._ticks % RESTING:
            return False
        seen = (_size(self.snapshot.folder / LOG), _size(self.snapshot.folder / DRAFT))
        grown, self._seen = seen != self._seen, seen
        return grown or self._ticks % 4 == 1

    def read(self) -> Snapshot | None:
        """The run as it stands, or None when nothing that is shown has changed."""
        old = self.snapshot
        with _nothing_thrown_away():
            events, unreadable = self._next()
            state, talk = fold(events, old.state) if events else old.state, old.talk
            if len(events) > LONG:
                gc.freeze()  # what a long log holds stays: no key has to wait for a look through it
        for event in events:
            talk = talk.hear(event)
        life = self._life(state)
        trouble = unreadable or (_last_words(old.folder) if life == "interrupted" else "")
        versions = _versions(old.folder, state.rounds)
        outdated = stale(state) if state is not old.state else old.stale
        self.snapshot = Snapshot(old.folder, state, self._draft(state), life, trouble, talk, versions, outdated)
        shown, before = ((s.draft, s.life, s.trouble, s.versions) for s in (self.snapshot, old))
        return None if state is old.state and shown == before else self.snapshot

    def _next(self) -> tuple[list[Event], str]:
        """The events since the last read, and why there are no more where the log cannot be read on."""
        events: list[Event] = []
        try:
            while batch := self._tail.read():
                events += batch
        except (ValidationError, OSError) as error:
            return events, f"This run's log cannot be read: {str(error).splitlines()[0]}"
        return events, ""

    def _life(self, state: ResearchState) -> Life:
        if state.ended is not None and (state.seq > self._resumed or time.monotonic() >= self._grace):
            return "ended"
        if engine_alive(self.snapshot.folder):
            return "running"
        return "starting" if time.monotonic() < self._grace else "interrupted"

    def _draft(self, state: ResearchState) -> str:
        if state.ended is not None:
            return ""
        try:
            with (self.snapshot.folder / DRAFT).open("rb") as file:
                text = file.read(DRAFT_BYTES).decode(errors="replace")
        except OSError:
            return ""
        return unfinished(text, state.paragraphs)


@contextlib.contextmanager
def _nothing_thrown_away() -> Iterator[None]:
    """All that is read of a log stays: looking through it again and again for garbage would double the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def unfinished(draft: str, paragraphs: tuple[Paragraph, ...]) -> str:
    """What of the draft is not yet a finished paragraph."""
    for paragraph in paragraphs:
        text = paragraph.text.strip()
        if text and text in draft:
            draft = draft.split(text, 1)[1]
    draft = draft.strip()
    return "" if any(draft in paragraph.text for paragraph in paragraphs) else draft


def _size(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (-1, 0)
    return (found.st_size, found.st_mtime_ns)


def _versions(folder: Path, rounds: int) -> tuple[str, ...]:
    names = (f"report-{number}.md" for number in range(1, rounds + 1))
    return tuple(name for name in names if (folder / name).exists())


def _last_words(folder: Path) -> str:
    """The last line that a stopped engine printed: the reason, when it did not stop by itself."""
    try:
        with (folder / ENGINE_OUTPUT).open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 2_000))
            lines = file.read().decode(errors="replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1].strip() if lines else ""
