"""The text of a source on the screen: any character of it can be brought into sight."""

from __future__ import annotations

from textual.message import Message

from panes.finding import CHOSEN
from panes.keymap import bindings
from panes.source_text import SourceText
from panes.widgets.line_view import LineView


class ReaderText(LineView):
    """The text, with all places marked and one of them chosen."""

    BINDINGS = bindings("text")

    class Scrolled(Message):
        """Another part of the text is in sight."""

    def __init__(self) -> None:
        super().__init__("text")
        self._source = SourceText("", (), {})

    def show(self, source: SourceText) -> None:
        self._source = source
        self.set_rows(source.rows)

    @property
    def offset_in_sight(self) -> int:
        """Where in the text the first line in sight begins."""
        top = self.scroll_offset.y
        row = self.row_at(top)
        if row < 0:
            return 0
        return self._source.offset(row) + self.rows[row].lines(self.text_width)[top - self.row_top(row)][0]

    def is_target(self, target: str) -> bool:
        return target == CHOSEN

    def sign(self, index: int, line: int) -> str:
        row = self.rows[index]
        start, end = row.lines(self.text_width)[line]
        return "▌" if any(s.target == CHOSEN and s.start < end and start < s.end for s in row.spans) else " "

    def show_offset(self, offset: int, *, top: bool = False) -> None:
        """Brings the character at `offset` into sight, with some lines before it, or to the top."""
        row = self._source.row_at(offset)
        if row < 0:
            return
        column = self._source.column(row, offset)
        line = self.row_top(row) + sum(end <= column for _, end in self.rows[row].lines(self.text_width)[:-1])
        if top:
            self.scroll_to(y=line, animate=False)
        else:
            self.show_lines(line, line, context=min(6, self.size.height // 3))

    def watch_scroll_y(self, old: float, new: float) -> None:
        super().watch_scroll_y(old, new)
        self.post_message(self.Scrolled())
