"""Commands of the program that a screen runs, each as a process of its own: nothing here loads a model or reads a disk
for long, and a key never waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from panes.ports import Options

LAST_WORDS = 20
"""Lines of stderr that are kept: an error is in the last ones."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended: exit status, its JSON document (empty when it wrote none), and its last words."""

    status: int
    document: Mapping[str, Any]
    words: str


class Commands(Protocol):
    """Runs commands. Cancelling the task that waits stops the command as Ctrl-C would."""

    async def run(self, *arguments: str, told: Callable[[str], None]) -> Done:
        """`told` gets each line of progress. Raises OSError when the process cannot be started."""


class LocalCommands:
    """`flori --json ...` on the folders of this workstation."""

    def __init__(self, options: Options) -> None:
        folders = ("--library", options.library, "--reports", options.reports, "--models", options.models)
        offline = ["--offline"] if options.offline else []
        self._command = [sys.executable, "-P", "-m", "workstation", "--json", *map(str, folders), *offline]

    async def run(self, *arguments: str, told: Callable[[str], None]) -> Done:
        child = await asyncio.create_subprocess_exec(
            *self._command, *arguments, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, start_new_session=True
        )
        assert child.stdout
        assert child.stderr
        words: list[str] = []

        async def listen(stream: asyncio.StreamReader) -> None:
            async for line in _lines(stream):
                words.append(line)
                del words[:-LAST_WORDS]
                told(line)

        try:
            answer, _ = await asyncio.gather(child.stdout.read(), listen(child.stderr))
            status = await child.wait()
        except asyncio.CancelledError:
            with contextlib.suppress(ProcessLookupError):
                child.send_signal(signal.SIGINT)
            raise
        try:
            document = json.loads(answer)
        except ValueError:
            document = {}
        return Done(status, document if isinstance(document, dict) else {}, "\n".join(words))


async def _lines(stream: asyncio.StreamReader) -> AsyncIterator[str]:
    """The lines of a stream, however long: what is too long for one is given in pieces."""
    rest = b""
    while chunk := await stream.read(1 << 14):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if text := line.decode(errors="replace").strip():
                yield text
    if text := rest.decode(errors="replace").strip():
        yield text
