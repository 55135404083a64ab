"""A list of one-line rows in columns that fit the width: one column stretches, the least important ones give way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from panes.rows import Pen, Row, inert
from panes.widgets.bars import Bar
from panes.widgets.row_list import RowList
from panes.wrapping import pad

GAP = 2


@dataclass(frozen=True, slots=True)
class Column:
    """`width` in cells, 0 for the one that stretches. Below `needs` columns of screen it is left out."""

    title: str
    width: int
    right: bool = False
    needs: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """One row: its key and a cell for every column. `style` is the row's."""

    key: str
    cells: tuple[str, ...]
    style: str = ""


class TableRows(RowList):
    """The rows below the header; they are made again when the width changes."""

    def __init__(self, columns: Sequence[Column], header: Bar) -> None:
        super().__init__(id="rows")
        self._columns, self._header = columns, header
        self._items: Sequence[Item] = ()
        self._empty: list[Row] = []

    def set_items(self, items: Sequence[Item], empty: list[Row]) -> None:
        """Shows `items`, or the rows `empty` when there are none."""
        if items == self._items and self.rows:
            return
        self._items, self._empty = items, empty
        self.reflow()

    def reflow(self) -> None:
        width = self.text_width
        shown = [(i, c) for i, c in enumerate(self._columns) if width >= c.needs]
        fixed = sum(c.width + GAP for _, c in shown if c.width)
        widths = {i: c.width or max(8, width - fixed) for i, c in shown}
        title = (" " * GAP).join(pad(c.title, widths[i], right=c.right) for i, c in shown)
        self._header.put(Content(f" {title}" if self._items else ""))

        def row(item: Item) -> Row:
            cells = (pad(inert(item.cells[i]), widths[i], right=c.right) for i, c in shown)
            return Pen().put((" " * GAP).join(cells), item.style).row(item.key, folds=False)

        self.set_rows([row(item) for item in self._items] or self._empty)


class Table(Vertical):
    """A header and its rows."""

    def __init__(self, *columns: Column) -> None:
        super().__init__()
        self._columns = columns

    def compose(self) -> ComposeResult:
        header = Bar("header")
        yield header
        yield TableRows(self._columns, header)

    @property
    def rows(self) -> TableRows:
        return self.query_one(TableRows)
