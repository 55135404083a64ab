"""`flori --plain`: lines in, lines out. No cursor is moved, nothing is coloured, and it works in a pipe.

Typed on a terminal, each line is done at once, and what the run has to say comes between. In a script a line waits
until the run needs the user or has ended, so that the lines can be written down one after the other.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from pathlib import Path

from panes.lookups import ChildLookups, command
from panes.plain.session import Session
from panes.plain.table import read
from panes.ports import Engine, LocalEngine, Lookups, Options
from workstation.core.text import printable

LOOK_S = 0.25
CHUNK = 1 << 16


def run(options: Options, folder: Path | None = None) -> int:
    """Reads lines from stdin until `quit` or their end. Status 1 when something could not be done."""
    lookups = ChildLookups(command(options))
    return asyncio.run(talk(options, LocalEngine(options), lookups, folder))


async def talk(options: Options, engine: Engine, lookups: Lookups, folder: Path | None = None) -> int:
    """The conversation: one line after the other, and what changes meanwhile."""
    typed = sys.stdin.isatty()
    voice = Voice(prompts=typed)
    session = Session(options, engine, lookups, voice.say)
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    _listen(lines)
    if typed:
        voice.say("florilegium, in lines. Ask a question, or say help.")
    if folder:
        session.open(folder)
    try:
        while not session.over:
            voice.prompt(session.prompt)
            line = await _next(lines, session, voice)
            if line is None:
                await _settle(session, voice)
                break
            if not typed:
                named, _ = read(line)
                if not (named and named.at_once):
                    await _settle(session, voice)
                voice.say(f"> {line}")
            await session.do(line)
    finally:
        await session.close()
    return 1 if session.refused else 0


class Voice:
    """Puts out whole lines; on a terminal a prompt stands below the last one."""

    def __init__(self, *, prompts: bool) -> None:
        self._prompts, self._prompted = prompts, ""

    def say(self, line: str) -> None:
        """One line, whatever it holds: control characters are made visible."""
        if self._prompted:
            sys.stdout.write("\n")
            self._prompted = ""
        sys.stdout.write(printable(line, keep="").rstrip() + "\n")
        sys.stdout.flush()

    def prompt(self, label: str) -> None:
        """Says what a line without a command's name will do."""
        if self._prompts and label != self._prompted:
            sys.stdout.write(f"\n{label}> " if self._prompted else f"{label}> ")
            sys.stdout.flush()
            self._prompted = label

    def answered(self) -> None:
        """The terminal went to another line by itself."""
        self._prompted = ""


async def _next(lines: asyncio.Queue[str | None], session: Session, voice: Voice) -> str | None:
    """The next line, with what the run has to say until it comes."""
    while True:
        try:
            line = await asyncio.wait_for(lines.get(), LOOK_S)
        except TimeoutError:
            _speak(session, voice)
            voice.prompt(session.prompt)
            continue
        voice.answered()
        return line


async def _settle(session: Session, voice: Voice) -> None:
    """Waits until the run that is open needs its user or has ended."""
    _speak(session, voice)
    while not session.turn:
        await asyncio.sleep(LOOK_S)
        _speak(session, voice)
    _speak(session, voice)


def _speak(session: Session, voice: Voice) -> None:
    for line in session.look():
        voice.say(line)


def _listen(lines: asyncio.Queue[str | None]) -> None:
    """Reads stdin in a thread of its own, below Python's buffer: nothing waits for it when the session ends."""
    loop, file = asyncio.get_running_loop(), sys.stdin.fileno()

    def put(line: bytes | None) -> None:
        text = None if line is None else line.decode(errors="replace").strip()
        loop.call_soon_threadsafe(lines.put_nowait, text)

    def listen() -> None:
        rest = b""
        try:
            while chunk := os.read(file, CHUNK):
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    put(line)
            if rest:
                put(rest)
            put(None)
        except (OSError, RuntimeError):  # the terminal is gone, or the session is
            return

    threading.Thread(target=listen, daemon=True).start()
