"""Help: every key of the screen below, by what it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from panes.keymap import Scope, name, of
from panes.rows import Pen, Row, blank
from panes.widgets.line_view import LineView
from panes.wrapping import pad

TITLES: dict[Scope, str] = {
    "app": "Everywhere",
    "home": "Home",
    "research": "Research",
    "ask": "In the ask line",
    "talk": "In the ask line of a run",
    "list": "In a list",
    "report": "In the report",
    "evidence": "In the evidence",
    "plan": "In a plan that waits for approval",
    "reader": "In the reader",
    "text": "In the text",
    "entry": "In the line",
    "uses": "Claims that use a source",
    "sources": "In the sources",
    "runs": "Runs",
    "page": "This page",
    "library": "Library",
    "details": "Details of a source",
    "jobs": "Jobs",
    "models": "Models",
    "outbound": "Outbound",
    "settings": "Settings",
    "search": "Search",
    "find": "In the search line",
}
KEYS_WIDTH = 16


class HelpScreen(ModalScreen[None]):
    """Closes with Escape, or with the key that opened it."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,f1,question_mark,q", "dismiss", "Close")]
    AUTO_FOCUS = "#help-text"

    def __init__(self, scopes: Sequence[Scope]) -> None:
        super().__init__()
        self._scopes = scopes

    def compose(self) -> ComposeResult:
        with Vertical(id="help") as box:
            box.border_title = "Keys"
            box.border_subtitle = "Esc closes"
            yield LineView(id="help-text")

    def on_mount(self) -> None:
        self.query_one(LineView).set_rows(help_rows(self._scopes))


def help_rows(scopes: Sequence[Scope]) -> list[Row]:
    """The table of keys for these scopes."""
    rows: list[Row] = []
    for scope in scopes:
        keys = of(scope)
        if keys:
            rows += [blank()] if rows else []
            rows.append(Pen().put(TITLES[scope], "heading").row())
            for key in keys:
                names = pad(", ".join(name(k) for k in key.keys.split(",")), KEYS_WIDTH)
                rows.append(Pen().put(names, "key").put(" ").put(key.help).row(hang=KEYS_WIDTH + 1))
    return rows
