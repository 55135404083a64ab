"""Why this passage: a search done again, and the walk of one passage through it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from panes.doors import Doors
from panes.keymap import bindings
from panes.troubles import lines_of
from panes.why import WhyQuestion, why_rows
from panes.widgets.line_view import LineView
from panes.widgets.pane import empty
from workstation.errors import FloriError


class WhyText(LineView):
    """The answer, to be scrolled."""

    BINDINGS = bindings("text")


class WhyScreen(ModalScreen[None]):
    """Closes with Escape, or with the key that opened it."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,w,q", "dismiss", "Close")]
    AUTO_FOCUS = "#why-text"

    def __init__(self, doors: Doors, asked: WhyQuestion) -> None:
        super().__init__()
        self._doors, self._asked = doors, asked

    def compose(self) -> ComposeResult:
        with Vertical(id="why") as box:
            box.border_title = "Why this passage"
            box.border_subtitle = "Up, Down, Space   Esc closes"
            yield WhyText(id="why-text")

    def on_mount(self) -> None:
        self.query_one(WhyText).set_rows(empty("Searching once more ..."))
        self.run_worker(self._explain(), exit_on_error=False)

    async def _explain(self) -> None:
        asked = self._asked
        try:
            document = await self._doors.lookups().why(asked.query, asked.passage, asked.keep, asked.exclude)
            rows = why_rows(asked, document)
        except (FloriError, OSError) as error:
            title, *rest = lines_of(error)
            rows = empty(title, *rest)
        self.query_one(WhyText).set_rows(rows)
