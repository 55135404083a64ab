"""Every claim of the open run that uses one source; choosing one leads to it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content

from panes.keymap import bindings, footer
from panes.rows import inert
from panes.screens.calm import CalmScreen
from panes.uses import Use, rows_of, uses_of
from panes.widgets.bars import Bar, KeyLine
from panes.widgets.pane import empty
from panes.widgets.row_list import RowList
from workstation.memory.state import ResearchState


class UsesScreen(CalmScreen[Use | None]):
    """Answers with the claim to go to, or with None."""

    BINDINGS = bindings("uses")
    AUTO_FOCUS = "#rows"
    SCOPES = ("list", "uses", "app")

    def __init__(self, state: ResearchState, number: int) -> None:
        super().__init__()
        self._state, self._number = state, number
        self._uses = uses_of(state, number)

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield RowList("rows")
        yield KeyLine()

    def on_mount(self) -> None:
        entry = self._state.entry(self._number)
        title = f"What uses [{self._number}] {(entry.title or entry.path) if entry else ''}"
        self.query_one("#top", Bar).put(Content.styled(inert(title), "bold"))
        self.query_one(KeyLine).show(footer(*self.scopes))
        nothing = empty("Nothing uses this source yet", "It is neither cited in the report nor quoted in the evidence.")
        self.query_one(RowList).set_rows(rows_of(self._uses) or nothing)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        self.dismiss(next((use for use in self._uses if use.id == event.key), None))

    def action_close(self) -> None:
        self.dismiss(None)
