"""A line view with a cursor on one of its rows."""

from __future__ import annotations

from textual import events
from textual.message import Message

from panes.keymap import bindings
from panes.widgets.line_view import LineView


class RowList(LineView):
    """Rows with a key can be gone to with the cursor and chosen with Enter; the cursor follows its row by key."""

    BINDINGS = bindings("list")

    class Moved(Message):
        """The cursor stands on the row with this key."""

        def __init__(self, list_: RowList, key: str) -> None:
            super().__init__()
            self.list, self.key = list_, key

        @property
        def control(self) -> RowList:
            return self.list

    class Chosen(Moved):
        """The row with this key was chosen."""

    def __init__(self, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._cursor = ""
        self._at = -1

    @property
    def cursor(self) -> str:
        """The key of the row under the cursor; empty when there is none."""
        return self._cursor

    def settle(self) -> None:
        """The cursor stays on its row; when that is gone, it goes to the first one."""
        before, self._at = self._at, -1
        for key in (self._cursor, ""):
            if self._at < 0:
                self._at = next((i for i, row in enumerate(self._rows) if row.key and row.key == (key or row.key)), -1)
        self._cursor = self._rows[self._at].key if self._at >= 0 else ""
        if before != self._at:
            self.refresh()

    def go_to(self, key: str, *, context: int = 1) -> bool:
        """Moves the cursor to the row with `key` and brings it into sight; false when there is no such row."""
        at = next((i for i, row in enumerate(self._rows) if row.key == key), -1)
        if at < 0 or not key:
            return False
        self._move(at, context)
        return True

    def reset(self) -> None:
        super().reset()
        self._cursor, self._at = "", -1

    def is_chosen(self, index: int) -> bool:
        return index == self._at

    def draw_focus(self) -> None:
        super().draw_focus()
        self.draw_row(self._at)

    def anchor_row(self) -> int:
        in_sight = self._at >= 0 and 0 <= self._tops[self._at] - self.scroll_offset.y < self.size.height
        return self._at if in_sight else super().anchor_row()

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        index = self.row_at(offset.y + self.scroll_offset.y) if offset else -1
        if index < 0 or not self._rows[index].key:
            return
        if index == self._at or event.chain > 1:
            self.action_choose()
        else:
            self._move(index, 0)

    def action_choose(self) -> None:
        if self._cursor:
            self.post_message(self.Chosen(self, self._cursor))

    def action_step(self, by: int) -> None:
        """Moves the cursor one row down (1) or up (-1), or scrolls when there is no row to go to."""
        order = range(self._at + 1, len(self._rows)) if by > 0 else range(self._at - 1, -1, -1)
        to = next((i for i in order if self._rows[i].key), -1)
        if to < 0 or self._taller_than_view(by):
            self.scroll_relative(y=by, animate=False)
        else:
            self._move(to, 1)

    def action_page(self, by: int) -> None:
        """Moves the cursor by a screenful."""
        if self._at < 0:
            self.scroll_relative(y=by * max(1, self.size.height - 1), animate=False)
            return
        goal = self._tops[self._at] + by * max(1, self.size.height - 1)
        goal = min(max(0, goal), self._tops[-1] - 1)
        index = self.row_at(goal)
        order = range(index, len(self._rows)) if by > 0 else range(index, -1, -1)
        found = next((i for i in order if self._rows[i].key), self._edge(last=by > 0))
        self._move(found if found != self._at else self._edge(last=by > 0), 1)

    def action_edge(self, last: bool) -> None:
        """Moves the cursor to the first or the last row."""
        edge = self._edge(last=last)
        if edge >= 0:
            self._move(edge, 0)
        self.scroll_to(y=self.max_scroll_y if last else 0, animate=False)

    def _edge(self, *, last: bool) -> int:
        order = range(len(self._rows) - 1, -1, -1) if last else range(len(self._rows))
        return next((i for i in order if self._rows[i].key), -1)

    def _taller_than_view(self, by: int) -> bool:
        """Whether the cursor's row has lines out of sight in this direction, so that it must be scrolled first."""
        if self._at < 0:
            return False
        top, end = self._tops[self._at] - self.scroll_offset.y, self._tops[self._at + 1] - self.scroll_offset.y
        return (end > self.size.height and top <= 0) if by > 0 else (top < 0 and end >= self.size.height)

    def _move(self, at: int, context: int) -> None:
        old, self._at, self._cursor = self._at, at, self._rows[at].key
        for index in {old, at}:
            self.draw_row(index)
        self.show_lines(self._tops[at], self._tops[at + 1] - 1, context=context)
        self.post_message(self.Moved(self, self._cursor))
