"""Word documents by python-docx, which opens the package and knows the styles; the text is read from its XML tree,
because python-docx itself passes over insertions, text boxes and form fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workstation.content import limits
from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.encodings import clean
from workstation.content.errors import NothingToRead
from workstation.content.office import about, iso_date, joined, opening
from workstation.content.requirements import needed
from workstation.content.tables import row
from workstation.content.zipped import guard
from workstation.core.cancel import CancelToken

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
# What was deleted, what an older program shows instead, and instructions of fields.
_PASSED_OVER = frozenset({f"{_W}del", f"{_W}moveFrom", f"{_W}instrText", f"{_W}delText", f"{_MC}Fallback", f"{_W}rPr"})
_DEPTH = 8  # tables within tables
_NOTES = ("footnotes", "endnotes", "comments")


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """Headings, paragraphs, lists and tables in their order; foot notes, end notes and comments at the end. Text whose
    deletion is tracked is left out."""
    cancel.check()
    docx = needed("docx", "Word documents")
    guard(document, cancel)
    with opening(document, "Word document") as stream:
        word = docx.Document(stream)
        properties = word.core_properties
        levels, titles = _styles(word)
        blocks: list[str] = []
        title = ""
        room = limits.TEXT
        for block, style in _blocks(word.element.body, levels, cancel):
            if style in titles and not title:
                title = block.lstrip("# ")
            blocks.append(block)
            room -= len(block) + 2
            if room < 0:
                break
        blocks += [f"[{name}] {text}" for name, text in _notes(word, cancel)]
    text = clean(joined(blocks))
    if not text.strip():
        raise NothingToRead("the document holds no text (it may be made of pictures)")
    first = next((block.lstrip("# ") for block in blocks if block.startswith("# ")), "")
    return Extraction(
        text=text[: limits.TEXT],
        title=(properties.title or "").strip() or title or first or document.stem,
        kind="document",
        language=(properties.language or "")[:2].lower() or None,
        date=iso_date(properties.modified) or iso_date(properties.created),
        status="ok" if room >= 0 else f"too long: only the first {limits.TEXT} characters were read",
        meta=about(author=properties.author, subject=properties.subject, keywords=properties.keywords),
    )


def _styles(word: Any) -> tuple[dict[str, int], set[str]]:
    """Heading levels by style id, and the ids of title styles. Names are English in every language of Word."""
    levels: dict[str, int] = {}
    titles: set[str] = set()
    for style in word.styles:
        name = (style.name or "").lower()
        if name == "title":
            titles.add(style.style_id)
            levels[style.style_id] = 1
        elif name.startswith("heading ") and name[8:].isdigit():
            levels[style.style_id] = min(6, int(name[8:]))
        else:
            outline = style.element.find(f"{_W}pPr/{_W}outlineLvl")
            if outline is not None and (level := outline.get(f"{_W}val", "9")).isdigit() and int(level) < 9:
                levels[style.style_id] = min(6, int(level) + 1)
    return levels, titles


def _blocks(parent: Any, levels: dict[str, int], cancel: CancelToken, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Text and style id of each block."""
    for element in parent:
        if element.tag == f"{_W}p":
            cancel.check()
            if text := _paragraph(element):
                style = element.find(f"{_W}pPr/{_W}pStyle")
                name = style.get(f"{_W}val", "") if style is not None else ""
                yield _marked(text, element, levels.get(name, 0)), name
            yield from _boxes(element, levels, cancel, depth)
        elif element.tag == f"{_W}tbl":
            rows = [row(cells) for cells in _rows(element, cancel) if any(cells)]
            if rows:
                yield "\n".join(rows), ""
        elif element.tag not in _PASSED_OVER and len(element) and depth < _DEPTH:  # form fields, insertions
            yield from _blocks(element, levels, cancel, depth + 1)


def _boxes(paragraph: Any, levels: dict[str, int], cancel: CancelToken, depth: int) -> Iterator[tuple[str, str]]:
    for box in paragraph.iter(f"{_W}txbxContent"):
        if depth < _DEPTH and not any(up.tag == f"{_MC}Fallback" for up in box.iterancestors()):
            yield from _blocks(box, levels, cancel, _DEPTH)  # boxes in boxes are met by the same search


def _marked(text: str, paragraph: Any, level: int) -> str:
    if level:
        return "#" * level + " " + " ".join(text.split())
    if paragraph.find(f"{_W}pPr/{_W}numPr") is not None:
        return "- " + text.replace("\n", " ")
    return text


def _rows(table: Any, cancel: CancelToken) -> Iterator[list[str]]:
    for line in table.iter(f"{_W}tr"):
        cancel.check()
        if next(line.iterancestors(f"{_W}tbl")) is not table:
            continue  # of a table in a cell, which the cell's text holds
        yield [
            " ".join(text for paragraph in cell.iter(f"{_W}p") if (text := _paragraph(paragraph)))
            for cell in line.iter(f"{_W}tc")
            if next(cell.iterancestors(f"{_W}tr")) is line
        ]


def _paragraph(paragraph: Any) -> str:
    parts: list[str] = []
    pending = list(reversed(paragraph))
    while pending:
        element = pending.pop()
        if element.tag == f"{_W}t":
            parts.append(element.text or "")
        elif element.tag == f"{_W}tab":
            parts.append("\t")
        elif element.tag in (f"{_W}br", f"{_W}cr"):
            parts.append("\n")
        elif element.tag == f"{_W}noBreakHyphen":
            parts.append("-")
        elif element.tag not in _PASSED_OVER and element.tag not in (f"{_W}txbxContent", f"{_W}pPr"):
            pending.extend(reversed(element))
    return "".join(parts).strip()


def _notes(word: Any, cancel: CancelToken) -> Iterator[tuple[str, str]]:
    """Foot notes, end notes and comments, which lie in parts of their own."""
    from docx.oxml import parse_xml

    for relation in word.part.rels.values():
        name = relation.reltype.rsplit("/", 1)[-1]
        if name not in _NOTES or relation.is_external:
            continue
        for note in parse_xml(relation.target_part.blob):
            cancel.check()
            if note.get(f"{_W}type") in (None, "normal"):
                text = " ".join(t for paragraph in note.iter(f"{_W}p") if (t := _paragraph(paragraph)))
                if text:
                    yield f"{name.removesuffix('s')} {note.get(f'{_W}id')}", text
