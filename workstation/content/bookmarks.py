"""Bookmarks as every browser exports them: one list of links, folder by folder. lxml parses."""

from __future__ import annotations

import datetime
from typing import Any

from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.encodings import clean
from workstation.content.errors import NothingToRead
from workstation.content.office import joined
from workstation.content.whole_page import parsed
from workstation.core.cancel import CancelToken

_SCHEMES = ("http:", "https:", "ftp:", "file:")  # a bookmarklet is a program, not a page
_TITLE_CHARACTERS = 300


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """A heading for each folder, and a line for each link: its title, its address, its tags, the day it was kept."""
    root = parsed(document.read())
    blocks: list[str] = []
    count = 0
    newest = ""
    for element in root.iter("h1", "h3", "a", "dd"):
        cancel.check()
        text = _text(element)
        if element.tag in ("h1", "h3"):
            level = 1 if element.tag == "h1" else min(6, 2 + sum(1 for _ in element.iterancestors("dl")) - 1)
            blocks.append(f"{'#' * max(1, level)} {text or 'Bookmarks'}")
        elif element.tag == "a":
            address = " ".join((element.get("href") or "").split())
            if not address.lower().startswith(_SCHEMES):
                continue
            count += 1
            kept = _day(element.get("add_date"))
            newest = max(newest, kept)
            told = f"- {text or address} <{address}>"
            if tags := clean(element.get("tags") or ""):
                told += f" [{', '.join(tag.strip() for tag in tags.split(','))}]"
            blocks.append(told + (f", {kept}" if kept else ""))
        elif (own := _own(element)) and blocks and blocks[-1].startswith("- "):  # the note below a link
            blocks[-1] += f": {own}"
    if not count:
        raise NothingToRead("there are no links in the file")
    title = next((block.lstrip("# ") for block in blocks if block.startswith("# ")), "")
    return Extraction(
        text=clean(joined(blocks)),
        title=title or document.stem,
        kind="bookmarks",
        date=newest or None,
        meta={"links": str(count)},
    )


def _text(element: Any) -> str:
    return " ".join(clean("".join(element.itertext())).split())[:_TITLE_CHARACTERS]


def _own(element: Any) -> str:
    """Its text up to the next element: HTML leaves the tag open."""
    return " ".join(clean(element.text or "").split())[:_TITLE_CHARACTERS]


def _day(seconds: str | None) -> str:
    try:
        return datetime.datetime.fromtimestamp(int(seconds or ""), datetime.UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
