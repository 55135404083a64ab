"""What programs leave in a page that they save as one file: pictures and fonts as data, and where it came from."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A picture in a data: URI is most of such a page, and the parser holds it several times over.
_DATA = re.compile(rb"""data:[^,\s"'()<>]{0,200},[A-Za-z0-9+/=%_.~-]*""")
_STYLE, _STYLE_END = re.compile(rb"<style\b", re.I), re.compile(rb"</style\s*>", re.I)
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
    raw = _DATA.sub(b"data:,", raw)
    parts: list[bytes] = []
    at = 0
    while (style := _STYLE.search(raw, at)) and (end := _STYLE_END.search(raw, style.end())):
        parts.append(raw[at : style.start()])
        at = end.end()
    return b"".join([*parts, raw[at:]])


def saved_from(raw: bytes) -> Saved | None:
    """The address in the comment at the head of a page that was saved by SingleFile or by a browser."""
    head = raw[:_HEAD]
    for pattern in _SAVED:
        if found := pattern.search(head):
            address = found.group(1).decode("utf-8", "replace")
            if address.startswith(("http://", "https://")):
                return Saved(address, (found.group(2) or b"").decode("utf-8", "replace"))
    return None
