"""What the four panes share: a name, a title, and word to the screen when they get the keyboard."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Region

from panes.messages import PaneFocused
from panes.rows import Pen, Row, blank
from panes.widgets.row_list import RowList

PANES = ("plan", "sources", "evidence", "report")
"""In the order of the keys 1 to 4."""


def titled(pane: str) -> str:
    """A pane's title: the key that leads to it and its name."""
    return f"{PANES.index(pane) + 1} {pane.capitalize()}" if pane in PANES else pane


class Pane(RowList):
    """A list that draws one part of a run's state. `show` is its fold: state in, rows out."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self.border_title = self._title = titled(id)

    def entitle(self, counted: str = "") -> None:
        """Writes the pane's title with a count of our own making."""
        title = f"{titled(self.id or '')}  {counted}" if counted else titled(self.id or "")
        if title != self._title:
            self._title = title
            self._border_title = Content(title)  # setting `border_title` would draw the whole pane again
            self.refresh(Region(0, -1, self.size.width, 1))

    def on_focus(self) -> None:
        self.post_message(PaneFocused(self.id or ""))


def empty(title: str, *lines: str) -> list[Row]:
    """The rows of a pane that has nothing to show yet: what will stand here, and when."""
    return [blank(), Pen().put(title, "strong").row(), *(Pen().put(line, "dim").row() for line in lines)]
