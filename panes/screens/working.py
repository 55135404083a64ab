"""One command of the program at a time for a screen: what it says meanwhile, how it ended, and stopping it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from panes.commanding import Commands, Done
from panes.rows import inert
from panes.troubles import lines_of

INTERRUPTED = 130


class Working:
    """`say` shows what goes on and stays; it is given "" when nothing does."""

    def __init__(self, commands: Commands, say: Callable[[str], None]) -> None:
        self._commands, self._say = commands, say
        self._task: asyncio.Task[Done] | None = None

    @property
    def busy(self) -> bool:
        return self._task is not None

    async def run(self, what: str, *arguments: str) -> Done | str:
        """Runs a command while `what` ("Comparing hashes") is shown. Returns how it ended, or why it did not."""
        if self._task:
            return "Something else is going on here: wait for it, or stop it first."
        self._say(f"{what} ...")

        def told(line: str) -> None:
            self._say(f"{what} ...   {inert(line)}")

        self._task = asyncio.create_task(self._commands.run(*arguments, told=told))
        try:
            done = await asyncio.shield(self._task)
        except asyncio.CancelledError:
            if not self._task.cancelled():
                self._task.cancel()
                raise
            return f"{what}: stopped."
        except OSError as error:
            return "   ".join(lines_of(error))
        finally:
            self._task = None
            self._say("")
        return done

    def stop(self) -> bool:
        """Stops what is going on; false when nothing is."""
        if self._task:
            self._task.cancel()
        return self._task is not None
