"""CSL-JSON, which Zotero and other reference managers export; by the standard library."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from workstation.content import text as plain_text
from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.encodings import decode
from workstation.content.references import Reference, date_of, extraction, files
from workstation.content.whole_page import without_tags
from workstation.core.cancel import CancelToken


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """Every reference with its title as a heading; other JSON is read as plain text."""
    cancel.check()
    references = _references(document)
    return extraction(document, references) if references else plain_text.extract(document, cancel)


def members(document: Document, cancel: CancelToken) -> Iterator[Document]:
    """The files that belong to the references."""
    yield from files(document, _references(document), cancel)


def _references(document: Document) -> list[Reference]:
    try:
        items = json.loads(decode(document.read()).text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(items, list):
        return []
    return [_reference(item) for item in items if isinstance(item, dict) and "type" in item and "title" in item]


def _reference(item: Mapping[str, Any]) -> Reference:
    names = item.get("author") or item.get("editor")
    place = [_text(item.get("container-title")) or _text(item.get("publisher"))]
    place += [f"{word} {_text(item[key])}" for key, word in (("volume", "vol."), ("page", "pp.")) if item.get(key)]
    return Reference(
        key=_text(item.get("id") or item.get("citation-key")),
        title=without_tags(_text(item.get("title"))),
        authors=", ".join(filter(None, map(_name, names))) if isinstance(names, list) else "",
        date=_date(item.get("issued")),
        where=", ".join(part for part in place if part),
        address=f"doi:{_text(item['DOI'])}" if item.get("DOI") else _text(item.get("URL")),
        abstract=without_tags(_text(item.get("abstract"))),
        note=_text(item.get("note")),
        keywords=_text(item.get("keyword")),
        files=tuple(_files(item)),
    )


def _files(item: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """CSL has no field for files; exporters add one of these."""
    for field in ("attachments", "file", "files"):
        found = item.get(field)
        for each in found if isinstance(found, list) else [found]:
            if isinstance(each, str):
                yield from (("", path.strip()) for path in each.split(";") if path.strip())
            elif isinstance(each, dict) and (path := _text(each.get("path") or each.get("localPath"))):
                yield _text(each.get("title")), path


def _name(name: object) -> str:
    if not isinstance(name, dict):
        return ""
    parts = (name.get("given"), name.get("non-dropping-particle"), name.get("family"))
    return _text(name.get("literal")) or " ".join(_text(part) for part in parts if part)


def _date(issued: object) -> str:
    parts = issued.get("date-parts") if isinstance(issued, dict) else None
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return date_of(*[str(part) for part in parts[0][:3]])
    return date_of(_text(issued.get("raw") or issued.get("literal"))) if isinstance(issued, dict) else ""


def _text(value: object) -> str:
    return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""
