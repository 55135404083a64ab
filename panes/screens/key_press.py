"""Waits for the key that an action is to have, and takes no key that could not be it."""

from __future__ import annotations

from collections.abc import Mapping

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen

from panes.keymap import Key, name
from panes.own_keys import NotAKey, clash, read
from panes.rows import Pen, Row, blank
from panes.widgets.line_view import LineView


class KeyPressScreen(ModalScreen[str]):
    """Answers with the key in Textual's words, or with "" when Escape was pressed."""

    AUTO_FOCUS = "#help-text"

    def __init__(self, key: Key, own: Mapping[str, str]) -> None:
        super().__init__()
        self._key, self._own = key, dict(own)

    def compose(self) -> ComposeResult:
        with Vertical(id="help") as box:
            box.border_title = "Another key"
            box.border_subtitle = "Esc leaves it as it is"
            yield LineView(id="help-text")

    def on_mount(self) -> None:
        self._ask()

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self.dismiss("")
            return
        try:
            keys = read(self._key.name, event.key)
        except NotAKey as error:
            self._ask(str(error))
            return
        if other := clash(self._key.name, self._own | {self._key.name: keys}):
            self._ask(f"{name(other[0])} is the key of {other[1].name} at the same time: {other[1].help}")
            return
        self.dismiss(keys)

    def _ask(self, why_not: str = "") -> None:
        rows: list[Row] = [
            Pen().put("Press the key for ").put(self._key.name, "strong").row(),
            Pen().put(self._key.help, "dim").row(),
        ]
        if why_not:
            rows += [blank(), Pen().put("! ", "warn").put(why_not).row(hang=2)]
        self.query_one(LineView).set_rows(rows)
