"""The workstation in a real terminal: a pseudo-terminal of a given size, what it shows, and what it cost to show it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START = """
import sys
from types import SimpleNamespace
from pathlib import Path
from panes.app import run
from workstation.config import Config
library, reports, models = map(Path, sys.argv[1:4])
options = SimpleNamespace(library=library, reports=reports, models=models, offline=True, config=Config.load())
sys.exit(run(options, Path(sys.argv[4]) if len(sys.argv) > 4 else None))
"""


class Terminal:
    """Runs the workstation below a pseudo-terminal. Use as a context manager; `command` replaces what is run."""

    def __init__(
        self,
        home: Path,
        folder: Path | None = None,
        *,
        size: tuple[int, int] = (80, 24),
        command: list[str] | None = None,
        **env: str,
    ) -> None:
        folders = [str(home / name) for name in ("library", "reports", "models")]
        self._command = command or [sys.executable, "-c", START, *folders, *([str(folder)] if folder else [])]
        self._size = size
        self._env = {k: v for k, v in os.environ.items() if not k.startswith(("FLORI_", "TEXTUAL"))}
        self._env |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(ROOT), **env}
        self.output = b""

    def __enter__(self) -> Terminal:
        self.started = time.monotonic()
        self.pid, self.file = pty.fork()
        if not self.pid:
            columns, rows = self._size
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execvpe(self._command[0], self._command, self._env)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        os.close(self.file)

    def type(self, text: str) -> None:
        os.write(self.file, text.encode())

    def read(self, seconds: float) -> bytes:
        """What is sent within so many seconds."""
        found = b""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.file], [], [], left)[0]:
                try:
                    chunk = os.read(self.file, 1 << 16)
                except OSError:
                    break
                found += chunk
        self.output += found
        return found

    def wait_for(self, text: str, seconds: float = 20) -> float:
        """Reads until `text` was sent; returns the seconds since the process was started."""
        end = time.monotonic() + seconds
        while text.encode() not in self.output:
            if time.monotonic() > end:
                raise TimeoutError(f"{text!r} was not shown within {seconds} s: {self.output[-2000:]!r}")
            self.read(0.01)
        return time.monotonic() - self.started

    def ended(self, seconds: float = 10) -> int:
        """Waits for the end of the process and returns its exit status."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            self.read(0.05)
        raise TimeoutError("the workstation did not end")
