"""What readers of office documents share: opening them safely, and what their properties say."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from storage.records import Page
from workstation.content import limits
from workstation.content.document import Document
from workstation.content.encodings import clean
from workstation.content.errors import ContentError, Unreadable
from workstation.core.cancel import Cancelled

_META_CHARACTERS = 500


@contextmanager
def opening(document: Document, what: str) -> Iterator[BinaryIO]:
    """The document's bytes, for a library that raises whatever it likes when they are damaged: that becomes
    Unreadable."""
    with document.stream() as stream:
        try:
            yield stream
        except (ContentError, Cancelled):
            raise
        except MemoryError as error:
            raise Unreadable(f"too large a {what} for this machine") from error
        except Exception as error:
            raise Unreadable(f"damaged: not a complete {what} ({type(error).__name__})") from error


def about(**fields: str | None) -> Mapping[str, str]:
    """The fields that say something, on one line each."""
    told = {key: " ".join(clean(str(value)).split())[:_META_CHARACTERS] for key, value in fields.items() if value}
    return {key: value for key, value in told.items() if value}


def iso_date(when: object) -> str | None:
    """YYYY-MM-DD of a date, or of a text that begins with one. Years that clocks without a battery show are no date."""
    if isinstance(when, datetime.datetime | datetime.date):
        return when.strftime("%Y-%m-%d") if when.year > 1980 else None
    if isinstance(when, str):
        try:
            return iso_date(datetime.date.fromisoformat(when.strip()[:10]))
        except ValueError:
            return None
    return None


def joined(blocks: Sequence[str]) -> str:
    """Blocks apart by an empty line; items of a list below each other."""
    parts: list[str] = []
    for index, block in enumerate(blocks):
        if index:
            items = block.lstrip().startswith("- ") and blocks[index - 1].lstrip().startswith("- ")
            parts.append("\n" if items else "\n\n")
        parts.append(block)
    return "".join(parts)


def paged(texts: Iterable[str]) -> tuple[str, tuple[Page, ...], bool]:
    """The texts of pages as one, the page ledger, and whether it was cut at the limit."""
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    at, cut = 0, False
    for page in texts:
        text = clean(page).strip()
        if at + len(text) > limits.TEXT:
            cut = True
            break
        spans.append((at, at + len(text)))
        if text:
            parts.append(text)
            at += len(text) + 2
    whole = "\n\n".join(parts)
    pages = (
        Page(number, "text" if start < end else "blank", min(start, len(whole)), min(end, len(whole)))
        for number, (start, end) in enumerate(spans, 1)
    )
    return whole, tuple(pages), cut
