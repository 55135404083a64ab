"""Tables as rows: columns side by side where they fit, and one cell below the other where they do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from panes.rows import Pen, Row, Span, blank

NARROWEST = 12
"""Cells of a column below which its words would be torn."""
RULE = " │ "


def rows(table: Sequence[Sequence[Row]], width: int) -> Iterator[Row]:
    """A table of cells, the first line of which is its head; a cell that is too wide goes on in the rows below."""
    widths = fitted([max(cell_len(cell.text) for cell in column) for column in zip(*table, strict=True)], width)
    if not widths:
        yield from _stacked(table)
        return
    headed = any(cell.text for cell in table[0])
    for index, cells in enumerate(table):
        if index or headed:
            yield from _side_by_side(cells, widths)
        if not index and headed:
            yield Pen().put("─┼─".join("─" * width for width in widths), "dim").row(folds=False)


def part(row: Row, start: int, end: int) -> Row:
    """A part of a row's text as a row of its own."""
    return Row(row.text[start:end], tuple(_moved(row, start, end, 0)), "", 0, True)


def fitted(wanted: Sequence[int], width: int) -> list[int]:
    """The widths of columns that want so many cells: the widest ones give way; [] where they do not fit at all."""
    room = width - len(RULE) * (len(wanted) - 1)
    widths = [max(1, cells) for cells in wanted]
    while sum(widths) > room:
        widest = max(widths)
        if widest <= NARROWEST:
            return []
        rivals = [cells for cells in widths if cells < widest]
        many = widths.count(widest)
        lower = max(max(rivals, default=0), NARROWEST, widest - -(-(sum(widths) - room) // many))
        widths = [lower if cells == widest else cells for cells in widths]
    return widths


def _side_by_side(cells: Sequence[Row], widths: Sequence[int]) -> Iterator[Row]:
    lines = [cell.lines(width) for cell, width in zip(cells, widths, strict=True)]
    for at in range(max(map(len, lines))):
        text, spans = "", list[Span]()
        for index, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            if index:
                spans.append(Span(len(text), len(text) + len(RULE), "dim"))
                text += RULE
            start, end = lines[index][at] if at < len(lines[index]) else (0, 0)
            spans += _moved(cell, start, end, len(text))
            shown = cell.text[start:end]
            text += shown + " " * (width - cell_len(shown))
        yield Row(text.rstrip(), tuple(s for s in spans if s.start < s.end), "", 0, False)


def _moved(cell: Row, start: int, end: int, to: int) -> Iterator[Span]:
    """The spans of a line of a cell, where that line stands in the row."""
    for span in cell.spans:
        left, right = max(span.start, start), min(span.end, end)
        if left < right:
            yield Span(to + left - start, to + right - start, span.style, span.target)


def _stacked(table: Sequence[Sequence[Row]]) -> Iterator[Row]:
    """Each line of the table as a block: its first cell, and below it the others after what they are about."""
    head, *body = table
    for index, cells in enumerate(body):
        if index:
            yield blank()
        for at, cell in enumerate(cells):
            about = head[at].text
            lead = Pen().put("  " if at else "").put(f"{about}: " if about and at else "", "dim")
            shift = lead.width
            spans = [*lead.row().spans, *_moved(cell, 0, len(cell.text), shift)]
            if not at:
                spans = [Span(0, len(cell.text), "strong")] if not any(s.target for s in spans) else spans
            yield Row(lead.row().text + cell.text, tuple(spans), "", 2 if at else 0, True)
