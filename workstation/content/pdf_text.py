"""Asks the PDF helper for the text of pages, and outlives its crashes."""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from workstation.core.cancel import CancelToken

PAGE_SECONDS = 20.0  # the densest honest page takes 0.1 s
STRIKES = 3  # crashes and time-outs in one file after which the rest is read without the helper
_NO_PDFIUM = 3  # the helper's exit status when pypdfium2 is not installed
_HELPER = Path(__file__).with_name("pdf_helper.py")


class PageTexts:
    """The helper process: started at the first file, and again after a crash; it ends with this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = b""
        self._missing = False
        atexit.register(self.close)

    def read(self, file: Path, count: int, cancel: CancelToken) -> Generator[str | None]:
        """The texts of pages 1 to `count`; None for a page that the helper could not read."""
        with self._lock:
            number, strikes = 1, 0
            while number <= count and strikes < STRIKES and not self._missing:
                for text in self._pages(file, number, cancel):
                    if number <= count:
                        yield text
                    number += 1
                if self._process is not None:  # it said all it had to say
                    break
                strikes += 1
                if number <= count and not self._missing:
                    yield None
                    number += 1
            for _ in range(number, count + 1):
                yield None

    def close(self) -> None:
        process, self._process, self._buffer = self._process, None, b""
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()

    def _pages(self, file: Path, first: int, cancel: CancelToken) -> Iterator[str | None]:
        """Texts from page `first` on, until the file or the helper ends (then there is no process any more)."""
        whole = False
        try:
            self._ask({"path": str(file), "first": first})
            while (answer := self._answer(cancel)) is not None:
                if answer.get("end"):
                    whole = True
                    return
                yield answer["text"]
        finally:
            if not whole:
                self._end()

    def _ask(self, request: dict[str, Any]) -> None:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(_HELPER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # an interrupt at the keyboard is for the parent to handle
            )
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:  # it has died since the last file; the next answer is none
            pass

    def _answer(self, cancel: CancelToken) -> dict[str, Any] | None:
        """The next message, or None when the helper has died or takes too long."""
        assert self._process is not None
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        end = time.monotonic() + PAGE_SECONDS
        while b"\n" not in self._buffer:
            cancel.check()
            if time.monotonic() > end:
                return None
            if select.select([descriptor], [], [], 0.25)[0]:
                block = os.read(descriptor, 1 << 16)
                if not block:
                    return None
                self._buffer += block
        line, _, self._buffer = self._buffer.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _end(self) -> None:
        if self._process is not None and self._process.poll() == _NO_PDFIUM:
            self._missing = True
        self.close()


TEXTS = PageTexts()
"""One helper a process: PDFium reads one page at a time, and starting it takes 0.2 s."""
