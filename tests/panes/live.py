"""An engine's stand-in for the tests: another process that works on a run folder."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workstation.memory.events import Event

ROOT = Path(__file__).resolve().parents[2]


class LiveEngine:
    """Another process that works on a run folder."""

    def __init__(self, folder: Path) -> None:
        writer = Path(__file__).with_name("live_writer.py")
        self.process = subprocess.Popen(
            [sys.executable, str(writer), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={"PYTHONPATH": str(ROOT)},
        )
        assert self._line() == "ready"

    def does(self, *events: Event) -> None:
        assert self.process.stdin
        for event in events:
            self.process.stdin.write(event.model_dump_json() + "\n")
            self.process.stdin.flush()
            assert self._line() == "written"

    def _line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def dies(self) -> None:
        self.process.kill()
        self.process.communicate()


@contextmanager
def live_engine(folder: Path) -> Iterator[LiveEngine]:
    engine = LiveEngine(folder)
    try:
        yield engine
    finally:
        engine.dies()
