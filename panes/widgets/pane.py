"""What the four panes share: a name, and a title that is lit in the pane that has the keyboard."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip

from panes.looks import look
from panes.rows import Pen, Row, blank
from panes.widgets.line_view import LineView
from panes.widgets.row_list import RowList

PANES = ("plan", "sources", "evidence", "report")
"""In the order of the keys 1 to 4."""
HEAVY = str.maketrans("─┌", "━┍")
"""The line above a pane, and how it is where the pane has the keyboard."""


def titled(pane: str) -> str:
    """A pane's title: the key that leads to it and its name."""
    return f"{PANES.index(pane) + 1} {pane.capitalize()}" if pane in PANES else pane


class Titled(LineView):
    """A view that draws a part of a run, below a title that shows whether it has the keyboard."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self.border_title = self._title = titled(id)

    def entitle(self, counted: str = "") -> None:
        """Writes the pane's title with a count of our own making."""
        title = f"{titled(self.id or '')}  {counted}" if counted else titled(self.id or "")
        if title != self._title:
            self._title = title
            self._border_title = Content(title)  # setting `border_title` would draw the whole pane again
            self._draw_title()

    def draw_focus(self) -> None:
        super().draw_focus()
        self._draw_title()

    def render_lines(self, crop: Region) -> list[Strip]:
        """With the title lit where the pane has the keyboard. By a rule of the sheet it would cost a whole pane."""
        strips = super().render_lines(crop)
        if self.has_focus and not crop.y and self.styles.border_top[0]:
            strips[0] = self._lit(strips[0])
        return strips

    def _lit(self, line: Strip) -> Strip:
        rule, title = look("lit rule"), look("lit title")

        def part(text: str, style: Style | None) -> Segment:
            heavy = text.translate(HEAVY)
            return Segment(heavy, (style or Style.null()) + (title if heavy == text else rule))

        lit = Strip((part(text, style) for text, style, _ in line), line.cell_length)
        for line_filter in self.get_line_filters():
            lit = lit.apply_filter(line_filter, self.background_colors[1])
        return lit

    def _draw_title(self) -> None:
        if self.styles.border_top[0]:
            self.refresh(Region(0, 0, self.outer_size.width, 1).translate(-self.content_offset))


class Pane(Titled, RowList):
    """A list that draws one part of a run's state. `show` is its fold: state in, rows out."""


def empty(title: str, *lines: str) -> list[Row]:
    """The rows of a pane that has nothing to show yet: what will stand here, and when."""
    return [blank(), Pen().put(title, "strong").row(), *(Pen().put(line, "dim").row() for line in lines)]
