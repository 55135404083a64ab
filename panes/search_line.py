"""The search line: its text, and the filters in it that keys change."""

from __future__ import annotations

import re
from collections.abc import Sequence

from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive
from textual.widgets import Input

from panes.keymap import bindings
from panes.rows import inert


class FindInput(Input):
    """The text field. It asks by message; its screen decides."""

    BINDINGS = bindings("find")

    class Wanted(Message):
        """`what`: open, results, leave, or move (by `by` rows)."""

        def __init__(self, what: str, by: int = 0) -> None:
            super().__init__()
            self.what, self.by = what, by

    virtual_size = Reactive(Size(0, 0), layout=False)  # a longer text does not move what stands around it

    def __init__(self) -> None:
        hint = "words, or a question; kind:pdf lang:de after:2020 before:1999"
        super().__init__(id="find", placeholder=hint, select_on_focus=False)
        self.cursor_blink = False  # a blinking cursor costs 1,900 bytes a second over SSH

    @property
    def wanted(self) -> str:
        """What is to be looked for, as one line."""
        return inert(" ".join(self.value.split()))

    def action_open(self) -> None:
        self.post_message(self.Wanted("open"))

    def action_results(self) -> None:
        self.post_message(self.Wanted("results"))

    def action_leave(self) -> None:
        self.post_message(self.Wanted("leave"))

    def action_move(self, by: int) -> None:
        self.post_message(self.Wanted("move", by))


def filter_in(text: str, name: str) -> str:
    """The value of a filter in a query; empty when it has none."""
    found = re.search(_written(name), text, re.IGNORECASE)
    return found[1].lower() if found else ""


def with_filter(text: str, name: str, value: str) -> str:
    """The query with this filter in place of the former one; without it for an empty value."""
    rest = " ".join(re.sub(_written(name), " ", text, flags=re.IGNORECASE).split())
    return f"{rest} {name}:{value}".strip() if value else rest


def next_of(values: Sequence[str], value: str) -> str:
    """The value that comes after this one; empty after the last, the first after none."""
    at = values.index(value) + 1 if value in values else 0
    return values[at] if at < len(values) else ""


def _written(name: str) -> str:
    return rf"(?<!\S){'lang(?:uage)?' if name == 'lang' else name}:(\S+)"
