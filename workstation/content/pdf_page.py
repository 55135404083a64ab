"""One PDF page: its text layer, its filled form fields, and what to call it when there is no text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdf import PageObject

_PAGE_CHARACTERS = 500_000  # a dense page of small print has 15,000
_LINE_END_HYPHEN = "\ufffe"  # PDFium puts it for a hyphen and the line break behind it
_LEFTWARD = 0.2  # of the letters
_SPARSE = 25  # letters; an image with less text beside it is a scan with a stamp or a page number
_GARBLED = 0.3  # of the characters have no meaning: the font does not say which letters its glyphs are
_STROKES = 20  # path operators; a page with fewer is a blank one with a rule or a frame
_FORM_DEPTH = 3  # forms inside forms in which images are looked for
_PATHS = re.compile(rb"(?<![\w/])(?:[lcvy]|re|sh)(?=\s)")
_INLINE_IMAGE = re.compile(rb"(?<!\w)BI\s.{0,400}?\sID\s", re.S)
_PAINTED = re.compile(rb"/\S+\s+Do(?!\w)")


@dataclass(frozen=True, slots=True)
class PageContent:
    """`state` is text, needs_ocr or blank."""

    state: str
    text: str
    note: str = ""


def read_page(page: PageObject, text: str | None) -> PageContent:
    """`text` is PDFium's, or None when it has none. Raises whatever pypdf raises on a broken page."""
    text = _better(page, text)
    if len(text) > _PAGE_CHARACTERS:
        return PageContent("text", text[:_PAGE_CHARACTERS], f"only the first {_PAGE_CHARACTERS} characters were read")
    if fields := "\n".join(_fields(page)):
        text = f"{text}\n{fields}"
    letters = sum(character.isalnum() for character in text)
    meaningless = sum(
        unicodedata.category(character) in ("Co", "Cn", "Cc") or character == "\ufffd" for character in text
    ) - text.count("\n")
    if meaningless > _GARBLED * (letters + meaningless):
        return PageContent("needs_ocr", "", "the font does not say which letters its glyphs are")
    if letters >= _SPARSE:
        return PageContent("text", text)
    image = _has_image(page)
    if letters and not image:
        return PageContent("text", text)
    if image:
        return PageContent("needs_ocr", text, "an image with hardly any text" if letters else "an image without text")
    if _strokes(page) >= _STROKES:
        return PageContent("needs_ocr", text, "a drawing without text")
    return PageContent("blank", text)


def _better(page: PageObject, text: str | None) -> str:
    """PDFium's text, or pypdf's where that one is missing or in a script that is written from the right: PDFium gives
    the letters as they stand on the page. pypdf breaks words in some files (one in twenty in Chromium's printouts)."""
    if text is not None:
        text = text.replace(_LINE_END_HYPHEN, "-\n")
        letters = [character for character in text if character.isalpha()]
        leftward = sum("\u0590" <= c <= "\u08ff" or "\ufb1d" <= c <= "\ufefc" for c in letters)
        if letters and leftward < _LEFTWARD * len(letters):
            return text
    return page.extract_text()


def _fields(page: PageObject) -> Iterator[str]:
    """Filled form fields as `name: value`; the page's own text does not hold them."""
    for reference in _resolved(page.get("/Annots")) or ():
        widget = _resolved(reference)
        if not isinstance(widget, dict) or widget.get("/Subtype") != "/Widget":
            continue
        value = _inherited(widget, "/V")
        if isinstance(value, str) and value.strip() and not value.startswith("/"):
            name = _inherited(widget, "/TU") or _inherited(widget, "/T") or "field"
            yield f"{name}: {value}"


def _inherited(widget: Any, key: str) -> Any:
    """A field's attribute, its own or that of the field it is a part of."""
    for _ in range(_FORM_DEPTH + 1):
        if (value := _resolved(widget.get(key))) is not None:
            return value
        widget = _resolved(widget.get("/Parent"))
        if not isinstance(widget, dict):
            return None
    return None


def _resolved(value: Any) -> Any:
    return value.get_object() if hasattr(value, "get_object") else value


def _has_image(page: PageObject) -> bool:
    content = _content(page)
    if _INLINE_IMAGE.search(content):
        return True
    return _PAINTED.search(content) is not None and _image_in(page.get("/Resources"), _FORM_DEPTH)


def _image_in(resources: Any, depth: int) -> bool:
    """Is there an image among the resources, or in the forms among them?"""
    resources = _resolved(resources)
    objects = _resolved(resources.get("/XObject")) if isinstance(resources, dict) else None
    for reference in (objects or {}).values():
        found = _resolved(reference)
        if not isinstance(found, dict):
            continue
        if found.get("/Subtype") == "/Image" or (depth and _image_in(found.get("/Resources"), depth - 1)):
            return True
    return False


def _strokes(page: PageObject) -> int:
    content = _content(page)
    count = len(_PATHS.findall(content))
    resources = _resolved(page.get("/Resources"))
    objects = _resolved(resources.get("/XObject")) if isinstance(resources, dict) else None
    for reference in (objects or {}).values():
        found = _resolved(reference)
        if isinstance(found, dict) and found.get("/Subtype") == "/Form":
            count += len(_PATHS.findall(found.get_data()))  # type: ignore[attr-defined]
    return count


def _content(page: PageObject) -> bytes:
    content = page.get_contents()
    return content.get_data() if content is not None else b""
