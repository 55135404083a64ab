"""What the workstation sends to its terminal, and how long a key takes over a slow line: a recorded run and a live one.

Needs no model: the live run is a stand-in that appends events to its log.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from benchlib.figures import Figure, quantile
from tests.panes.live import LiveEngine, live_engine
from tests.panes.recorded import record, run_events
from tests.panes.terminal import Terminal
from workstation.memory.events import ParagraphWritten

SIZES = ((80, 24), (120, 40))
KEYS = ("1", "2", "3", "4", "3", "j", "j", "j", "k", " ", "G", "g", "4", "n", "n", "n", "p", "j", "j", " ")
"""Every pane, then up and down, by pages and to the ends, along the citations of the report."""
TURNS = 3
IDLE_S, QUIET_S, STREAMED = 5.0, 0.25, 8
BYTES_S, ROUND_TRIP_S, PIECE = 100_000 / 8, 0.150, 256
"""The line: 100 kbit/s, and 150 ms there and back. It takes pieces of so many bytes from the terminal's buffer."""
USABLE_MS = 500.0
"""From key to the frame's last byte over that line, p95: half a second is what a person still takes as an answer."""
WORDS = "The tower was lit on 16 October 1759 with 24 candles, and stood for more than a century. "


class Home(Protocol):
    @property
    def home(self) -> Path: ...


def measure(material: Home) -> list[Figure]:
    return [figure for size in SIZES for figure in (*_recorded(material.home, size), *_live(material.home, size))]


def _recorded(home: Path, size: tuple[int, int]) -> Iterator[Figure]:
    with _opened(home, size, live=False) as (terminal, _):
        on = f"{size[0]}x{size[1]}, a recorded run"
        yield Figure(
            f"bytes a second, idle {size[0]}x{size[1]}", len(terminal.read(IDLE_S)) / IDLE_S, "B/s", 0, note=on
        )
        sent = [_bytes_of(terminal, key) for _ in range(TURNS) for key in KEYS]
        yield Figure(f"bytes a key, median {size[0]}x{size[1]}", quantile(sent, 0.5), "B", note=f"{len(sent)} keys")
        yield Figure("  p95", quantile(sent, 0.95), "B")
        yield Figure("  most", max(sent), "B", note=repr(KEYS[sent.index(max(sent)) % len(KEYS)]))
        waits = [_over_the_line(terminal, key) for _ in range(TURNS) for key in KEYS]
        on = "100 kbit/s, 150 ms there and back: until the frame's last byte"
        yield Figure(f"key over a slow line, p95 {size[0]}x{size[1]}", quantile(waits, 0.95), "ms", USABLE_MS, note=on)
        yield Figure("  p50", quantile(waits, 0.5), "ms")


def _live(home: Path, size: tuple[int, int]) -> Iterator[Figure]:
    with _opened(home, size, live=True) as (terminal, engine):
        assert engine
        on = f"{size[0]}x{size[1]}, a run that waits: its clock"
        yield Figure(
            f"bytes a second, running {size[0]}x{size[1]}", len(terminal.read(IDLE_S)) / IDLE_S, "B/s", note=on
        )
        waits = [_over_the_line(terminal, key) for key in KEYS]
        yield Figure("  key over a slow line, p95", quantile(waits, 0.95), "ms", note="on the running one")
        terminal.type("4")
        _quiet(terminal)
        sent = []
        for number in range(STREAMED):
            engine.does(ParagraphWritten(id=f"more{number}", section="finding", text=WORDS * 5, notes=()))
            sent.append(float(len(_quiet(terminal, first=1.0))))
        on = f"{len(WORDS) * 5} characters each, the report in sight"
        yield Figure(f"bytes a paragraph, median {size[0]}x{size[1]}", quantile(sent, 0.5), "B", note=on)


@contextmanager
def _opened(home: Path, size: tuple[int, int], *, live: bool) -> Iterator[tuple[Terminal, LiveEngine | None]]:
    (home / "library").mkdir(exist_ok=True)
    folder = record(home / "wire" / f"{'live' if live else 'done'}-{size[0]}", run_events()[: -1 if live else None])
    engine = live_engine(folder) if live else None
    process = engine.__enter__() if engine else None
    try:
        with Terminal(home, folder, size=size) as terminal:
            terminal.wait_for("Report")
            while terminal.read(1.5):
                if live:
                    break  # its clock goes on
            yield terminal, process
    finally:
        if engine:
            engine.__exit__(None, None, None)


def _bytes_of(terminal: Terminal, key: str) -> float:
    terminal.type(key)
    return float(len(_quiet(terminal)))


def _quiet(terminal: Terminal, first: float = QUIET_S) -> bytes:
    """What is sent until nothing more comes; `first` seconds are waited for the beginning."""
    found = terminal.read(first)
    while more := terminal.read(QUIET_S / 2):
        found += more
    return found


def _over_the_line(terminal: Terminal, key: str) -> float:
    """Milliseconds from a key until the last byte of its frame came through the line."""
    start = last = time.perf_counter()
    terminal.type(key)
    while select.select([terminal.file], [], [], QUIET_S)[0]:
        free = max(last, time.perf_counter()) + len(os.read(terminal.file, PIECE)) / BYTES_S
        time.sleep(max(0.0, free - time.perf_counter()))
        last = time.perf_counter()
    return 1000 * (last - start + ROUND_TRIP_S)
