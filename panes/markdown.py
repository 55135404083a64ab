"""A report paragraph's Markdown as rows: headings, lists, quotations, tables, emphasis; all else is shown as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from panes import tables
from panes.rows import Pen, Row, blank

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Writer = Callable[[Pen, str, str], None]
"""Puts a piece of running text in a style: the place where citations become targets."""

EMPHASIS = {"strong": "strong", "em": "em", "s": "dim"}
WIDTH = 80


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # about 30 ms, and only needed once there is a paragraph

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def plain(pen: Pen, text: str, style: str) -> None:
    """The writer for text without citations."""
    pen.put(text, style)


def rows(text: str, write: Writer = plain, width: int = WIDTH) -> list[Row]:
    """The rows of one block of Markdown, with an empty row after each paragraph. Only tables depend on the width."""
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
            found.extend(tables.rows(_table(tokens, write), width))
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


def _table(tokens: Iterable[Token], write: Writer) -> list[list[Row]]:
    """The cells of a table, line by line. A line is written as one text: a citation stands for all before it."""
    table: list[list[Row]] = []
    pen, ends = Pen(), list[int]()
    for token in tokens:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            pen, ends = Pen(), []
        elif token.type == "inline":
            if ends:
                write(pen, " ", "")
            _cell(pen, token, write, "" if table else "strong")
            ends.append(pen.width)
        elif token.type == "tr_close":
            line, starts = pen.row(), [0, *(end + 1 for end in ends[:-1])]
            table.append([tables.part(line, start, end) for start, end in zip(starts, ends, strict=True)])
    return table


def _cell(pen: Pen, token: Token, write: Writer, base: str = "") -> None:
    """Running text without a break."""
    styles = [base]
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            pen.put(" ")
        elif child.nesting == 1:
            styles.append(EMPHASIS.get(child.tag, styles[-1]))
        elif child.nesting == -1 and styles[1:]:
            styles.pop()
        elif child.content:
            write(pen, child.content, "code" if child.type == "code_inline" else styles[-1])


def line(text: str, write: Writer) -> Row:
    """The first paragraph of a block of Markdown as one row, to stand in a cell."""
    pen = Pen()
    if inline := next((token for token in _parser().parse(text) if token.type == "inline"), None):
        _cell(pen, inline, write)
    return pen.row()
