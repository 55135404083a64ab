"""The ask line: a question, with those asked before it a key away."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input, Label

from panes.asking import Asking
from panes.keymap import bindings
from panes.messages import AskLeft, QuestionAsked
from panes.rows import inert
from panes.widgets.kept import Kept

MODE_NEEDS = 60
"""On a narrower screen the question needs the room."""


class AskInput(Input):
    """The text field. Whatever is pasted becomes one inert line."""

    BINDINGS = bindings("ask")

    virtual_size = Reactive(Size(0, 0), layout=False)  # a longer text does not move what stands around it

    def __init__(self, asking: Asking) -> None:
        super().__init__(id="ask", placeholder="Ask your library a question", select_on_focus=False)
        self.cursor_blink = False  # a blinking cursor costs 1,900 bytes a second over SSH
        self._asking = asking
        self._back = 0
        self._kept = ""

    def action_older(self) -> None:
        self._recall(self._back + 1)

    def action_newer(self) -> None:
        self._recall(self._back - 1)

    def action_leave(self) -> None:
        self.post_message(AskLeft())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        question = " ".join(event.value.split())
        if question:
            self.post_message(QuestionAsked(question))

    def taken(self, question: str) -> None:
        """The question became a run: it goes to the history, and the line is free."""
        self._asking.remember([question])
        self._back, self.value = 0, ""

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        text = inert(" ".join(event.text.split()))
        if self.selection.is_empty:
            self.insert_text_at_cursor(text)
        else:
            self.replace(text, *self.selection)

    def _recall(self, back: int) -> None:
        """Shows the question asked `back` questions ago; 0 is what was being typed."""
        history = self._asking.history
        if not 0 <= back <= len(history):
            return
        if not self._back:
            self._kept = self.value
        self._back = back
        self.value = inert(history[-back]) if back else self._kept
        self.cursor_position = len(self.value)


class AskLine(Horizontal, Kept):
    """The field with what a question will become: its depth and its format."""

    BLANK = True

    def __init__(self, asking: Asking) -> None:
        super().__init__(id="ask-line")
        self._asking = asking

    def compose(self) -> ComposeResult:
        yield Label("Ask ", id="ask-label")
        yield AskInput(self._asking)
        yield Label(self._mode, id="ask-mode")

    def on_resize(self, event: events.Resize) -> None:
        mode, fits = self.query_one("#ask-mode", Label), event.size.width >= MODE_NEEDS
        if mode.display != fits:
            mode.display = fits

    def show_mode(self) -> None:
        """Draws depth and format after they changed."""
        self.query_one("#ask-mode", Label).update(self._mode)

    @property
    def _mode(self) -> str:
        return f" {self._asking.depth} {self._asking.format}"
