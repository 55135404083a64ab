"""PDF files: the text layer page by page, with a ledger that says of every page what became of it."""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from workstation.content.adapters import Extraction, PageImage, PageReader
from workstation.content.document import Document
from workstation.content.errors import Unreadable
from workstation.content.pages import Draft, assemble, doubtful, recognised, status
from workstation.content.pdf_lines import tidy
from workstation.content.pdf_page import read_page
from workstation.content.pdf_text import TEXTS
from workstation.content.pdf_title import creation_date, title
from workstation.core.cancel import CancelToken

if TYPE_CHECKING:
    from pypdf import PdfReader

MAX_PAGES = 10_000  # the longest printed volumes have some 5,000
MAX_SECONDS = 900.0  # a page takes 0.01 s, or 0.15 s when pypdf reads its text; pypdf's own limits end any at 30 s
MAX_CHARACTERS = 16 << 20  # the limit for plain text


def extract(document: Document, cancel: CancelToken, *, page_reader: PageReader | None = None) -> Extraction:
    """All pages in order. Page states: text, ocr (read from its image by `page_reader`), needs_ocr (an image or a
    drawing without text, and no reader), blank, failed (the page's note says why).

    Raises Unreadable for a file without a page tree, one that needs a password, and one with no page.
    """
    reader = _open(document.read())
    with document.on_disk() as file:
        drafts = _read(reader, file, cancel)
        if page_reader is not None:
            drafts = _see(drafts, file, document.sha256(), page_reader, cancel)
    if not drafts:
        raise Unreadable("the PDF has no pages")
    text, pages = assemble(drafts)
    return Extraction(
        text=text,
        title=title(reader, text) or document.stem,
        kind="pdf",
        pages=pages,
        date=creation_date(reader),
        status=status(pages),
        markdown=False,
        meta=doubtful(drafts),
    )


def _open(raw: bytes) -> PdfReader:
    """Raises Unreadable. pypdf guards itself against cyclic trees, bombs and endless tokens; what it then raises are
    many kinds of exception, and all of them mean that the file cannot be read."""
    import logging

    from pypdf import PdfReader  # 0.2 s

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it reports each oddity that it repairs
    try:
        reader = PdfReader(io.BytesIO(raw))
        locked = reader.is_encrypted and not reader.decrypt("")
    except Exception as error:
        raise Unreadable(f"not a readable PDF: {_why(error)}") from error
    if locked:
        raise Unreadable("encrypted: it opens only with a password")
    return reader


def _read(reader: PdfReader, file: Path, cancel: CancelToken) -> list[Draft]:
    try:
        count = len(reader.pages)
    except Exception as error:
        raise Unreadable(f"not a readable PDF: {_why(error)}") from error
    drafts: list[Draft] = []
    characters = 0
    end = time.monotonic() + MAX_SECONDS
    texts = TEXTS.read(file, min(count, MAX_PAGES), cancel)
    for number, text in enumerate(texts, 1):
        cancel.check()
        draft = _page(reader, number, text)
        characters += sum(map(len, draft.lines))
        drafts.append(draft)
        if characters > MAX_CHARACTERS or time.monotonic() > end:
            break
    texts.close()
    beyond = range(len(drafts) + 1, count + 1)
    return drafts + [Draft(number, "failed", note="not read: the file is too long") for number in beyond]


def _page(reader: PdfReader, number: int, text: str | None) -> Draft:
    try:
        found = read_page(reader.pages[number - 1], text)
    except Exception as error:
        return Draft(number, "failed", note=_why(error))
    return Draft(number, found.state, tidy(found.text), found.note)


def _see(
    drafts: list[Draft], file: Path, content_hash: str, page_reader: PageReader, cancel: CancelToken
) -> list[Draft]:
    """The pages, those without usable text as they were read from their images."""
    waiting = [draft for draft in drafts if draft.state == "needs_ocr"]
    images = [PageImage(content_hash, draft.number, partial(_drawn, file, draft.number)) for draft in waiting]
    seen = zip(waiting, page_reader.read(images, cancel), strict=True)
    found = {draft.number: recognised(draft, text) for draft, text in seen}
    return [found.get(draft.number, draft) for draft in drafts]


@contextmanager
def _drawn(file: Path, number: int, cancel: CancelToken) -> Iterator[tuple[Path, int]]:
    with tempfile.TemporaryDirectory(prefix="flori-page-") as folder:
        picture = Path(folder) / "page.pgm"
        if hindrance := TEXTS.draw(file, number, picture, cancel):
            raise Unreadable(hindrance)
        yield picture, 1


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "its parts are nested too deeply"
    return " ".join(str(error).split())[:160] or type(error).__name__
