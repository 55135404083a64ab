"""What programs leave in a page that they save as one file: pictures and fonts as data, and where it came from."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A picture in a data: URI is most of such a page, and the parser holds it several times over.
_DATA = re.compile(rb"""data:[\w.+-]*/?[\w.+-]*(?:;[\w=.+-]+)*,(?:[A-Za-z0-9+/=%_.~-]|(?<!\w)\s(?!\w))*""")
_STYLE = re.compile(rb"<style\b[^>]*>.*?</style\s*>", re.I | re.S)
_SAVED = (
    re.compile(rb"Page saved with SingleFile\s+url:\s*(\S+)(?:\s+saved date:\s*(.+?)\s*(?:\(|\n|-->))?"),
    re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)()"),
)
_HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class Saved:
    """Where a page was saved from, and when, as the program that saved it wrote it down."""

    address: str
    when: str = ""


def shrunk(raw: bytes) -> bytes:
    """The page without data: URIs and style sheets."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or (b"data:" not in raw and len(raw) < _HEAD):
        return raw
    return _STYLE.sub(b"", _DATA.sub(b"data:,", raw))


def saved_from(raw: bytes) -> Saved | None:
    """The address in the comment at the head of a page that was saved by SingleFile or by a browser."""
    head = raw[:_HEAD]
    for pattern in _SAVED:
        if found := pattern.search(head):
            address = found.group(1).decode("utf-8", "replace")
            if address.startswith(("http://", "https://")):
                return Saved(address, (found.group(2) or b"").decode("utf-8", "replace"))
    return None
