"""Rich Text Format by striprtf."""

from __future__ import annotations

import re

from workstation.content import limits
from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.encodings import clean
from workstation.content.errors import NothingToRead
from workstation.content.office import about, opening
from workstation.content.requirements import needed
from workstation.core.cancel import CancelToken

_PICTURES = re.compile(rb"(?<![0-9A-Fa-f\s])[0-9A-Fa-f\s]{4096,}")  # hexadecimal data, which takes the parser minutes
_BINARY = re.compile(rb"\\bin(\d{1,9}) ")
_INFO = re.compile(r"{\\(title|author|subject|keywords) ([^{}\\]{1,500})}")
_CREATED = re.compile(r"{\\(revtim|creatim)\\yr(\d{4})\\mo(\d{1,2})\\dy(\d{1,2})")


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """The text, with rows of tables as cells between bars; title, author and date as the file states them."""
    striprtf = needed("striprtf.striprtf", "RTF files")
    cancel.check()
    raw = _PICTURES.sub(b" ", _without_binary(document.read()))
    source = raw.decode("latin-1")
    cancel.check()
    with opening(document, "RTF file"):
        text = clean(striprtf.rtf_to_text(source, encoding="cp1252", errors="replace"))
    text = re.sub(r"[ \t]+\n", "\n", text).strip()
    if not text:
        raise NothingToRead("the file holds no text")
    info = dict(_INFO.findall(source[:50_000]))
    dates = {
        name: f"{year}-{int(month):02}-{int(day):02}" for name, year, month, day in _CREATED.findall(source[:50_000])
    }
    title = clean(info.pop("title", "")).strip()
    return Extraction(
        text=text[: limits.TEXT],
        title=title or document.stem,
        kind="document",
        date=dates.get("revtim") or dates.get("creatim"),
        status="ok" if len(text) <= limits.TEXT else f"too long: only the first {limits.TEXT} characters were read",
        markdown=False,
        meta=about(**info),
    )


def _without_binary(raw: bytes) -> bytes:
    """Without the bytes of pictures that are not even written as text."""
    parts: list[bytes] = []
    at = 0
    while found := _BINARY.search(raw, at):
        parts.append(raw[at : found.start()])
        at = found.end() + int(found.group(1))
    return b"".join([*parts, raw[at:]])
