"""A page to read: rows that are made for the width, a title, and the way back."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult
from textual.content import Content

from panes.keymap import bindings, footer
from panes.rows import Row, inert
from panes.screens.calm import CalmScreen
from panes.widgets.bars import Bar, KeyLine
from panes.widgets.line_view import LineView

Make = Callable[[int], list[Row]]
"""Makes the rows for a width in cells."""


class PageText(LineView):
    """The rows, made anew where the width is another one."""

    BINDINGS = bindings("text")

    def __init__(self, make: Make) -> None:
        super().__init__("text")
        self._make = make

    def reflow(self) -> None:
        self.set_rows(self._make(self.text_width))


class PageScreen(CalmScreen[None]):
    """Nothing on it can be chosen."""

    BINDINGS = bindings("page")
    AUTO_FOCUS = "#text"
    SCOPES = ("text", "page", "app")

    def __init__(self, title: str, make: Make) -> None:
        super().__init__()
        self._title, self._make = title, make

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield PageText(self._make)
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#top", Bar).put(Content.styled(inert(self._title), "bold"))
        self.query_one(KeyLine).show(footer(*self.scopes))

    def action_close(self) -> None:
        self.dismiss()
