"""How far the reading is, told to the terminal's bar and to the job's log as one and the same step."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from workstation.commands.places import clock
from workstation.jobs.events import JobProgress
from workstation.jobs.log import JobLog
from workstation.options import Options
from workstation.progress import Meter, Step, meter

if TYPE_CHECKING:
    from workstation.content.media_progress import Heard
    from workstation.content.results import Progress

EVERY_S = 1.0
LONG_S, LATER_S = 600.0, 5.0
"""A log line a second, one in five seconds after ten minutes: a night's work is then a megabyte of progress."""


class LogMeter:
    """Writes the steps into a job's log, as far apart as a reader needs them. No step need outlive a power cut."""

    def __init__(self, log: JobLog) -> None:
        self._log, self._begun, self._last = log, time.monotonic(), 0.0

    def show(self, step: Step) -> None:
        at = time.monotonic()
        done, total = step.items or (step.done, step.total)
        if at - self._last < (EVERY_S if at - self._begun < LONG_S else LATER_S) and done != total:
            return
        self._last = at
        units = {"units": step.done, "units_total": step.total} if step.items else {}
        told = {"done": done, "total": total, "rate": step.rate, "left": step.left, "current": step.item or step.label}
        self._log.append(JobProgress.model_validate(told | units), durable=False)


class Telling:
    """Use as a context manager. Turns what the reading tells into steps, of `unit` each; a recording that is being
    read tells from a thread of its own."""

    def __init__(self, options: Options, log: JobLog, unit: str) -> None:
        self._options, self._unit = options, unit
        self._stack = ExitStack()
        self._meters: list[Meter] = [LogMeter(log)]
        self._last = Step(0, 0, 0.0, None)

    def __enter__(self) -> Self:
        self._meters.append(self._stack.enter_context(meter(self._options, self._unit)))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def fetched(self, number: int, total: int, url: str) -> None:
        """Page number `number` is being fetched."""
        self._show(Step(number, total, 0.0, None, url))

    def stored(self, at: Progress) -> None:
        item = Path(at.path).name
        if at.pages_total:
            item += f", page image {at.pages_done + 1} of {at.pages_total}"
        label = f"{at.files_done}/{at.files_total} files  {item}"
        items = (at.files_done, at.files_total)
        self._last = Step(at.passages_done, at.passages_total, at.rate, at.seconds_left, label, items, item)
        self._show(self._last)

    def heard(self, at: Heard) -> None:
        of = f" of {clock(at.total)}" if at.total else ""
        label = f"{clock(at.seconds)}{of}  {at.name}"
        self._show(replace(self._last, left=at.left, label=label, item=label))

    def _show(self, step: Step) -> None:
        for each in self._meters:
            each.show(step)
