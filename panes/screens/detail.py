"""Something shown in full over the screen: a line of a log, a list to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from panes.rows import Row
from panes.widgets.row_list import RowList


class DetailScreen(ModalScreen[str]):
    """Answers with the key of the row that was chosen, or with "" when it was closed. Rows without keys only stand
    there to be read."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,q", "close", "Close")]
    AUTO_FOCUS = "#help-text"

    def __init__(self, title: str, rows: Sequence[Row], at: str = "") -> None:
        super().__init__()
        self._title, self._rows, self._at = title, rows, at

    def compose(self) -> ComposeResult:
        with Vertical(id="help") as box:
            box.border_title = self._title
            box.border_subtitle = "Enter takes it, Esc closes" if any(row.key for row in self._rows) else "Esc closes"
            yield RowList(id="help-text")

    def on_mount(self) -> None:
        rows = self.query_one(RowList)
        rows.set_rows(self._rows)
        if self._at:
            self.call_after_refresh(rows.go_to, self._at)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.dismiss(event.key)

    def action_close(self) -> None:
        self.dismiss("")
