"""What a screen can ask of the engine, off the event loop and with every refusal and error said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from textual.screen import Screen

from panes.asking import Asking
from panes.ports import Engine
from panes.troubles import tell
from workstation.errors import FloriError

if TYPE_CHECKING:
    from workstation.memory.events import Command

CONTINUABLE = frozenset({"cancelled", "budget_spent", "model_failed", "unreadable"})
"""Outcomes after which going on can change something."""


@dataclass(frozen=True, slots=True)
class Steered:
    """A run as far as steering it goes: is an engine at work on it, does a plan wait, how did it end."""

    folder: Path
    going: bool
    waiting: bool = False
    outcome: str = ""


class Steering:
    """Speaks to the engine for one screen; `say` shows a short answer there."""

    def __init__(self, screen: Screen[Any], engine: Engine, say: Callable[[str], None]) -> None:
        self._screen, self._engine, self._say = screen, engine, say

    async def start(self, question: str, asking: Asking) -> Path | None:
        """Makes a run for `question` and starts its engine; None when it could not be made."""
        try:
            folder = await asyncio.to_thread(self._engine.new_run, question, asking.depth, asking.format)
        except (FloriError, OSError) as error:
            tell(self._screen, error)
            return None
        await self._done(self._engine.launch, folder)
        return folder

    async def approve(self, run: Steered | None) -> bool:
        """Approves the plan that waits; true when an engine had to be started for it."""
        if run is None or not run.waiting:
            self._say("No plan waits for your approval.")
        elif await self._done(self._engine.send, run.folder, _command("approve")):
            self._say("Approved.")
            return not run.going and await self._done(self._engine.launch, run.folder)
        return False

    async def tell_run(self, run: Steered | None, kind: Literal["enough", "cancel"]) -> None:
        """Sends a command to a run that is going on."""
        if run is None or not run.going:
            self._say("No engine is at work on this run." if run else "No run is open.")
        elif await self._done(self._engine.send, run.folder, _command(kind)):
            self._say("Cancelling: what was found is kept." if kind == "cancel" else "Enough: it writes now.")

    async def go_on(self, run: Steered | None) -> bool:
        """Starts an engine on a run that was stopped; true when that was done."""
        if run is None or run.going:
            self._say("The run is going on already." if run else "No run is open.")
        elif run.outcome and run.outcome not in CONTINUABLE:
            self._say("This run is finished.")
        elif await self._done(self._engine.launch, run.folder):
            self._say("The engine is starting.")
            return True
        return False

    async def _done(self, call: Callable[..., object], *arguments: object) -> bool:
        try:
            await asyncio.to_thread(call, *arguments)
        except (FloriError, OSError) as error:
            tell(self._screen, error)
            return False
        return True


def _command(kind: Literal["approve", "enough", "cancel"]) -> Command:
    from workstation.memory.events import Command  # pydantic: not before the first frame

    return Command(kind=kind)
