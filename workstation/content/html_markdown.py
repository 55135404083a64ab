"""An extracted article's tree as Markdown. The elements are trafilatura's: p, head, list, item, quote, code, table,
row, cell, lb."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_BREAK = "\v"  # stands for <br>; no page can contain it
_BLOCKS = frozenset({"p", "head", "list", "quote", "code", "table", "div", "body", "main", "ab", "fw"})


def markdown(body: Any) -> str:
    """Paragraphs apart by an empty line; headings with #, items with - or 1., table rows as | a | b |."""
    return "\n\n".join(block for block in _blocks(body) if block.strip())


def _blocks(element: Any) -> Iterator[str]:
    """The blocks below an element, with the stray text between them."""
    loose = [element.text or ""]
    for child in element:
        if child.tag in _BLOCKS:
            yield _flat("".join(loose))
            loose = []
            yield from _block(child)
        else:
            loose.append(_inline(child))
        loose.append(child.tail or "")
    yield _flat("".join(loose))


def _block(element: Any) -> Iterator[str]:
    match element.tag:
        case "head":
            level = re.search(r"[1-6]", element.get("rend") or "")
            title = _flat(_inline(element)).replace("\n", " ")
            if title:
                yield f"{'#' * int(level.group() if level else 2)} {title}"
        case "list":
            yield "\n".join(_items(element, ""))
        case "table":
            yield "\n".join(_rows(element))
        case "code":
            code = "".join(element.itertext()).strip("\n")
            yield f"```\n{code}\n```" if "\n" in code else code
        case _:
            yield from _blocks(element)


def _items(element: Any, indent: str) -> Iterator[str]:
    ordered = element.get("rend") == "ol"
    for number, item in enumerate(element, 1):
        nested = [child for child in item if child.tag == "list"]
        text = _flat(_inline(item, skip="list")).replace("\n", " ")
        if text:
            yield f"{indent}{f'{number}.' if ordered else '-'} {text}"
        for child in nested:
            yield from _items(child, indent + "  ")


def _rows(table: Any) -> Iterator[str]:
    for row in table.iter("row"):
        cells = [_flat(_inline(cell)).replace("\n", " ").replace("|", "/") for cell in row.iter("cell")]
        if any(cells):
            yield "| " + " | ".join(cells) + " |"


def _inline(element: Any, skip: str = "") -> str:
    if element.tag == "lb":
        return _BREAK
    if element.tag == skip or element.tag == "graphic" or not isinstance(element.tag, str):
        return ""
    parts = [element.text or ""]
    for child in element:
        inner = _inline(child, skip)
        parts.append(f" {inner} " if child.tag in _BLOCKS or child.tag in ("item", "cell", "row") else inner)
        parts.append(child.tail or "")
    return "".join(parts)


def _flat(text: str) -> str:
    """White space as a browser shows it; only the line breaks of <br> are kept."""
    lines = (" ".join(line.split()) for line in text.split(_BREAK))
    return "\n".join(line for line in lines if line)
