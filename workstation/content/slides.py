"""Slides by python-pptx: each slide is a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.errors import NothingToRead
from workstation.content.office import about, iso_date, opening, paged
from workstation.content.requirements import needed
from workstation.content.tables import row
from workstation.content.zipped import guard
from workstation.core.cancel import CancelToken

_DEPTH = 20  # groups within groups


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """A heading and the text of each slide, in reading order, with its tables, the titles in its charts and the
    speaker's notes."""
    cancel.check()
    pptx = needed("pptx", "Slides")
    guard(document, cancel)
    with opening(document, "presentation") as stream:
        show = pptx.Presentation(stream)
        properties = show.core_properties
        text, pages, cut = paged(_pages(show.slides, cancel))
        first = next((title for slide in show.slides if (title := _title(slide))), "")
    if not text:
        raise NothingToRead("the slides show no text (they may be made of pictures)")
    return Extraction(
        text=text,
        title=_stated(properties.title) or first or document.stem,
        kind="slides",
        pages=pages,
        language=(properties.language or "")[:2].lower() or None,
        date=iso_date(properties.modified) or iso_date(properties.created),
        status=f"too long: only the first {len(pages)} slides were read" if cut else "ok",
        meta=about(author=properties.author, subject=properties.subject, keywords=properties.keywords),
    )


def _pages(slides: Any, cancel: CancelToken) -> Iterator[str]:
    for slide in slides:
        cancel.check()
        yield "\n\n".join(_slide(slide))


def _stated(title: str | None) -> str:
    """The title in the properties, unless it is the program's own."""
    told = " ".join((title or "").split())
    return "" if told.lower() in ("powerpoint presentation", "presentation") else told


def _title(slide: Any) -> str:
    shape = slide.shapes.title
    return " ".join(shape.text_frame.text.split()) if shape is not None and shape.has_text_frame else ""


def _slide(slide: Any) -> Iterator[str]:
    title = _title(slide)
    if title:
        yield f"## {title}"
    own = slide.shapes.title
    shapes = sorted(_shapes(slide.shapes), key=lambda s: (s.top or 0, s.left or 0))
    for shape in shapes:
        if own is not None and shape.shape_id == own.shape_id:
            continue
        if shape.has_text_frame:
            yield from _paragraphs(shape.text_frame)
        elif getattr(shape, "has_table", False):
            yield "\n".join(row(cell.text for cell in line.cells) for line in shape.table.rows)
        elif getattr(shape, "has_chart", False) and shape.chart.has_title:
            yield shape.chart.chart_title.text_frame.text
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        notes = slide.notes_slide.notes_text_frame.text.strip()
        if notes:
            yield notes


def _paragraphs(frame: Any) -> Iterator[str]:
    """Points of a frame that has several stand below each other as a list."""
    told = [" ".join(p.text.replace("\v", " ").split()) for p in frame.paragraphs]
    points = [(point, p.level) for point, p in zip(told, frame.paragraphs, strict=True) if point]
    if len(points) > 1:
        yield "\n".join("  " * level + "- " + point for point, level in points)
    elif points:
        yield points[0][0]


def _shapes(shapes: Any, depth: int = 0) -> Iterator[Any]:
    for shape in shapes:
        if hasattr(shape, "shapes") and depth < _DEPTH:
            yield from _shapes(shape.shapes, depth + 1)
        else:
            yield shape
