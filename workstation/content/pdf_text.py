"""Asks the PDF helper for the text and the pictures of pages, and outlives its crashes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator, Iterator
from pathlib import Path

from local_models.child import Child
from workstation.core.cancel import CancelToken

PAGE_SECONDS = 20.0  # the densest honest page takes 0.1 s
DRAW_SECONDS = 60.0  # a scanned page takes 0.1 s, one of 20,000 drawn curves 3 s
STRIKES = 3  # crashes and time-outs in one file after which the rest is read without the helper
_NO_PDFIUM = 3  # the helper's exit status when pypdfium2 is not installed
_HELPER = Path(__file__).with_name("pdf_helper.py")


class PageTexts:
    """The helper process: started at the first file, and again after a crash; it ends with this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child = Child([sys.executable, "-I", str(_HELPER)])
        self._missing = False

    def read(self, file: Path, count: int, cancel: CancelToken) -> Generator[str | None]:
        """The texts of pages 1 to `count`; None for a page that the helper could not read."""
        with self._lock:
            number, strikes = 1, 0
            while number <= count and strikes < STRIKES and not self._missing:
                for text in self._pages(file, number, cancel):
                    if number <= count:
                        yield text
                    number += 1
                if self._child.running:  # it said all it had to say
                    break
                strikes += 1
                if number <= count and not self._missing:
                    yield None
                    number += 1
            for _ in range(number, count + 1):
                yield None

    def draw(self, file: Path, number: int, picture: Path, cancel: CancelToken) -> str | None:
        """Draws page `number` into a new file, as grey PGM. What hindered it, in words, or None."""
        with self._lock:
            if self._missing:
                return "pypdfium2 is not installed"
            self._child.ask({"path": str(file), "draw": number, "picture": str(picture)})
            answer = self._child.answer(DRAW_SECONDS, cancel.check)
            self._look()
        if answer is None:
            return "the page could not be drawn: it takes too long, or more memory than it may"
        error: str | None = answer.get("error")
        return error

    def close(self) -> None:
        self._child.end()

    def _pages(self, file: Path, first: int, cancel: CancelToken) -> Iterator[str | None]:
        """Texts from page `first` on, until the file or the helper ends (then it does not run any more)."""
        whole = False
        try:
            self._child.ask({"path": str(file), "first": first})
            while (answer := self._child.answer(PAGE_SECONDS, cancel.check)) is not None:
                if answer.get("end"):
                    whole = True
                    return
                yield answer["text"]
        finally:
            if not whole:
                self._child.end()
                self._look()

    def _look(self) -> None:
        if not self._child.running and self._child.exit_status == _NO_PDFIUM:
            self._missing = True


TEXTS = PageTexts()
"""One helper a process: PDFium reads one page at a time, and starting it takes 0.2 s."""
