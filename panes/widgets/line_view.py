"""A scrolling view of rows that draws only the lines in sight: the base of every pane and of the reader.

What a key or a snapshot costs is decided here: more or fewer rows ask for no layout of the screen, the keyboard asks
for no style of the sheet, and only what changed is drawn again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip

from panes.looks import look, palette
from panes.rows import Row, Span
from panes.widgets.kept import Kept, KeptScrollBar

GUTTER = 1
"""One column at the left for a sign: where the cursor stands, or what is marked."""
UNSEEN = 80
"""The width of a view that was never shown: rows that are set meanwhile are wrapped to it, for nothing at worst."""


MANY = 3_000
"""So many rows are measured in the time of a frame."""
SIGHTS = 8
"""How often rows come into sight because others were measured, at most."""


class LineView(ScrollView, Kept, can_focus=True):
    """Draws rows, wrapped to its width. `set_rows` keeps what is in sight in its place when rows come in above it."""

    def __init__(self, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows: Sequence[Row] = []
        self._tops: Sequence[int] = [0]
        self._heights: list[int] = []
        self._width, self._laid_out_at = UNSEEN, 0
        self._styles: dict[tuple[str, ...], Style] = {}

    @property
    def text_width(self) -> int:
        """The cells that a row's text can take, or could when the view was last shown."""
        return max(1, self._width - GUTTER)

    @property
    def rows(self) -> Sequence[Row]:
        return self._rows

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Shows `rows`. Only what follows the first changed row is laid out again, and only what changed is drawn."""
        rows = list(rows)
        changed = [at for at in range(min(len(rows), len(self._rows))) if not rows[at].same(self._rows[at])]
        same = changed[0] if changed else min(len(rows), len(self._rows))
        if same == len(rows) == len(self._rows):
            return
        anchor, before = self._anchor(), self._tops
        self._rows = rows
        self.settle()
        self._lay_out(same)
        self._hold(anchor)
        self._draw_changed(changed, same, before)

    def row_top(self, index: int) -> int:
        """The line on which the row at `index` begins."""
        return self._tops[index]

    def row_at(self, line: int) -> int:
        """The index of the row that covers `line`; -1 when there is none."""
        return bisect_right(self._tops, line) - 1 if 0 <= line < self._tops[-1] else -1

    def line_of(self, target: str) -> int:
        """The line on which the first span with this target begins; 0 when there is none."""
        for index, row in enumerate(self._rows):
            for span in row.spans:
                if span.target == target:
                    return self._tops[index] + sum(end <= span.start for _, end in row.lines(self.text_width))
        return 0

    def draw_row(self, index: int) -> None:
        """Draws the row at `index` again, if there is one."""
        if 0 <= index < len(self._rows):
            self.refresh_lines(self._tops[index], self._tops[index + 1] - self._tops[index])

    def target_at(self, x: int, y: int) -> str:
        """The target under a cell of the view; empty when there is none."""
        line = y + self.scroll_offset.y
        index = self.row_at(line)
        if index < 0:
            return ""
        row, number = self._rows[index], line - self._tops[index]
        start, end = row.lines(self.text_width)[number]
        x -= GUTTER + (row.hang if number else 0)
        return next((s.target for s in row.spans if s.target and s.start <= start + x < min(s.end, end)), "")

    def reset(self) -> None:
        """Back to the beginning, for other rows."""
        self.set_rows([])
        self.scroll_to(y=0, animate=False)

    def show_lines(self, first: int, last: int, *, context: int = 0) -> None:
        """Scrolls as little as needed to bring the lines first..last into sight, the first above all."""
        top, height = round(self.scroll_target_y), max(1, self.size.height)
        if first - context < top:
            self.scroll_to(y=max(0, first - context), animate=False)
        elif last + context >= top + height:
            fits = last - first < height
            self.scroll_to(y=min(first - context, last + context - height + 1) if fits else first, animate=False)

    def _draw_changed(self, changed: Sequence[int], same: int, before: Sequence[int]) -> None:
        """Draws what is different: single rows where they kept their places, else all from the first one on."""
        last = changed[-1] + 1 if changed else 0
        kept = last and len(before) == len(self._tops) and before[last:] == self._tops[last:]
        for at in changed if kept else ():
            self.draw_row(at)
        first = max(0, self._tops[same] - self.scroll_offset.y)
        end = min(self.size.height, max(before[-1], self._tops[-1]) - self.scroll_offset.y)
        if not kept and first < end:
            self.refresh(Region(0, first, self.size.width, end - first))

    def settle(self) -> None:
        """Called when other rows were set, before they are laid out."""

    def reflow(self) -> None:
        """For views whose rows depend on the width: called when it has changed, before the layout."""

    def _on_hide(self, event: events.Hide) -> None:
        """Keeps the keyboard: the screen that hides a view says itself where the focus goes.

        Textual would pass it on to the next widget when the event comes, which may be long after the view was shown
        again, and what is typed would go to the ask line.
        """
        event.prevent_default()

    def _on_focus(self, event: events.Focus) -> None:
        self._focus_changed(event, True)

    def _on_blur(self, event: events.Blur) -> None:
        self._focus_changed(event, False)

    def _focus_changed(self, event: events.Event, has_focus: bool) -> None:
        """Takes the place of Textual's handlers, which draw the whole view again."""
        event.prevent_default()
        self.has_focus = has_focus
        self.draw_focus()

    def watch_has_focus(self, has_focus: bool) -> None:
        """Takes the place of Textual's watcher, which matches the sheet anew: no rule asks whether a view has focus."""

    def draw_focus(self) -> None:
        """Draws again what looks different with the keyboard and without it."""

    def _size_updated(self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True) -> bool:
        """Called in every layout: only another size, or another border within it, means anything."""
        if size == self._size and size - self.styles.gutter.totals == self._container_size:
            return False
        anchor = self._anchor()
        self._set_dirty()
        super()._size_updated(size, virtual_size, container_size, layout)
        self._width = max(0, self.container_size.width - self.scrollbar_size_vertical)
        if self.text_width != self._laid_out_at:
            self.reflow()
            self._lay_out(0)
            self._hold(anchor)
        return True

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        if self._vertical_scrollbar is None:
            self._vertical_scrollbar = bar = KeptScrollBar(name="vertical")
            bar.display = False
            self.app._start_widget(self, bar)
        return self._vertical_scrollbar

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles.clear()
        self.refresh()  # in another theme a look may be another one where the view's own rules are the same

    def render_line(self, y: int) -> Strip:
        line = y + self.scroll_offset.y
        index = self.row_at(line)
        if index < 0:
            return Strip.blank(self._width, self._style())
        row = self._rows[index]
        cursor = () if not self.is_chosen(index) else ("cursor with the keyboard" if self.has_focus else "cursor",)

        def style(span: Span | None) -> Style:
            if span is None:
                return self._style(*cursor)
            target = ("target",) if span.target and self.is_target(span.target) else ()
            return self._style(span.style, *cursor, *target)

        gutter = Segment(self.sign(index, line - self._tops[index]), style(None))
        text = row.segments(line - self._tops[index], self._laid_out_at, style)
        return Strip([gutter, *text]).adjust_cell_length(self._width, style(None))

    def sign(self, index: int, line: int) -> str:
        """The sign (one cell) before line number `line` of the row at `index`."""
        return "▌" if self.is_chosen(index) else " "

    def is_chosen(self, index: int) -> bool:
        """Whether the row is the chosen one."""
        return False

    def is_target(self, target: str) -> bool:
        """Whether the span's target is the chosen one."""
        return False

    def anchor_row(self) -> int:
        """The row that should stay where it is on the screen: by default the first one in sight."""
        return self.row_at(self.scroll_offset.y)

    def _anchor(self) -> tuple[Row, int] | None:
        index = self.anchor_row()
        if index < 0 or not self.scroll_offset.y:
            return None
        return self._rows[index], self._tops[index] - self.scroll_offset.y

    def _hold(self, anchor: tuple[Row, int] | None) -> None:
        if anchor is None:
            return
        row, distance = anchor
        index = next((i for i, r in enumerate(self._rows) if r is row or (row.key and r.key == row.key)), None)
        if index is not None:
            self.scroll_to(y=max(0, self._tops[index] - distance), animate=False)

    def _lay_out(self, same: int) -> None:
        """Finds on which line each row begins; the first `same` rows keep their places.

        Of very many rows only those in sight are measured. Of the others it is known about how high they are, until
        they come into sight.
        """
        width = self.text_width
        if width != self._laid_out_at:
            self._laid_out_at, same = width, 0
        rows = self._rows[same:]
        if len(self._rows) <= MANY:
            self._heights[same:] = [len(row.lines(width)) for row in rows]
        else:
            self._heights[same:] = [row.height(width) for row in rows]
        self._place(same)
        if len(self._rows) > MANY:
            self._measure_sight()

    def _place(self, first: int) -> None:
        """Puts the rows from index `first` on one below the other."""
        tops = self._tops[:first]
        self._tops = [*tops, *accumulate(self._heights[first:], initial=self._tops[first] if first else 0)]
        self._take_size()

    def _take_size(self) -> None:
        """The lines that there are, for the scroll bar."""
        size = Size(self._width, self._tops[-1])
        if size != self.virtual_size:
            self.virtual_size = size
            self._scroll_update(size)

    def watch_scroll_y(self, old: float, new: float) -> None:
        super().watch_scroll_y(old, new)
        if len(self._rows) > MANY:
            self._measure_sight()

    def _measure_sight(self) -> None:
        """Measures what is in sight; the row that stands first, or the one under the cursor, stays where it is."""
        for _ in range(SIGHTS):
            top = self.scroll_offset.y
            first = max(0, self.row_at(top))
            last = bisect_right(self._tops, top + self.size.height)
            if not self._measure(range(first, min(last, len(self._rows)))):
                return

    def _measure(self, these: range) -> bool:
        """Measures these rows; whether one of them has another height than it had."""
        width, changed = self._laid_out_at, -1
        for at in these:
            if not self._rows[at].measured(width):
                height = len(self._rows[at].lines(width))
                if height != self._heights[at]:
                    self._heights[at] = height
                    changed = at if changed < 0 else changed
        if changed >= 0:
            anchor = max(0, self.anchor_row())
            distance = self._tops[anchor] - self.scroll_offset.y
            self._place(changed)
            moved = max(0, self._tops[anchor] - distance)
            if moved != self.scroll_offset.y:
                self.scroll_to(y=moved, animate=False)
        return changed >= 0

    def _style(self, *names: str) -> Style:
        """The view's own style with these looks over it."""
        found = self._styles.get(names)
        if found is None:
            looks = palette(dark=self.app.current_theme.dark, ansi=self.app.native_ansi_color)
            found = self._styles[names] = look(*names, over=self.visual_style, looks=looks)
        return found
