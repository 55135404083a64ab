"""The report's text on the screen, with a cursor that goes from citation to citation."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.message import Message

from panes.citations import Citation
from panes.doubts import SIGNS
from panes.keymap import bindings
from panes.messages import CitationFollowed
from panes.rows import Row
from panes.widgets.pane import Titled


class ReportText(Titled):
    """The text with a cursor that goes from citation to citation."""

    BINDINGS = bindings("report")

    class CitationReached(Message):
        """The cursor stands on another citation, or on none."""

        def __init__(self, citation: Citation | None) -> None:
            super().__init__()
            self.citation = citation

    def __init__(self, remake: Callable[[], None]) -> None:
        """`remake` is called when the text's width has changed: tables depend on it."""
        super().__init__("report")
        self._citations: list[Citation] = []
        self._chosen = ""
        self._remake = remake

    def reflow(self) -> None:
        self._remake()

    def sign(self, index: int, line: int) -> str:
        """A sign before every line of a sentence that is not to be taken on trust."""
        row = self.rows[index]
        styles = {span.style for span in row.spans if span.style in SIGNS}
        if not styles:
            return " "
        start, end = row.lines(self.text_width)[line]
        here = {span.style for span in row.spans if span.style in styles and span.start < end and start < span.end}
        return next((sign for style, sign in reversed(SIGNS.items()) if style in here), " ")

    @property
    def citation(self) -> Citation | None:
        """The citation under the cursor."""
        return next((c for c in self._citations if c.target == self._chosen), None)

    def set_text(self, rows: list[Row], citations: list[Citation]) -> None:
        self._citations = citations
        self.set_rows(rows)
        if self._chosen and self.citation is None:
            self._choose("")

    def is_target(self, target: str) -> bool:
        return target == self._chosen

    def action_cite(self, by: int) -> None:
        """Goes to the next citation or the one before; the first time, to the first one in sight."""
        if not self._citations:
            return
        at = next((i for i, c in enumerate(self._citations) if c.target == self._chosen), None)
        if at is None:
            order = self._citations if by > 0 else self._citations[::-1]
            top, end = self.scroll_offset.y, self.scroll_offset.y + self.size.height
            goal = next((c for c in order if top <= self.line_of(c.target) < end), order[0])
        else:
            goal = self._citations[(at + by) % len(self._citations)]
        self._choose(goal.target)

    def go_to(self, target: str) -> None:
        """Moves the cursor to a citation, if it is there."""
        if any(citation.target == target for citation in self._citations):
            self._choose(target)

    def action_section(self, by: int) -> None:
        """Goes to the next heading or the one before; from there, n goes to the first citation in sight."""
        tops = [self.row_top(i) for i, row in enumerate(self.rows) if any(s.style == "heading" for s in row.spans)]
        here = self.scroll_offset.y
        goal = next((top for top in (tops if by > 0 else reversed(tops)) if (top - here) * by > 0), None)
        if goal is not None:
            self.scroll_to(y=goal, animate=False)
            if self._chosen:
                self._choose("")

    def action_follow(self) -> None:
        if self.citation is None:
            self.action_cite(1)
        else:
            self.post_message(CitationFollowed(self.citation))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        target = self.target_at(offset.x, offset.y) if offset else ""
        if target and target == self._chosen:
            self.action_follow()
        elif target:
            self._choose(target)

    def _choose(self, target: str) -> None:
        before, self._chosen = self._chosen, target
        for changed in filter(None, (before, target)):
            self.draw_row(self.row_at(self.line_of(changed)))
        if target:
            line = self.line_of(target)
            self.show_lines(line, line, context=2)
        self.post_message(self.CitationReached(self.citation))
