"""Jupyter notebooks: JSON of a published form (nbformat 3 and 4), read by the standard library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from workstation.content import limits
from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.encodings import clean, decode
from workstation.content.errors import NothingToRead, Unreadable
from workstation.content.office import about
from workstation.core.cancel import CancelToken

_OUTPUT_CHARACTERS = 4000  # of one cell: what is longer is a log or a dump, and its beginning tells what it is
_TITLE = re.compile(r"^#\s+(.+?)\s*#*$", re.M)
_TERMINAL = re.compile("\x1b\\[[0-9;]*m")


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """The text cells as they stand, the code and its printed results between fences; pictures are left out."""
    cancel.check()
    try:
        book = json.loads(decode(document.read()).text)
    except (ValueError, RecursionError) as error:
        raise Unreadable("damaged: not a complete notebook") from error
    if not isinstance(book, dict) or not isinstance(book.get("nbformat"), int):
        raise NothingToRead("JSON, but not a notebook")
    metadata = _mapping(book.get("metadata"))
    language = str(_mapping(metadata.get("kernelspec")).get("language") or "python")
    blocks = [block for cell in _cells(book) for block in _cell(cell, language)]
    text = clean("\n\n".join(blocks)).strip()
    if not text:
        raise NothingToRead("the notebook is empty")
    title = str(metadata.get("title") or "") or (found.group(1) if (found := _TITLE.search(text)) else "")
    authors = metadata.get("authors")
    names = [str(_mapping(author).get("name", "")) for author in authors] if isinstance(authors, list) else []
    return Extraction(
        text=text[: limits.TEXT],
        title=title or document.stem,
        kind="notebook",
        status="ok" if len(text) <= limits.TEXT else f"too long: only the first {limits.TEXT} characters were read",
        meta=about(author=", ".join(filter(None, names)), programming=language),
    )


def _cells(book: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    sheets = book.get("worksheets")  # nbformat 3
    holders = sheets if isinstance(sheets, list) else [book]
    for holder in holders:
        cells = _mapping(holder).get("cells")
        yield from (_mapping(cell) for cell in cells) if isinstance(cells, list) else ()


def _cell(cell: Mapping[str, Any], language: str) -> Iterator[str]:
    source = _text(cell.get("source", cell.get("input")))
    if cell.get("cell_type") != "code":
        if cell.get("cell_type") == "heading":  # nbformat 3
            source = "#" * int(cell.get("level") or 1) + " " + source
        if source.strip():
            yield source.strip()
        return
    if source.strip():
        yield _fenced(source, language)
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        shown = _TERMINAL.sub("", _output(_mapping(output))).strip()
        if shown:
            cut = " [...]" if len(shown) > _OUTPUT_CHARACTERS else ""
            yield _fenced(shown[:_OUTPUT_CHARACTERS] + cut, "")


def _output(output: Mapping[str, Any]) -> str:
    if output.get("output_type") in ("error", "pyerr"):
        return f"{output.get('ename', '')}: {output.get('evalue', '')}"
    data = _mapping(output.get("data"))
    return _text(output.get("text") or data.get("text/markdown") or data.get("text/plain"))


def _fenced(code: str, language: str) -> str:
    fence = "~~~" if "```" in code else "```"
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"


def _text(value: object) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else value if isinstance(value, str) else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
