"""Questions to the library from the screens, answered by a child process over JSON lines: the screen never waits.

The child (`python -m workstation.engine.lookups`) is started at the first question and ends with the workstation, at
the latest when its stdin closes. When it dies, the questions under way fail with its last words, and the next question
starts it anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from panes.ports import Options
from panes.troubles import LookupFailed

ANSWER_S = 120.0
"""The first search loads the models, which takes seconds on a slow disk; after this long something is wrong."""
CHUNK = 1 << 16
LAST_WORDS = 4_000


def command(options: Options) -> list[str]:
    """How the child is started. -P: what lies in the folder where that happens is no part of the program."""
    folders = ["--library", str(options.library), "--models", str(options.models)]
    return [
        sys.executable,
        "-P",
        "-m",
        "workstation.engine.lookups",
        *folders,
        *(["--offline"] if options.offline else []),
    ]


class ChildLookups:
    """The client of one child. Any number of questions may be under way; answers find theirs by id."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._ids = count(1)
        self._child: Process | None = None
        self._readers: list[asyncio.Task[None]] = []
        self._pending: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._starting = asyncio.Lock()
        self._last_words = b""

    async def sources(self, after: int = 0, limit: int | None = None) -> Mapping[str, Any]:
        return await self._ask(op="sources", after=after, limit=limit)

    async def detail(self, source: int) -> Mapping[str, Any]:
        return await self._ask(op="detail", source=source)

    async def source(self, source: int, version: str | None = None) -> Mapping[str, Any]:
        return await self._ask(op="source", source=source, version=version)

    async def words(self, query: str, k: int = 10) -> Mapping[str, Any]:
        return await self._ask(op="words", query=query, k=k, stream="words")

    async def search(self, query: str, k: int = 10) -> Mapping[str, Any]:
        return await self._ask(op="search", query=query, k=k, stream="search")

    async def facets(self) -> Mapping[str, Any]:
        return await self._ask(op="facets")

    async def warm(self) -> Mapping[str, Any]:
        return await self._ask(op="warm")

    async def why(self, query: str, passage: int, k: int = 10, exclude: Sequence[int] = ()) -> Mapping[str, Any]:
        return await self._ask(op="why", query=query, passage=passage, k=k, exclude=list(exclude))

    async def ask(self, question: str) -> Mapping[str, Any]:
        return await self._ask(op="ask", question=question)

    async def models(self) -> Mapping[str, Any]:
        return await self._ask(op="models")

    async def show_original(
        self, source: int, version: str | None, page: int | None, seconds: float | None
    ) -> Mapping[str, Any]:
        return await self._ask(op="show_original", source=source, version=version, page=page, seconds=seconds)

    async def show_page(self, source: int, version: str | None, page: int) -> Mapping[str, Any]:
        return await self._ask(op="show_page", source=source, version=version, page=page)

    async def close(self) -> None:
        """Ends the child: by closing its stdin, and by force if it does not go."""
        child, self._child = self._child, None
        if child is None:
            return
        if child.stdin:
            child.stdin.close()
        try:
            await asyncio.wait_for(child.wait(), 0.3)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
        await asyncio.gather(*self._readers, return_exceptions=True)

    async def _ask(self, **request: Any) -> Mapping[str, Any]:
        child = await self._running()
        id = next(self._ids)
        answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        self._pending[id] = answer
        try:
            assert child.stdin
            child.stdin.write(json.dumps({"id": id, **request}).encode() + b"\n")
            with contextlib.suppress(ConnectionError):  # the child is gone: its reader says so to every question
                await child.stdin.drain()
            reply = await asyncio.wait_for(answer, ANSWER_S)
        except TimeoutError:
            await self.close()
            raise LookupFailed("The library did not answer", f"no reply within {ANSWER_S:.0f} s") from None
        finally:
            self._pending.pop(id, None)
        if reply.get("ok"):
            result = reply.get("result")
            return result if isinstance(result, dict) else {}
        error = reply.get("error") or {}
        raise LookupFailed(str(error.get("title", "")), str(error.get("what", "")), str(error.get("hint", "")))

    async def _running(self) -> Process:
        async with self._starting:
            if self._child is None or self._child.returncode is not None:
                self._last_words = b""
                try:
                    self._child = await asyncio.create_subprocess_exec(
                        *self._command, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
                    )
                except OSError as error:
                    title = "The library's helper cannot be started"
                    raise LookupFailed(title, str(error), "Run: flori doctor") from error
                self._readers = [
                    asyncio.create_task(self._read_answers(self._child)),
                    asyncio.create_task(self._read_complaints(self._child)),
                ]
            return self._child

    async def _read_answers(self, child: Process) -> None:
        assert child.stdout
        rest = bytearray()  # a line can hold a whole book, so the stream's own line limit is no use
        while chunk := await child.stdout.read(CHUNK):
            rest += chunk
            if b"\n" in chunk:
                *lines, last = bytes(rest).split(b"\n")
                rest = bytearray(last)
                for line in lines:
                    self._deliver(line)
        await child.wait()
        await asyncio.sleep(0)  # the complaints' reader gets its turn
        words = self._last_words.decode(errors="replace").strip().splitlines()
        error = LookupFailed("The library's helper stopped", words[-1] if words else f"exit status {child.returncode}")
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(error)

    async def _read_complaints(self, child: Process) -> None:
        """Keeps the end of stderr: models and libraries write there, and none of it may reach the terminal."""
        assert child.stderr
        while chunk := await child.stderr.read(CHUNK):
            self._last_words = (self._last_words + chunk)[-LAST_WORDS:]

    def _deliver(self, line: bytes) -> None:
        try:
            reply = json.loads(line)
            answer = self._pending.get(reply["id"])
        except (ValueError, KeyError, TypeError):
            return  # not an answer: something printed on stdout
        if answer and not answer.done():
            answer.set_result(reply)
