"""What a PDF is called, and when it was made."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from workstation.content.encodings import clean
from workstation.content.pdf_lines import tidy

if TYPE_CHECKING:
    from pypdf import PdfReader

# Titles that programs write by themselves: the name of a file or of a template, nothing, or a placeholder.
_PROGRAM = re.compile(
    r"""^(?:microsoft\ \w+\ -\ |untitled|unbenannt|sans\ titre|document\d*$|slide\ \d|powerpoint|layout\ \d|title$
    |\(?anonymous\)?$|(?:table\ of\ )?contents$|print$|scan|image|img[_-]?\d|doc\d+)
    |\.(?:docx?|pdf|tex|dvi|indd|qxd|pptx?|xlsx?|rtf|odt|html?|txt|wpd|pmd|ai|eps|jpe?g|png|tiff?)$
    |[\\/]\w+[\\/]""",
    re.I | re.X,
)
_TITLE_CHARACTERS = 200
_CONTENT_BYTES = 1 << 20  # of a page; a title page has a few thousand
_LARGER = 1.15  # times the size of most of the page
_FIRST_LINES = 8  # of the first page


def title(reader: PdfReader, text: str) -> str | None:
    """The stated title when it reads like one; else what the first page prints largest; else the first line of the text
    that reads like a title."""
    try:
        metadata = reader.metadata
        stated = " ".join(clean(str(metadata.get("/Title") or "")).split()) if metadata else ""
    except Exception:  # damaged metadata must not cost the file
        stated = ""
    if _plausible(stated):
        return stated[:_TITLE_CHARACTERS]
    if text and (largest := _largest(reader)):
        return largest
    return titular_line(text)


def titular_line(text: str) -> str | None:
    """The first of the first lines that reads like a title."""
    lines = [line.strip() for line in text[:4000].split("\n") if line.strip()]
    return next(
        (line for line in lines[:_FIRST_LINES] if len(line) <= _TITLE_CHARACTERS // 2 and _plausible(line)), None
    )


def _largest(reader: PdfReader) -> str | None:
    """The words in the largest print on the first page, if they are clearly larger than its body and few."""
    sizes: dict[float, list[str]] = {}
    last = (0.0, 0.0)

    def see(words: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        nonlocal last
        if words.strip():
            height = round(size * math.hypot(tm[2], tm[3]) * math.hypot(cm[2], cm[3]), 1)
            place = (height, round(tm[5] + cm[5], 1))
            sizes.setdefault(height, []).append(words if place == last else f" {words}")
            last = place

    try:
        content = reader.pages[0].get_contents()
        if content is None or len(content.get_data()) > _CONTENT_BYTES:
            return None
        reader.pages[0].extract_text(visitor_text=see)
    except Exception:  # the page's own state says so
        return None
    body = max(sizes, key=lambda height: sum(map(len, sizes[height])), default=0.0)
    for height in sorted(sizes, reverse=True):
        if height < _LARGER * body:
            break
        words = " ".join(" ".join(tidy("".join(sizes[height]))).split())
        if len(words) <= _TITLE_CHARACTERS and _plausible(words):
            return words
    return None


def _plausible(words: str) -> bool:
    """At least two words or one long one, mostly letters, and nothing that a program puts there."""
    letters = sum(character.isalpha() for character in words)
    return letters >= 4 and letters >= len(words) / 2 and not _PROGRAM.search(words) and "\ufffd" not in words


def creation_date(reader: PdfReader) -> str | None:
    """ISO date of creation, when the file states one."""
    try:
        made = reader.metadata.creation_date if reader.metadata else None
    except Exception:  # "D:20" and the like
        return None
    return made.date().isoformat() if made else None
