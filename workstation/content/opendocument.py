"""OpenDocument texts, sheets and slides by odfdo, whose own limits on size, ratio and nesting hold as well."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

from storage.records import Page
from workstation.content import limits
from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.encodings import clean
from workstation.content.errors import NothingToRead, Unreadable
from workstation.content.office import about, iso_date, joined, opening, paged
from workstation.content.requirements import needed
from workstation.content.tables import Table, row
from workstation.content.zipped import guard, inflated, opened
from workstation.core.cancel import CancelToken

_KINDS = {"text": "document", "spreadsheet": "table", "presentation": "slides"}
_REPEATED = 100  # times that one empty row or cell is repeated to fill a sheet to its end
_DEPTH = 30


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """Headings, paragraphs, lists and tables in their order; each slide is a page."""
    cancel.check()
    odfdo = needed("odfdo", "OpenDocument files")
    _refuse_encrypted(document)
    guard(document, cancel)
    with opening(document, "OpenDocument file") as stream:
        odf = odfdo.Document(io.BytesIO(stream.read()))
        sort = odf.get_type().removesuffix("-template")
        if sort not in _KINDS:
            raise NothingToRead(f"an OpenDocument {sort}: only texts, sheets and slides are read")
        meta = odf.meta
        told = about(author=meta.get_initial_creator() or meta.creator, subject=meta.subject, keywords=meta.keyword)
        title = (meta.title or "").strip()
        language = str(meta.language or "")
        date = iso_date(meta.date) or iso_date(meta.creation_date)
        root = odf.body._xml_element
        text, pages, cut = paged(_slides(root, cancel)) if sort == "presentation" else _flow(root, sort, cancel)
    if not text.strip():
        raise NothingToRead("the file holds no text")
    first = next((line[2:] for line in text.split("\n", 200)[:200] if line.startswith("# ")), "")
    return Extraction(
        text=text,
        title=title or (first if sort == "text" else "") or document.stem,
        kind=_KINDS[sort],
        pages=pages,
        language=language[:2].lower() or None,
        date=date,
        status="too long: only its beginning was read" if cut else "ok",
        meta=told,
    )


def _refuse_encrypted(document: Document) -> None:
    with opened(document) as package:
        if "META-INF/manifest.xml" in package.namelist():
            manifest = inflated(package, package.getinfo("META-INF/manifest.xml"), 8 * limits.MEGABYTE)
            if b"encryption-data" in manifest:
                raise Unreadable("it is encrypted: save it without a password first")


def _flow(root: Any, sort: str, cancel: CancelToken) -> tuple[str, tuple[Page, ...], bool]:
    blocks: list[str] = []
    room, cut = limits.TEXT, False
    for block in _blocks(root, sort == "spreadsheet", cancel):
        room -= len(block) + 2
        if room < 0:
            cut = True
            break
        blocks.append(block)
    return clean(joined(blocks)), (), cut


def _slides(root: Any, cancel: CancelToken) -> Iterator[str]:
    for slide in root.iter(_name("draw:page")):
        yield "\n\n".join(_blocks(slide, False, cancel))


def _blocks(parent: Any, sheets: bool, cancel: CancelToken, items: int = 0, depth: int = 0) -> Iterator[str]:
    for element in parent:
        tag = _tag(element)
        if tag == "text:h":
            cancel.check()
            if text := _inline(element):
                level = element.get(_name("text:outline-level"), "1")
                yield "#" * min(6, max(1, int(level) if level.isdigit() else 1)) + " " + " ".join(text.split())
        elif tag == "text:p":
            cancel.check()
            if text := _inline(element):
                yield "  " * (items - 1) + "- " + text.replace("\n", " ") if items else text
            for frame in element:  # a text box is anchored in a paragraph
                if _tag(frame).startswith("draw:") and depth < _DEPTH:
                    yield from _blocks(frame, sheets, cancel, items, depth + 1)
        elif tag == "table:table":
            name = element.get(_name("table:name"), "")
            if sheets:
                yield f"# {name}"
                yield from Table(name).write(_rows(element, cancel))
            elif rows := [row(cells) for cells in _rows(element, cancel) if any(cells)]:
                yield "\n".join(rows)
        elif tag in ("text:tracked-changes", "office:annotation", "text:table-of-content", "office:forms"):
            continue
        elif depth < _DEPTH:
            yield from _blocks(element, sheets, cancel, items + (tag == "text:list"), depth + 1)


def _rows(table: Any, cancel: CancelToken) -> Iterator[list[str]]:
    for line in table.iter(_name("table:table-row")):
        cancel.check()
        cells: list[str] = []
        for cell in line:
            if _tag(cell) not in ("table:table-cell", "table:covered-table-cell"):
                continue
            text = " ".join(t for p in cell.iter(_name("text:p"), _name("text:h")) if (t := _inline(p)))
            times = cell.get(_name("table:number-columns-repeated"), "1")
            cells += [text] * min(_REPEATED if text else 1, int(times) if times.isdigit() else 1)
        times = line.get(_name("table:number-rows-repeated"), "1")
        for _ in range(min(_REPEATED, int(times) if times.isdigit() else 1) if any(cells) else 1):
            yield cells


def _inline(element: Any) -> str:
    """The text of a paragraph with its foot notes, without comments and the frames anchored in it."""
    parts: list[str] = [_flat(element.text)]
    pending = [(child, False) for child in reversed(element)]
    while pending:
        child, done = pending.pop()
        if done:
            parts.append(_flat(child.tail))
            continue
        pending.append((child, True))
        tag = _tag(child)
        if tag == "text:s":
            count = child.get(_name("text:c"), "1")
            parts.append(" " * min(100, int(count) if count.isdigit() else 1))
        elif tag == "text:tab":
            parts.append("\t")
        elif tag == "text:line-break":
            parts.append("\n")
        elif tag == "text:note-citation":
            continue
        elif tag == "text:note-body":
            parts.append(" [" + " ".join("".join(child.itertext()).split()) + "]")
        elif tag and not tag.startswith(("draw:", "office:annotation")):
            parts.append(_flat(child.text))
            pending.extend((inner, False) for inner in reversed(child))
    return "".join(parts).strip()


def _flat(text: str | None) -> str:
    return _WHITE.sub(" ", text or "")


_WHITE = re.compile(r"[ \t\r\n]+")  # which the format counts as one blank
_SPACES = {
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
}
_PREFIXES = {uri: prefix for prefix, uri in _SPACES.items()}


def _name(short: str) -> str:
    prefix, _, local = short.partition(":")
    return f"{{{_SPACES[prefix]}}}{local}"


def _tag(element: Any) -> str:
    if not isinstance(element.tag, str):
        return ""
    uri, _, local = element.tag[1:].partition("}")
    return f"{_PREFIXES[uri]}:{local}" if uri in _PREFIXES else local
