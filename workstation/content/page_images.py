"""Reading images of pages with a local model, each of them once: what was read is remembered beside the library."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from local_models.errors import Cancelled as ModelCancelled
from local_models.errors import PictureUnreadable
from local_models.protocols import PageReader as PageModel
from local_models.protocols import PageReading, TextLine
from storage import readings
from workstation.content.adapters import PageImage, PagesRead, PageText
from workstation.content.errors import Unreadable
from workstation.core.cancel import Cancelled, CancelToken

SLOW = 20.0  # seconds; a failure that took longer is a time-out or a crash over too large an image
STRIKES = 3  # such failures in one file after which the rest of it is left unread: each may take minutes
UNREAD = 0.5  # of the print: what remains of such a page is scraps that nobody should quote
NOTED = 0.1
FOREIGN = "most of what is printed on it could not be read (Latin letters, Chinese and Japanese can)"


class RememberedPages:
    """Implements the adapters' PageReader over a model. `folder` is the library's."""

    def __init__(self, model: PageModel, folder: Path) -> None:
        self._model, self._folder = model, folder
        self.progress: PagesRead | None = None

    def pictures(self, file: Path, cancel: CancelToken) -> tuple[int, str | None]:
        try:
            found = self._model.pictures(file, cancel)
        except ModelCancelled:
            raise Cancelled from None
        except PictureUnreadable as error:
            raise Unreadable(str(error)) from error
        return found.count, found.date

    def read(self, images: Sequence[PageImage], cancel: CancelToken) -> Iterator[PageText]:
        spent, fresh, strikes = 0.0, 0, 0
        known = self._known(images)
        try:
            for done, image in enumerate(images):
                cancel.check()
                self.progress = PagesRead(done, len(images), spent / fresh if fresh else 0.0)
                if image.number in known:
                    yield known[image.number]
                elif strikes >= STRIKES:
                    yield PageText("", 0.0, "too many pages before it could not be read")
                else:
                    started = time.monotonic()
                    text = self._read(image, cancel)
                    took = time.monotonic() - started
                    spent, fresh, strikes = spent + took, fresh + 1, strikes + (bool(text.failure) and took > SLOW)
                    yield text
        finally:
            self.progress = None

    def _read(self, image: PageImage, cancel: CancelToken) -> PageText:
        try:
            with image.picture(cancel) as (file, number):
                reading = self._model.read(file, number, cancel)
        except ModelCancelled:
            raise Cancelled from None
        except (PictureUnreadable, Unreadable) as error:
            return PageText("", 0.0, str(error))
        with suppress(OSError):  # it is only made again; a full disk is said when the source is stored
            readings.add(self._folder, image.content_hash, self._record(image, reading))
        return _text(reading.confidence, reading.unread, reading.lines)

    def _record(self, image: PageImage, reading: PageReading) -> dict[str, Any]:
        return {
            "reader": self._model.fingerprint,
            "page": image.number,
            "confidence": reading.confidence,
            "unread": reading.unread,
            "turned": reading.turned,
            "skew": reading.skew,
            "lines": [[line.text, line.confidence, line.box, line.opens, line.doubtful] for line in reading.lines],
        }

    def _known(self, images: Sequence[PageImage]) -> dict[int, PageText]:
        """What this model has read of the file before, by page."""
        hashes = {image.content_hash for image in images}
        records = [record for digest in hashes for record in readings.of(self._folder, digest)]
        return {
            record["page"]: _text(record["confidence"], record["unread"], [TextLine(*line) for line in record["lines"]])
            for record in records
            if record.get("reader") == self._model.fingerprint
        }


def _text(confidence: float, unread: float, lines: Sequence[TextLine]) -> PageText:
    if unread > UNREAD:
        return PageText("", 0.0, FOREIGN)
    doubtful = tuple(dict.fromkeys(figure for line in lines for figure in line.doubtful))
    notes = [f"{unread:.0%} of what is printed on it was not read"] if unread > NOTED else []
    notes += [f"two readings of its image differ in {', '.join(doubtful)}"] if doubtful else []
    text = "".join(("\n" if line.opens else "") + line.text + "\n" for line in lines)
    return PageText(text, confidence, note="; ".join(notes), doubtful=doubtful)
