"""Counts an ingest's progress and reports it, not too often."""

from __future__ import annotations

import time
from collections.abc import Sequence

from workstation.content.adapters import PagesRead
from workstation.content.document import Document
from workstation.content.errors import ContentError
from workstation.content.results import Progress, ProgressCallback

_EVERY = 0.2  # seconds between reports: more cannot be read
_FIRM = 3.0  # seconds after which a rate means something: the first batch waits for the model to load


class Meter:
    """Told of each step; calls back with a `Progress`."""

    def __init__(self, documents: Sequence[Document], callback: ProgressCallback | None) -> None:
        self._callback = callback
        self._files = len(documents)
        self._expected = {document.path for document in documents}
        self._bytes_left = sum(_size(document) for document in documents) if callback else 0
        self._bytes_read = 0
        self._files_done = self._done = self._total = 0
        self._started: float | None = None
        self._reported = 0.0
        self._path = ""
        self._within: dict[str, int] = {}  # bytes of each container that its parts have accounted for
        self._pages: PagesRead | None = None

    def unchanged(self, document: Document) -> None:
        self._bytes_left -= self._weigh(document)
        self._file(document)

    def refused(self, document: Document) -> None:
        self._bytes_left -= self._weigh(document)
        self._file(document)

    def read(self, document: Document, passages: int) -> None:
        size = self._weigh(document)
        self._bytes_left -= size
        self._bytes_read += size
        self._total += passages
        self._started = self._started or time.monotonic()

    def looking(self, pages: PagesRead | None, path: str) -> None:
        """Images of pages are being read; None: they are not any more."""
        self._pages = pages
        if pages is not None:
            self._path = path
            self._report()

    def embedded(self, passages: int) -> None:
        self._done += passages
        self._report()

    def stored(self, document: Document) -> None:
        self._file(document)

    def end(self) -> None:
        self._report(force=True)

    def _file(self, document: Document) -> None:
        self._files += document.path not in self._expected  # it was found inside a container, or beside a catalogue
        self._files_done += 1
        self._path = document.path
        self._report()

    def _weigh(self, document: Document) -> int:
        """The bytes that are done with the document. A container's are shared out among its parts as far as they
        go; the rest is its own."""
        if self._callback is None:
            return 0
        outer = document.outermost
        if outer is document:
            return max(0, _size(document) - self._within.pop(document.path, 0))
        done = self._within.get(outer.path, 0)
        share = min(_size(document), max(0, _size(outer) - done))
        self._within[outer.path] = done + share
        return share

    def _report(self, force: bool = False) -> None:
        at = time.monotonic()
        if self._callback is None or (not force and at - self._reported < _EVERY):
            return
        self._reported = at
        spent = at - self._started if self._started else 0.0
        rate = self._done / spent if spent else 0.0
        unread = self._total / self._bytes_read * max(0, self._bytes_left) if self._bytes_read else 0.0
        left = (self._total - self._done + unread) / rate if rate and spent > _FIRM else None
        pages = self._pages or PagesRead(0, 0, 0.0)
        if pages.seconds:
            left = (left or 0.0) + (pages.total - pages.done) * pages.seconds
        counts = (self._files_done, self._files, self._done, self._total)
        self._callback(Progress(*counts, rate, left, self._path, pages.done, pages.total))


def _size(document: Document) -> int:
    try:
        return document.size
    except ContentError:
        return 0
