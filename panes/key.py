"""One key of the table: what it does, where, and how it is called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scope = Literal[
    "app",
    "home",
    "research",
    "ask",
    "talk",
    "list",
    "report",
    "evidence",
    "plan",
    "reader",
    "text",
    "entry",
    "uses",
    "sources",
    "runs",
    "page",
    "library",
    "details",
    "jobs",
    "models",
    "outbound",
    "settings",
    "search",
    "find",
]

NAMES = {
    "slash": "/",
    "question_mark": "?",
    "full_stop": ".",
    "delete": "Del",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "minus": "-",
    "escape": "Esc",
    "enter": "Enter",
    "tab": "Tab",
    "shift+tab": "Shift+Tab",
    "up": "Up",
    "down": "Down",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "insert": "Ins",
    "plus": "+",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "comma": ",",
    "colon": ":",
}


def name(key: str) -> str:
    """How a key is called on the screen."""
    if known := NAMES.get(key):
        return known
    if key.startswith("ctrl+"):
        return f"Ctrl+{name(key.removeprefix('ctrl+')).capitalize()}"
    return key.upper() if key[0] == "f" and key[1:].isdigit() else key


@dataclass(frozen=True, slots=True)
class Key:
    """One action. `keys` are Textual's names, the first one is shown; `footer` orders the key line (0: not there).

    `palette` names the entry in the command palette; without one the action only makes sense at the cursor.
    """

    id: str
    scope: Scope
    keys: str
    action: str
    label: str
    help: str
    footer: int = 0
    palette: str = ""

    @property
    def name(self) -> str:
        """How `[keys]` in config.toml and Textual call this action."""
        return f"{self.scope}.{self.id}"

    @property
    def shown(self) -> str:
        """The first key as a person would name it."""
        return name(self.keys.split(",")[0])
