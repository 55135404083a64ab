"""A report paragraph's Markdown as rows: headings, lists, quotations, tables, emphasis; all else is shown as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from panes.rows import Pen, Row, blank, inert
from panes.wrapping import pad

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Writer = Callable[[Pen, str, str], None]
"""Puts a piece of running text in a style: the place where citations become targets."""

EMPHASIS = {"strong": "strong", "em": "em", "s": "dim"}
WIDEST_CELL = 40


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # about 30 ms, and only needed once there is a paragraph

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def plain(pen: Pen, text: str, style: str) -> None:
    """The writer for text without citations."""
    pen.put(text, style)


def rows(text: str, write: Writer = plain) -> list[Row]:
    """The rows of one block of Markdown, with an empty row after each paragraph."""
    found: list[Row] = []
    lead: list[str] = []  # what stands before the next text: bullets, numbers, bars of a quotation
    numbers: list[int | None] = []
    base = ""
    tokens = iter(_parser().parse(text))
    for token in tokens:
        kind = token.type
        if kind in ("heading_open", "heading_close"):
            base = "heading" if token.nesting == 1 else ""
        elif kind == "inline":
            found.extend(_inline(token, "".join(lead), write, base))
            lead = [part if part.startswith("│") else " " * len(part) for part in lead]
        elif kind in ("bullet_list_open", "ordered_list_open"):
            numbers.append(int(token.attrGet("start") or 1) if kind[0] == "o" else None)
        elif kind in ("bullet_list_close", "ordered_list_close"):
            numbers.pop()
        elif kind == "list_item_open":
            number = numbers[-1]
            lead.append("- " if number is None else f"{number}. ")
            numbers[-1] = None if number is None else number + 1
        elif kind == "list_item_close" or kind == "blockquote_close":
            lead.pop()
        elif kind == "blockquote_open":
            lead.append("│ ")
        elif kind in ("fence", "code_block", "html_block"):
            found.extend(Pen().put(line, "code").row(hang=2) for line in token.content.rstrip("\n").split("\n"))
        elif kind == "table_open":
            found.extend(_table(tokens, write))
        elif kind == "hr":
            found.append(Pen().put("────────", "dim").row())
        if token.nesting < 1 and token.level == 0:
            found.append(blank())
    return found


def _inline(token: Token, lead: str, write: Writer, base: str) -> Iterator[Row]:
    pen = Pen().put(lead, "dim")
    styles: list[str] = [base] if base else []
    for child in token.children or ():
        kind = child.type
        style = styles[-1] if styles else ""
        if kind in ("text", "code_inline", "html_inline", "text_special"):
            write(pen, child.content, "code" if kind == "code_inline" else style)
        elif kind == "softbreak":
            pen.put(" ")
        elif kind == "hardbreak":
            yield pen.row(hang=len(lead))
            pen = Pen().put(" " * len(lead))
        elif kind == "image":
            write(pen, child.content, style)
        elif child.nesting == 1:
            styles.append(EMPHASIS.get(child.tag, style))
        elif child.nesting == -1 and styles:
            styles.pop()
    yield pen.row(hang=len(lead))


def _table(tokens: Iterable[Token], write: Writer) -> Iterator[Row]:
    """A table with columns as wide as their widest cell; a cell that is too wide goes on in the rows below."""
    table: list[list[str]] = []
    for token in tokens:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            table.append([])
        elif token.type == "inline":
            table[-1].append(inert("".join(c.content for c in token.children or () if not c.nesting)))
    widths = [min(WIDEST_CELL, max(map(len, column))) for column in zip(*table, strict=False)]
    for index, cells in enumerate(table):
        for line in _folded(cells, widths):
            pen = Pen()
            for at, (cell, width) in enumerate(zip(line, widths, strict=True)):
                pen.put(" │ " if at else "", "dim")
                write(pen, pad(cell, width), "" if index else "strong")
            yield pen.row(folds=False)
        if not index:
            yield Pen().put("─┼─".join("─" * width for width in widths), "dim").row(folds=False)


def _folded(cells: list[str], widths: list[int]) -> Iterator[list[str]]:
    from itertools import zip_longest

    from panes.wrapping import wrap

    columns = [[cell[a:b] for a, b in wrap(cell, width)] for cell, width in zip(cells, widths, strict=True)]
    for line in zip_longest(*columns, fillvalue=""):
        yield list(line)
