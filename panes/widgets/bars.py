"""The one-line bars: what is open, what waits for a decision, how the run stands, which keys there are."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from panes.keymap import Key
from panes.rows import inert
from panes.standing import decision, standing
from panes.widgets.kept import Kept
from panes.wrapping import cut

if TYPE_CHECKING:
    from panes.run_view import Snapshot

WIDE = 100
"""From so many columns on the panes stand side by side; below, each would be too narrow to read."""


class Bar(Kept):
    """A line of inert text that is only drawn again when it changed."""

    FOLDS = False
    """Whether the text may take more lines, so that a change of it moves what stands below."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._shown = Content("")

    def put(self, content: Content) -> None:
        if not self._shown.is_same(content):
            self._shown = content
            self.refresh()
            if self.FOLDS:
                self.refresh(layout=True)

    def render(self) -> Content:
        return self._shown

    @property
    def text(self) -> str:
        return self._shown.plain


class FittedBar(Bar):
    """A bar with more to say than may fit."""

    def fitted(self) -> Content:
        """What fits into the width that there is."""
        raise NotImplementedError

    def _size_updated(self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True) -> bool:
        changed = super()._size_updated(size, virtual_size, container_size, layout)
        if changed:
            self._shown = self.fitted()  # in time for the frame that shows the new size
        return changed


class TopLine(FittedBar):
    """The title of what is open; on a narrow screen the panes' tabs stand before it."""

    class TabClicked(Message):
        def __init__(self, pane: str) -> None:
            super().__init__()
            self.pane = pane

    def __init__(self) -> None:
        super().__init__("top")
        self._title, self._active = "", ""
        self._tabs: Sequence[tuple[str, str]] = ()

    def show(self, title: str, tabs: Sequence[tuple[str, str]] = (), active: str = "") -> None:
        """`tabs` are (pane, label) in order; none are shown when it is empty."""
        shown = (inert(title), tabs, active)
        if shown != (self._title, self._tabs, self._active):
            self._title, self._tabs, self._active = shown
            self.put(self.fitted())

    def on_click(self, event: events.Click) -> None:
        at = event.x - 1
        for pane, label in self._labels():
            if 0 <= at < len(label) + 2:
                self.post_message(self.TabClicked(pane))
            at -= len(label) + 2

    def _labels(self) -> Sequence[tuple[str, str]]:
        """The tabs' labels: without the names of the others where there is no room for all."""
        if sum(len(label) + 2 for _, label in self._tabs) <= self.size.width - 2:
            return self._tabs
        short = {pane: label[:1] + "*" * label.endswith("*") for pane, label in self._tabs}
        return [(pane, label if pane == self._active else short[pane]) for pane, label in self._tabs]

    def fitted(self) -> Content:
        parts: list[Content] = [
            Content.styled(f" {label} ", "reverse bold" if pane == self._active else "")
            for pane, label in self._labels()
        ]
        used = sum(len(part.plain) for part in parts)
        room = self.size.width - 2 - used - (2 if parts else 0)
        title = cut(self._title, room) if room > 8 else ""
        gap = " " * max(0, self.size.width - 2 - used - cell_len(title)) if parts else ""
        return Content.assemble(*parts, gap, (title, "bold" if not parts else "dim"))


class Notice(Bar):
    """What waits for the user: a plan to approve, an interrupted run. Not there when nothing does."""

    FOLDS = True

    def __init__(self) -> None:
        super().__init__("notice")
        self.display = False

    def show(self, snapshot: Snapshot | None) -> None:
        text = decision(snapshot) if snapshot else ""
        self.display = bool(text)
        self.put(Content(inert(text)))


class StatusLine(Bar):
    """Stage, time and counts. It is a still picture that changes at most once a second while a run goes on."""

    def __init__(self) -> None:
        super().__init__("status")
        self._snapshot: Snapshot | None = None
        self._idle = ""
        self._said = ""
        self._said_until = 0.0

    def on_mount(self) -> None:
        self.set_interval(1.0, self._tick)

    def show(self, snapshot: Snapshot | None, idle: str = "") -> None:
        """The run's line; `idle` is what stands there when no run is open."""
        self._snapshot, self._idle = snapshot, idle
        self._draw()

    def say(self, text: str) -> None:
        """Shows a short answer to what the user just did, for a few seconds."""
        self._said, self._said_until = inert(text), time.monotonic() + 4
        self._draw()

    def _tick(self) -> None:
        if self._said or (self._snapshot and self._snapshot.life == "running"):
            self._draw()

    def _draw(self) -> None:
        if self._said and time.monotonic() >= self._said_until:
            self._said = ""
        line = standing(self._snapshot) if self._snapshot else self._idle
        self.put(Content(f"{self._said}   {line}" if self._said else line))


class KeyLine(FittedBar):
    """At most five keys, for what has the keyboard."""

    def __init__(self) -> None:
        super().__init__("keys")
        self._keys: Sequence[Key] = ()

    def show(self, keys: Sequence[Key]) -> None:
        if keys != self._keys:
            self._keys = keys
            self.put(self.fitted())

    def fitted(self) -> Content:
        """As many keys as fit, the last one (help, which names the others) before all."""
        room = self.size.width - 2
        fitting: list[Key] = []
        for key in (*self._keys[-1:], *self._keys[:-1]):
            room -= len(key.shown) + len(key.label) + 4
            if room >= -3:
                fitting.append(key)
        parts: list[Content | str | tuple[str, str]] = []
        for key in (*fitting[1:], *fitting[:1]):
            parts += [(key.shown, "bold"), (f" {key.label}", "dim"), "   "]
        return Content.assemble(*parts[:-1])
