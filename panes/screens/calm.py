"""What all screens of ours share: a key costs one frame, and only what changed is in it."""

from __future__ import annotations

import asyncio
from typing import ClassVar, TypeVar

from textual import events
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget

from panes.keymap import Scope, footer
from panes.widgets.bars import KeyLine

Result = TypeVar("Result")
HOPS = 3
"""Turns of the event loop that a frame waits for: from widget to screen, a change is passed on from task to task."""


class CalmScreen(Screen[Result]):
    """Collects what belongs together into one frame."""

    SCOPES: ClassVar[tuple[Scope, ...]] = ("app",)
    """Of all keys that the screen has, from inside out."""
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)  # Textual would draw the whole screen again
    _held = False

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Of the keys that work where the keyboard is, from inside out."""
        return self.SCOPES

    @property
    def gone(self) -> bool:
        """Whether the screen was closed while something was waited for: then there is nothing left to draw on."""
        return not self.is_attached or not self.query(KeyLine)

    def show_keys(self) -> None:
        """Shows the keys that work where the keyboard is, where the screen has a line for them."""
        for line in self.query(KeyLine):
            line.show(footer(*self.scopes))

    async def on_idle(self, event: events.Idle) -> None:
        """Lets the widgets have their say before Textual draws: a second frame would come 17 ms later."""
        for _ in range(HOPS):
            await asyncio.sleep(0)
        self._held = bool(self.message_queue_size) and not self._held  # once: a stream of messages must not hold it up
        if self._held:
            event.prevent_default()
