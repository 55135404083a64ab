"""The page reader: RapidOCR in a helper process of its own."""

from __future__ import annotations

import sys
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from local_models.child import Child
from local_models.errors import Cancelled, PictureUnreadable
from local_models.page_helper import NOT_INSTALLED
from local_models.protocols import CancelCheck, PageReading, Pictures, TextLine, never

LAYOUT = 2
"""Counts the changes to how lines are found, ordered, parted and checked: readings of another number are made again."""

PAGE_SECONDS = 240.0  # a dense page takes 9 s on two cores; a page of a newspaper has ten times the lines


_START = "import sys; sys.path.append(sys.argv[1]); from local_models.page_helper import main; sys.exit(main())"


def installed() -> bool:
    """Is the extra `ocr` there? Nothing is imported for that."""
    return all(find_spec(name) is not None for name in ("rapidocr", "onnxruntime"))


class RapidOcr:
    """Implements PageReader. Its helper starts at the first picture, ends half a minute after the last one, and starts
    again after a crash."""

    def __init__(self) -> None:
        # Not -m: that looks for modules in the folder where the user happens to be, before all others.
        self._child = Child([sys.executable, "-P", "-c", _START, str(Path(__file__).resolve().parents[1])])

    @cached_property
    def fingerprint(self) -> str:
        try:
            return f"rapidocr-{version('rapidocr')}-layout-{LAYOUT}"
        except PackageNotFoundError:
            return f"rapidocr-layout-{LAYOUT}"

    def pictures(self, file: Path, cancelled: CancelCheck = never) -> Pictures:
        answer = self._asked({"file": str(file)}, cancelled)
        return Pictures(int(answer["count"]), answer["date"])

    def read(self, file: Path, number: int = 1, cancelled: CancelCheck = never) -> PageReading:
        answer = self._asked({"file": str(file), "number": number}, cancelled)
        lines = tuple(
            TextLine(text, sure, tuple(box), opens, tuple(doubtful))
            for text, sure, box, opens, doubtful in answer["lines"]
        )
        return PageReading(lines, answer["confidence"], answer["unread"], answer["turned"], answer["skew"])

    def close(self) -> None:
        self._child.end()

    def _asked(self, request: dict[str, Any], cancelled: CancelCheck) -> dict[str, Any]:
        """One request, asked again once when the helper had ended for want of work."""

        def check() -> None:
            if cancelled():
                raise Cancelled

        for _ in range(2):
            self._child.ask(request)
            answer = self._child.answer(PAGE_SECONDS, check)
            if answer is not None or self._child.exit_status != 0:
                break
        if answer is None:
            raise PictureUnreadable(self._why())
        if "error" in answer:
            raise PictureUnreadable(answer["error"])
        return answer

    def _why(self) -> str:
        match self._child.exit_status:
            case None:
                return f"reading it takes more than {PAGE_SECONDS:.0f} s"
            case status if status == NOT_INSTALLED:
                return "RapidOCR cannot be loaded; install it again"
            case _:
                return "the reader broke down on it"
