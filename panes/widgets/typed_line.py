"""A line that is there while something is typed: a filter, a path. What it is for stands before it."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive
from textual.widgets import Input, Label

from panes.keymap import bindings
from panes.rows import inert
from panes.widgets.kept import Kept


class TypedInput(Input):
    """The field. Whatever is pasted becomes one inert line."""

    BINDINGS = bindings("typed")

    virtual_size = Reactive(Size(0, 0), layout=False)  # a longer text does not move what stands around it

    def __init__(self) -> None:
        super().__init__(id="typed-field", select_on_focus=False)
        self.cursor_blink = False  # a blinking cursor costs 1,900 bytes a second over SSH

    def action_leave(self) -> None:
        self.post_message(TypedLine.Left())

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor(inert(" ".join(event.text.split())))


class TypedLine(Horizontal, Kept):
    """Hidden until `open`. The screen decides when it closes."""

    BLANK = True

    class Typed(Message):
        """The text has become another one."""

        def __init__(self, purpose: str, text: str) -> None:
            super().__init__()
            self.purpose, self.text = purpose, text

    class Entered(Typed):
        """Enter was pressed."""

    class Left(Message):
        """Escape was pressed."""

    def __init__(self) -> None:
        super().__init__(id="typed")
        self.purpose = ""
        self.display = False

    def compose(self) -> ComposeResult:
        yield Label("", id="typed-label")
        yield TypedInput()

    @property
    def field(self) -> TypedInput:
        return self.query_one(TypedInput)

    def open(self, purpose: str, label: str, hint: str, text: str = "") -> None:
        """Shows the line with the keyboard in it."""
        field = self.field
        self.purpose, field.placeholder = purpose, hint
        self.query_one("#typed-label", Label).update(f"{label} ")
        with field.prevent(Input.Changed):
            field.value = text
        field.cursor_position = len(text)
        self.display = True
        self.screen.set_focus(field)

    def close(self) -> None:
        self.display = False

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.display:
            self.post_message(self.Typed(self.purpose, event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Entered(self.purpose, event.value))
