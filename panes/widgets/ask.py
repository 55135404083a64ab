"""The ask line: what is to be asked or told, with what was said before a key away."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input, Label

from panes.asking import Asking
from panes.keymap import bindings
from panes.messages import AskLeft, PurposeChanged, Said
from panes.purpose import ASK, Purpose
from panes.rows import inert
from panes.widgets.kept import Kept

MODE_NEEDS = 60
"""On a narrower screen the question needs the room."""


class AskInput(Input):
    """The text field. Whatever is pasted becomes one inert line."""

    BINDINGS = bindings("ask")

    virtual_size = Reactive(Size(0, 0), layout=False)  # a longer text does not move what stands around it

    def __init__(self, asking: Asking) -> None:
        super().__init__(id="ask", placeholder=ASK.hint, select_on_focus=False)
        self.cursor_blink = False  # a blinking cursor costs 1,900 bytes a second over SSH
        self._asking = asking
        self._purpose = ASK
        self._back = 0
        self._kept = ""

    @property
    def purpose(self) -> Purpose:
        """What Enter does."""
        return self._purpose

    @purpose.setter
    def purpose(self, purpose: Purpose) -> None:
        self._purpose, self._back = purpose, 0
        self.placeholder = purpose.hint

    async def _on_key(self, event: events.Key) -> None:
        """The key that leads to the line does nothing more when one is there already."""
        if event.key == "slash" and not self.value:
            event.stop()
            event.prevent_default()
            return
        await super()._on_key(event)

    def action_older(self) -> None:
        self._recall(self._back + 1)

    def action_newer(self) -> None:
        self._recall(self._back - 1)

    def action_leave(self) -> None:
        self.post_message(AskLeft())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text = _tidy(event.value)
        if text or self.purpose.alone:
            self.post_message(Said(self.purpose.kind, text))

    def holds(self, said: Said) -> bool:
        """Whether this still stands in the line: what was entered twice in a hurry is said once."""
        return self.purpose.kind == said.kind and _tidy(self.value) == said.text

    def fill(self, text: str) -> None:
        """Puts a text there to be changed."""
        self.value = inert(_tidy(text))
        self.cursor_position = len(self.value)

    def taken(self, text: str) -> None:
        """What was said was understood: it goes to the history, and the line is free."""
        self._asking.remember([text], self.purpose.kind)
        self._back, self.value = 0, ""

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        text = inert(_tidy(event.text))
        if self.selection.is_empty:
            self.insert_text_at_cursor(text)
        else:
            self.replace(text, *self.selection)

    def _recall(self, back: int) -> None:
        """Shows what was said `back` times ago; 0 is what was being typed."""
        history = self._asking.history(self.purpose.kind)
        if not 0 <= back <= len(history):
            return
        if not self._back:
            self._kept = self.value
        self._back = back
        self.value = inert(history[-back]) if back else self._kept
        self.cursor_position = len(self.value)


class AskLine(Horizontal, Kept):
    """The field, before it what Enter will do, and behind it what a question will become: its depth and its format."""

    BLANK = True

    def __init__(self, asking: Asking) -> None:
        super().__init__(id="ask-line")
        self._asking = asking
        self._wanted = ASK
        self._label = ASK.label

    def compose(self) -> ComposeResult:
        yield Label(f"{self._label} ", id="ask-label")
        yield AskInput(self._asking)
        yield Label(self._mode, id="ask-mode")

    def on_resize(self, event: events.Resize) -> None:
        self._draw_label()

    @property
    def purpose(self) -> Purpose:
        """What the line serves."""
        return self._field.purpose

    @property
    def does(self) -> str:
        """What Enter will do, as the label says it."""
        return self._label

    def offer(self, purpose: Purpose, *, now: bool = False) -> None:
        """Makes the line serve `purpose`: at once, or as soon as it is empty. What is being typed keeps its meaning."""
        self._wanted = purpose
        if now or not self._field.value:
            self._take()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if event.value:
            self._draw_label()
        else:
            self._take()

    def _take(self) -> None:
        if self._field.purpose is not self._wanted:
            self._field.purpose = self._wanted
            self.post_message(PurposeChanged())
        self._draw_label()

    def _draw_label(self) -> None:
        """Draws what has become different: another label moves the field."""
        field = self._field
        label = field.purpose.does(empty=not field.value)
        if label != self._label:
            self._label = label
            self.query_one("#ask-label", Label).update(f"{label} ")
            self.post_message(PurposeChanged())
        mode, fits = self.query_one("#ask-mode", Label), self.size.width >= MODE_NEEDS and field.purpose is ASK
        if mode.display != fits:
            mode.display = fits

    @property
    def _field(self) -> AskInput:
        return self.query_one(AskInput)

    def show_mode(self) -> None:
        """Draws depth and format after they changed."""
        self.query_one("#ask-mode", Label).update(self._mode)

    @property
    def _mode(self) -> str:
        reach = " offline" if self._asking.offline else " web" if self._asking.web else ""
        return f" {self._asking.depth} {self._asking.format}{reach}"


def _tidy(text: str) -> str:
    return " ".join(text.split())
