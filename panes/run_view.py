"""Follows one run folder and posts what changed. The panes' only source."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

from textual.widget import Widget

from panes.following import DRAFT, Follower, Snapshot, unfinished
from panes.messages import StateChanged
from workstation.errors import FloriError

__all__ = ["DRAFT", "Follower", "RunView", "Snapshot", "unfinished"]

POLL_S = 0.25
"""Four looks a second: fast enough to read along, and what a status line may cost over a slow line."""


class RunView(Widget):
    """Follows the run that it is told to, and posts StateChanged. It is never seen."""

    DEFAULT_CSS = "RunView { display: none; }"

    def __init__(self, folder: Path, *, launched: bool, settle: Callable[[Path], None]) -> None:
        """`settle` completes the files of a run that nobody works on."""
        super().__init__()
        self._settle, self._settled = settle, False
        self._follower = Follower(folder, launched=launched)

    @property
    def snapshot(self) -> Snapshot:
        """The run as it was last read."""
        return self._follower.snapshot

    def follow(self, folder: Path, *, launched: bool = False) -> None:
        """Follows `folder` from now on; `launched` says that an engine was just started on it."""
        self._follower, self._settled = Follower(folder, launched=launched), False

    def expect_engine(self) -> None:
        """An engine was just started on the run that is followed."""
        self._follower.expect_engine()

    def hurry(self) -> None:
        """Something was just done to the run that is followed."""
        self._follower.hurry()

    def on_mount(self) -> None:
        self.set_interval(POLL_S, self._look)

    async def _look(self) -> None:
        follower = self._follower
        if not follower.changed():
            return
        snapshot = await asyncio.to_thread(follower.read)
        if snapshot is None or follower is not self._follower:
            return
        self.post_message(StateChanged(snapshot))
        if not self._settled:
            self._settled = True
            if snapshot.life in ("ended", "interrupted"):  # between two looks: meanwhile it seems to be worked on
                await asyncio.to_thread(self._complete, snapshot.folder)

    def _complete(self, folder: Path) -> None:
        """What a run that died left undone is no reason not to show it."""
        with contextlib.suppress(FloriError, OSError, ValueError):
            self._settle(folder)
