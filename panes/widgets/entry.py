"""A line to type something into that the screen acts on at once: what to find, where to go, what to filter by."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive
from textual.widgets import Input

from panes.keymap import bindings
from panes.rows import inert
from panes.widgets.bars import Bar
from panes.widgets.kept import Kept


class EntryInput(Input):
    """The text field. What is pasted becomes one inert line."""

    BINDINGS = bindings("entry")

    virtual_size = Reactive(Size(0, 0), layout=False)

    def __init__(self) -> None:
        super().__init__(id="entry", select_on_focus=False)
        self.cursor_blink = False

    def action_leave(self) -> None:
        self.post_message(EntryLine.Left())

    def action_step(self, by: int) -> None:
        self.post_message(EntryLine.Stepped(by))

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor(inert(" ".join(event.text.split())))


class EntryLine(Horizontal, Kept):
    """Not there until it is opened. It says with every character what stands in it."""

    BLANK = True

    class Typed(Message):
        """Another text stands in the line."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Entered(Typed):
        """Enter was pressed."""

    class Stepped(Message):
        """The next (1) or the previous (-1) of what was found is wanted."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class Left(Message):
        """The line was given up."""

    def __init__(self) -> None:
        super().__init__(id="entry-line")
        self.display = False

    def compose(self) -> ComposeResult:
        yield Bar("entry-label")
        yield EntryInput()
        yield Bar("entry-note")

    @property
    def field(self) -> EntryInput:
        return self.query_one(EntryInput)

    def open(self, label: str, hint: str, text: str = "") -> None:
        """Shows the line with the keyboard in it."""
        self.query_one("#entry-label", Bar).put(Content(label))
        self.note("")
        field = self.field
        field.placeholder = hint
        with field.prevent(Input.Changed):
            field.value = inert(text)
        field.cursor_position = len(field.value)
        self.display = True
        field.focus(scroll_visible=False)

    def note(self, text: str) -> None:
        """Says something at the end of the line: how many were found, why there is nothing."""
        self.query_one("#entry-note", Bar).put(Content(inert(text)))

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.display:
            self.post_message(self.Typed(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Entered(event.value))
