"""Photographs and scans: PNG, JPEG, WebP, and TIFF with a page a picture. Their text is what is printed on them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from storage.records import Page
from workstation.content.adapters import Extraction, PageImage, PageReader
from workstation.content.document import Document
from workstation.content.pages import Draft, assemble, doubtful, recognised, status
from workstation.content.pdf_title import titular_line
from workstation.core.cancel import CancelToken

MAX_PICTURES = 5_000


def extract(document: Document, cancel: CancelToken, *, page_reader: PageReader | None = None) -> Extraction:
    """All pictures in order. Page states: ocr, blank (there is no print), failed, or needs_ocr without a reader, which
    is also needed to say how many pictures there are.

    Raises Unreadable for a file that is damaged, or too large once it is decoded.
    """
    if page_reader is None:
        waiting = (Page(1, "needs_ocr", 0, 0, "a picture"),)
        return Extraction("", document.stem, "image", waiting, status=status(waiting), markdown=False)
    with document.on_disk() as file:
        count, date = page_reader.pictures(file, cancel)
        numbers = range(1, min(count, MAX_PICTURES) + 1)
        digest = document.sha256()
        images = [PageImage(digest, number, _there(file, number)) for number in numbers]
        drafts = [Draft(number, "needs_ocr") for number in numbers]
        seen = page_reader.read(images, cancel)
        drafts = [recognised(*pair) for pair in zip(drafts, seen, strict=True)]
        text, pages = assemble(drafts)
    return Extraction(
        text=text,
        title=titular_line(text) or document.stem,
        kind="image",
        pages=pages,
        date=date,
        status=status(pages),
        markdown=False,
        meta=doubtful(drafts),
    )


def _there(file: Path, number: int) -> Callable[[CancelToken], AbstractContextManager[tuple[Path, int]]]:
    """A picture of a file as it is."""
    return lambda cancel: nullcontext((file, number))
