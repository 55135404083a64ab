"""A list of one-line rows in columns that fit the width: one column stretches, the least important ones give way.

A hundred thousand rows are as quick as ten: a row is made when it comes into sight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import overload

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from panes.rows import Pen, Row, inert
from panes.widgets.bars import Bar
from panes.widgets.row_list import RowList
from panes.wrapping import pad

GAP = 2
KEPT_ROWS = 2_000
"""Rows that are kept when they go out of sight."""


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


@dataclass(frozen=True, slots=True)
class Items:
    """The keys of all rows in order, and what makes the item at a position."""

    keys: Sequence[str]
    make: Callable[[int], Item]

    def find(self, key: str) -> int:
        """The position of the row with this key; -1 when there is none."""
        try:
            return self.keys.index(key)
        except ValueError:
            return -1


class LazyRows(Sequence[Row]):
    """The rows of items, each made when it is first asked for."""

    def __init__(self, items: Items, write: Callable[[Item], Row]) -> None:
        self.items, self._write = items, write
        self._made: dict[int, Row] = {}

    def __len__(self) -> int:
        return len(self.items.keys)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        index = index if index >= 0 else len(self) + index
        if index not in self._made:
            if not 0 <= index < len(self):
                raise IndexError(index)
            if len(self._made) >= KEPT_ROWS:
                self._made.clear()
            self._made[index] = self._write(self.items.make(index))
        return self._made[index]


class TableRows(RowList):
    """The rows below the header; they are made again when the width changes. Every row is one line."""

    def __init__(self, columns: Sequence[Column], header: Bar) -> None:
        super().__init__(id="rows")
        self._columns, self._header = columns, header
        self._given: Sequence[Item] | Items = ()
        self._empty: list[Row] = []

    def set_items(self, items: Sequence[Item] | Items, empty: list[Row]) -> None:
        """Shows `items`, or the rows `empty` when there are none."""
        if items and items == self._given:
            return
        self._given, self._empty = items, empty
        self.reflow()

    def reflow(self) -> None:
        given = self._given
        items = given if isinstance(given, Items) else Items([item.key for item in given], given.__getitem__)
        width = self.text_width
        shown = [(i, c) for i, c in enumerate(self._columns) if width >= c.needs]
        fixed = sum(c.width + GAP for _, c in shown if c.width)
        widths = {i: c.width or max(8, width - fixed) for i, c in shown}
        title = (" " * GAP).join(pad(c.title, widths[i], right=c.right) for i, c in shown)
        self._header.put(Content(f" {title}" if items.keys else ""))

        def row(item: Item) -> Row:
            cells = (pad(inert(item.cells[i]), widths[i], right=c.right) for i, c in shown)
            return Pen().put((" " * GAP).join(cells), item.style).row(item.key, folds=False)

        if items.keys:
            self._set_lazily(LazyRows(items, row))
        else:
            self.set_rows(self._empty)

    def settle(self) -> None:
        if not isinstance(self._rows, LazyRows):
            super().settle()
            return
        before, self._at = self._at, max(0, self._find(self._cursor))
        self._cursor = self._rows.items.keys[self._at]
        if before != self._at:
            self.refresh()

    def go_to(self, key: str, *, context: int = 1) -> bool:
        if not isinstance(self._rows, LazyRows):
            return super().go_to(key, context=context)
        at = self._find(key)
        if at >= 0:
            self._move(at, context)
        return at >= 0

    @property
    def leads(self) -> bool:
        """Whether the cursor stands on the first row."""
        return self._at == 0

    def neighbour(self) -> str:
        """The key of the row after the cursor, or before it at the end; empty when there is no other."""
        keys = self._rows.items.keys if isinstance(self._rows, LazyRows) else ()
        near = [at for at in (self._at + 1, self._at - 1) if 0 <= at < len(keys)]
        return keys[near[0]] if near and self._at >= 0 else ""

    def _set_lazily(self, rows: LazyRows) -> None:
        """Takes the place of `set_rows`, which compares and lays out every row: only those in sight are looked at."""
        anchor, before, at = self._anchor(), self._in_sight(), self.scroll_offset.y
        self._rows = rows
        self.settle()
        self._lay_out(0)
        self._hold(anchor)
        after = self._in_sight()
        if at != self.scroll_offset.y or len(before) != len(after):
            self.refresh()
            return
        for number, (old, row) in enumerate(zip(before, after, strict=True)):
            if not row.same(old):
                self.draw_row(at + number)

    def _in_sight(self) -> Sequence[Row]:
        top = self.scroll_offset.y
        if not isinstance(self._rows, LazyRows):
            return ()
        return self._rows[top : top + max(1, self.size.height)]

    def _measure_sight(self) -> None:
        """Every row is one line: there is nothing to measure."""

    def _lay_out(self, same: int) -> None:
        if not isinstance(self._rows, LazyRows):
            super()._lay_out(same)
            return
        self._laid_out_at = self.text_width
        self._tops = range(len(self._rows) + 1)
        self._take_size()

    def _hold(self, anchor: tuple[Row, int] | None) -> None:
        if anchor is None or not isinstance(self._rows, LazyRows):
            super()._hold(anchor)
            return
        row, distance = anchor
        if (at := self._find(row.key)) >= 0:
            self.scroll_to(y=max(0, at - distance), animate=False)

    def _find(self, key: str) -> int:
        assert isinstance(self._rows, LazyRows)
        items = self._rows.items
        same_place = 0 <= self._at < len(items.keys) and items.keys[self._at] == key
        return self._at if same_place else items.find(key)


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
