"""PDF files: the text layer page by page, with a ledger that says of every page what became of it."""

from __future__ import annotations

import io
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from storage.records import Page
from workstation.content.adapters import Extraction, PageReader
from workstation.content.document import Document
from workstation.content.errors import Unreadable
from workstation.content.pdf_furniture import without_furniture
from workstation.content.pdf_lines import paragraphs, tidy, vocabulary
from workstation.content.pdf_page import read_page
from workstation.content.pdf_text import TEXTS
from workstation.content.pdf_title import creation_date, title
from workstation.core.cancel import CancelToken

if TYPE_CHECKING:
    from pypdf import PdfReader

MAX_PAGES = 10_000  # the longest printed volumes have some 5,000
MAX_SECONDS = 900.0  # a page takes 0.01 s, or 0.15 s when pypdf reads its text; pypdf's own limits end any at 30 s
MAX_CHARACTERS = 16 << 20  # the limit for plain text
_ONE = {"needs_ocr": "needs OCR", "failed": "failed"}


@dataclass(slots=True)
class _Draft:
    """A page on its way into the ledger."""

    number: int
    state: str
    lines: list[str] = field(default_factory=list)
    note: str = ""
    confidence: float | None = None


def extract(document: Document, cancel: CancelToken, *, page_reader: PageReader | None = None) -> Extraction:
    """All pages in order. Page states: text, ocr (read from its image by `page_reader`), needs_ocr (an image or a
    drawing without text), blank, failed (the page's note says why).

    Raises Unreadable for a file without a page tree, one that needs a password, and one with no page.
    """
    raw = document.read()
    reader = _open(raw)
    with _on_disk(document) as file:
        drafts = _read(reader, file, raw, cancel, page_reader)
    if not drafts:
        raise Unreadable("the PDF has no pages")
    text, pages = _assemble(drafts)
    return Extraction(
        text=text,
        title=title(reader, text) or document.stem,
        kind="pdf",
        pages=pages,
        date=creation_date(reader),
        status=_status(pages),
        markdown=False,
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


@contextmanager
def _on_disk(document: Document) -> Iterator[Path]:
    """A file with the document's bytes."""
    if document.file is not None:
        yield document.file
        return
    with tempfile.NamedTemporaryFile(suffix=".pdf") as copy:
        copy.write(document.read())
        copy.flush()
        yield Path(copy.name)


def _read(
    reader: PdfReader, file: Path, raw: bytes, cancel: CancelToken, page_reader: PageReader | None
) -> list[_Draft]:
    try:
        count = len(reader.pages)
    except Exception as error:
        raise Unreadable(f"not a readable PDF: {_why(error)}") from error
    drafts: list[_Draft] = []
    characters = 0
    end = time.monotonic() + MAX_SECONDS
    texts = TEXTS.read(file, min(count, MAX_PAGES), cancel)
    for number, text in enumerate(texts, 1):
        cancel.check()
        draft = _page(reader, number, text)
        if draft.state == "needs_ocr" and page_reader is not None:
            draft = _recognise(draft, raw, page_reader, cancel)
        characters += sum(map(len, draft.lines))
        drafts.append(draft)
        if characters > MAX_CHARACTERS or time.monotonic() > end:
            break
    texts.close()
    beyond = range(len(drafts) + 1, count + 1)
    return drafts + [_Draft(number, "failed", note="not read: the file is too long") for number in beyond]


def _page(reader: PdfReader, number: int, text: str | None) -> _Draft:
    try:
        found = read_page(reader.pages[number - 1], text)
    except Exception as error:
        return _Draft(number, "failed", note=_why(error))
    return _Draft(number, found.state, tidy(found.text), found.note)


def _recognise(draft: _Draft, raw: bytes, page_reader: PageReader, cancel: CancelToken) -> _Draft:
    seen = page_reader.read(raw, draft.number, cancel)
    lines = tidy(seen.text)
    if not any(lines):
        return _Draft(draft.number, "needs_ocr", draft.lines, "nothing was recognised on the page image")
    return _Draft(draft.number, "ocr", lines, confidence=seen.confidence)


def _assemble(drafts: list[_Draft]) -> tuple[str, tuple[Page, ...]]:
    """The text of all pages, and the ledger. An empty line parts the pages, or one newline where a sentence goes on."""
    stripped = without_furniture([draft.lines for draft in drafts])
    words = vocabulary(line for lines in stripped for line in lines)
    text: list[str] = []
    pages: list[Page] = []
    length = 0
    last = ""
    for draft, lines in zip(drafts, stripped, strict=True):
        body = paragraphs(lines, words)
        if body and last:
            gap = "\n" if body[0].islower() and last[-1] not in ".!?:;" else "\n\n"
            text.append(gap)
            length += len(gap)
        text.append(body)
        pages.append(Page(draft.number, draft.state, length, length + len(body), draft.note, draft.confidence))
        length += len(body)
        last = body or last
    return "".join(text), tuple(pages)


def _status(pages: tuple[Page, ...]) -> str:
    counts = Counter(page.state for page in pages)
    some = []
    if counts["needs_ocr"]:
        some.append(f"{counts['needs_ocr']} {'needs' if counts['needs_ocr'] == 1 else 'need'} OCR")
    if counts["failed"]:
        some.append(f"{counts['failed']} failed")
    if any(page.end > page.start for page in pages):
        return f"partly read: of {len(pages)} pages {', '.join(some)}" if some else "ok"
    if not some:
        return "no text: every page is blank"
    return (
        f"no text: of {len(pages)} pages {', '.join(some)}"
        if len(pages) > 1
        else f"no text: the page {_ONE[pages[0].state]}"
    )


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "its parts are nested too deeply"
    return " ".join(str(error).split())[:160] or type(error).__name__
