"""Progress on stderr: a bar with rate and remaining time on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from workstation.core.text import one_line
from workstation.options import Options

LINE_EVERY = 5.0
"""Seconds between lines where there is no terminal: a log stays readable, and a watcher sees that work goes on."""
LABEL_WIDTH = 32

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """How far the work is. `total` may grow; `rate`: units a second; `left`: seconds, None while it is not known.

    Where the units are parts of items (passages of files), `items` says how many of how many items are through, and
    `item` which one is being worked on.
    """

    done: int
    total: int
    rate: float
    left: float | None
    label: str = ""
    items: tuple[int, int] | None = None
    item: str = ""

    def figures(self, unit: str) -> str:
        """Done, rate and remaining time in words."""
        rate = f", {self.rate:.1f}/s" if self.rate else ""
        left = "" if self.left is None else f", {_clock(self.left)} left"
        return f"{self.done}/{self.total} {unit}{rate}{left}"


class Meter(Protocol):
    """Shows each step that it is given, at most as often as its output bears."""

    def show(self, step: Step) -> None: ...


class _Silent:
    def show(self, step: Step) -> None:
        return


class _Lines:
    def __init__(self, unit: str) -> None:
        self._unit, self._last = unit, time.monotonic()

    def show(self, step: Step) -> None:
        if time.monotonic() - self._last >= LINE_EVERY:
            self._last = time.monotonic()
            print(f"{step.figures(self._unit)}  {one_line(step.label)}", file=sys.stderr, flush=True)


class _Bar:
    """A rich progress bar; rich is imported with the first one (0.1 s)."""

    def __init__(self, unit: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        columns = (BarColumn(bar_width=16), TextColumn("{task.description}", markup=False))
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=4)
        self._task = self.bar.add_task("", total=None)
        self._unit = unit

    def show(self, step: Step) -> None:
        text = f"{step.figures(self._unit)}  {one_line(step.label, LABEL_WIDTH)}"
        self.bar.update(self._task, completed=step.done, total=step.total, description=text)


@contextmanager
def meter(options: Options, unit: str) -> Iterator[Meter]:
    """What shows the progress of a block of work, counted in `unit`."""
    if options.quiet:
        yield _Silent()
    elif not sys.stderr.isatty():
        yield _Lines(unit)
    else:
        shown = _Bar(unit)
        with shown.bar:
            yield shown


def counting(options: Options, items: Sequence[T], unit: str) -> Iterator[T]:
    """The items, one after the other, with the progress shown."""
    start, total = time.monotonic(), len(items)
    with meter(options, unit) as shown:
        for number, item in enumerate(items):
            rate = number / max(time.monotonic() - start, 1e-9)
            shown.show(Step(number, total, rate, (total - number) / rate if rate else None))
            yield item


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
