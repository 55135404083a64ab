"""A helper process that is asked in JSON lines. Native code that reads hostile files or takes much memory stays apart
in it, can be stopped at any moment, and gives everything back when it ends."""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

_LOOK = 0.1  # seconds between two looks at whether the caller wants to stop


class Child:
    """Started by its first request, and again after it has ended; it ends with this process. One thread at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = b""
        self.exit_status: int | None = None
        """Of the last one that ended by itself, negative for a signal."""
        atexit.register(self.end)

    @property
    def running(self) -> bool:
        """False once it has been found dead, or was ended."""
        return self._process is not None

    def ask(self, request: Mapping[str, Any]) -> None:
        """Sends one request. A helper that has died since takes it as well: the answer is then None."""
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # an interrupt at the keyboard is for the parent to handle
            )
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            pass

    def answer(self, seconds: float, check: Callable[[], object]) -> dict[str, Any] | None:
        """The next message; None when the helper has died, or says nothing for `seconds`: then it is ended.

        `check` is called all the while and may raise; the helper is ended then too.
        """
        try:
            line = self._line(seconds, check)
        except BaseException:
            self.end()
            raise
        if line is None:
            self.end()
            return None
        message: dict[str, Any] = json.loads(line)
        return message

    def end(self) -> None:
        """Ends it at once, whatever it is doing."""
        process, self._process, self._buffer = self._process, None, b""
        if process is not None:
            self.exit_status = process.poll()
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):  # what was written to one that is dead cannot be flushed
                        stream.close()

    def _line(self, seconds: float, check: Callable[[], object]) -> bytes | None:
        if self._process is None:
            return None
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        waited = 0.0
        while b"\n" not in self._buffer:
            check()
            if waited > seconds:
                return None
            if not select.select([descriptor], [], [], _LOOK)[0]:
                waited += _LOOK
                continue
            block = os.read(descriptor, 1 << 16)
            if not block:
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(1.0)  # its output is closed: it is on its way out
                return None
            self._buffer += block
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line
