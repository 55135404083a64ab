"""What the screens need from outside: options, the engine's front door, look-ups. Tests give their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from workstation.config import Config
    from workstation.memory.events import Command, Depth, Format


class Options(Protocol):
    """The part of the command line's options that the workstation passes on."""

    @property
    def library(self) -> Path: ...
    @property
    def reports(self) -> Path: ...
    @property
    def models(self) -> Path: ...
    @property
    def offline(self) -> bool: ...
    @property
    def config(self) -> Config: ...


class Run(Protocol):
    """One run folder in the list. `status` is running, interrupted or finished; `waits`: for the user."""

    @property
    def folder(self) -> Path: ...
    @property
    def title(self) -> str: ...
    @property
    def question(self) -> str: ...
    @property
    def started(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    @property
    def waits(self) -> bool: ...


class Engine(Protocol):
    """Starts and steers runs. All calls may touch the disk: screens make them off the event loop."""

    def new_run(self, question: str, depth: Depth, format: Format, web: bool = False) -> Path: ...
    def launch(self, folder: Path) -> int: ...
    def runs(self) -> Sequence[Run]: ...
    def send(self, folder: Path, command: Command) -> None: ...

    def deliver(self, folder: Path, command: Command) -> bool:
        """Sends to a run whose engine may be gone: true when one has taken it."""

    def attend(self, folder: Path) -> bool:
        """Has what was said about the evidence taken, of a run that nobody works on; false when it could not be."""

    def settle(self, folder: Path) -> None:
        """Completes the files of a run that nobody works on."""

    def verify(self, folder: Path) -> Mapping[str, Any]:
        """The document of `flori --json verify`; raises CommandFailed with what is in the way."""


class Lookups(Protocol):
    """Interactive questions to the library. Each raises LookupFailed with what happened and what to do."""

    async def sources(self, after: int = 0, limit: int | None = None) -> Mapping[str, Any]:
        """By id: all, or at most `limit` of those with ids above `after`."""

    async def detail(self, source: int) -> Mapping[str, Any]:
        """What is known of a source beside its text."""

    async def source(self, source: int, version: str | None = None) -> Mapping[str, Any]: ...
    async def words(self, query: str, k: int = 10) -> Mapping[str, Any]:
        """The passages that hold the words of a query, the last of which may be unfinished. Asks no model."""

    async def search(self, query: str, k: int = 10) -> Mapping[str, Any]:
        """The passages of a whole search. Of several queries that wait, only the newest is answered; the document of
        the others is {"superseded": true}, here as in `words`."""

    async def facets(self) -> Mapping[str, Any]:
        """The kinds and languages that can be filtered by."""

    async def warm(self) -> Mapping[str, Any]:
        """Loads what a whole search needs."""

    async def why(self, query: str, passage: int, k: int = 10, exclude: Sequence[int] = ()) -> Mapping[str, Any]:
        """The walk of a passage through a search for `query` that keeps `k`, without the passages of `exclude`."""

    async def ask(self, question: str) -> Mapping[str, Any]: ...

    async def models(self) -> Mapping[str, Any]:
        """What serves each role and why, and how every installed model is (`flori --json models`)."""

    async def show_original(
        self, source: int, version: str | None, page: int | None, seconds: float | None
    ) -> Mapping[str, Any]:
        """Opens the file of a source outside, at a place in it: {program, file}."""

    async def show_page(self, source: int, version: str | None, page: int) -> Mapping[str, Any]:
        """Opens an image of a page outside: {program, file}."""

    async def close(self) -> None: ...


class LocalEngine:
    """The engine on this machine: its own process for each run, spoken to through the run folder."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def new_run(self, question: str, depth: Depth, format: Format, web: bool = False) -> Path:
        from dataclasses import replace

        from workstation.engine.launch import new_run
        from workstation.engine.leave import leave
        from workstation.options import Options as Given

        given = self._options  # with the settings as they are by this time
        fetched = leave(replace(given, config=given.config.again()), web) if isinstance(given, Given) else None
        # what the question itself says of depth and format goes first
        return new_run(self._options, question, defaults=(depth, format), web=fetched)

    def launch(self, folder: Path) -> int:
        from workstation.engine.launch import launch

        return launch(folder, self._options)

    def runs(self) -> Sequence[Run]:
        from workstation.engine.launch import runs

        return runs(self._options.reports)

    def send(self, folder: Path, command: Command) -> None:
        from workstation.memory.log import send

        send(folder, command)

    def deliver(self, folder: Path, command: Command) -> bool:
        from workstation.engine.launch import deliver

        return deliver(folder, command)

    def attend(self, folder: Path) -> bool:
        from workstation.engine.launch import attend

        return attend(folder, self._options)

    def settle(self, folder: Path) -> None:
        from workstation.engine.launch import settle

        settle(folder)

    def verify(self, folder: Path) -> Mapping[str, Any]:
        from panes.child import flori

        return flori(self._options, "verify", str(folder))
