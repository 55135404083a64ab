"""A line that comes up to have something typed into it: words to find or to filter by, a value, a path."""

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

    virtual_size = Reactive(Size(0, 0), layout=False)  # a longer text does not move what stands around it

    def __init__(self) -> None:
        super().__init__(id="entry", select_on_focus=False)
        self.cursor_blink = False  # a blinking cursor costs 1,900 bytes a second over SSH

    def action_leave(self) -> None:
        self.post_message(EntryLine.Left())

    def action_step(self, by: int) -> None:
        self.post_message(EntryLine.Stepped(by))

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor(inert(" ".join(event.text.split())))


class EntryLine(Horizontal, Kept):
    """Not there until it is opened. It says with every character what stands in it; the screen decides what that does,
    and when it closes."""

    BLANK = True

    class Typed(Message):
        """Another text stands in the line."""

        def __init__(self, purpose: str, text: str) -> None:
            super().__init__()
            self.purpose, self.text = purpose, text

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
        self.purpose = ""
        self.display = False

    def compose(self) -> ComposeResult:
        yield Bar("entry-label")
        yield EntryInput()
        yield Bar("entry-note")

    @property
    def field(self) -> EntryInput:
        return self.query_one(EntryInput)

    def open(self, label: str, hint: str = "", text: str = "", *, purpose: str = "") -> None:
        """Shows the line with the keyboard in it; `hint` is read while it is empty."""
        self.purpose = purpose
        shown = self.query_one("#entry-label", Bar)
        shown.put(Content(inert(label)))
        shown.refresh(layout=True)  # it is as wide as its text
        self.note("")
        field = self.field
        field.placeholder = hint
        with field.prevent(Input.Changed):
            field.value = inert(text)
        field.cursor_position = len(field.value)
        self.display = True
        self.screen.set_focus(field)

    def close(self) -> None:
        self.display = False

    def note(self, text: str) -> None:
        """Says something at the end of the line: how many were found, why there is nothing."""
        self.query_one("#entry-note", Bar).put(Content(inert(text)))

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.display:
            self.post_message(self.Typed(self.purpose, event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Entered(self.purpose, event.value))
