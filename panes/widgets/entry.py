"""A line that comes up to ask for one thing: words to filter by, a value, a path."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Label

from panes.keymap import bindings
from panes.rows import inert


class EntryInput(Input):
    """The field. Whatever is pasted becomes one inert line."""

    BINDINGS = bindings("entry")

    def __init__(self) -> None:
        super().__init__(id="entry", select_on_focus=False)
        self.cursor_blink = False  # see AskInput

    def action_leave(self) -> None:
        self.post_message(EntryLine.Left())

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor(inert(" ".join(event.text.split())))


class EntryLine(Horizontal):
    """Not there until `ask` is called. The screen decides what an answer does, and calls `close`."""

    class Typed(Message):
        """What stands in the line while it is being written."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Entered(Typed):
        """What was written is to be taken."""

    class Left(Message):
        """The line was left without an answer."""

    def __init__(self) -> None:
        super().__init__(id="entry-line")

    def compose(self) -> ComposeResult:
        yield Label("", id="entry-label", markup=False)
        yield EntryInput()

    def ask(self, label: str, value: str = "", hint: str = "") -> None:
        """Comes up with a label, what is written there to begin with, and a hint while it is empty."""
        self.query_one(Label).update(f"{label} ")
        field = self.query_one(EntryInput)
        with field.prevent(Input.Changed):
            field.value = inert(value)
        field.placeholder, field.cursor_position = hint, len(field.value)
        self.display = True
        self.screen.set_focus(field)

    def close(self) -> None:
        self.display = False

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Typed(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Entered(event.value))
