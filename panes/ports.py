"""What the screens need from outside: options, the engine's front door, look-ups. Tests give their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
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


class Run(Protocol):
    """One run folder in the list. `status` is running, interrupted or finished."""

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


class Engine(Protocol):
    """Starts and steers runs. All calls may touch the disk: screens make them off the event loop."""

    def new_run(self, question: str, depth: Depth, format: Format, web: bool = False) -> Path: ...
    def launch(self, folder: Path) -> int: ...
    def runs(self) -> Sequence[Run]: ...
    def send(self, folder: Path, command: Command) -> None: ...

    def deliver(self, folder: Path, command: Command) -> bool:
        """Sends to a run whose engine may be gone: true when one has taken it."""

    def settle(self, folder: Path) -> None:
        """Completes the files of a run that nobody works on."""


class Lookups(Protocol):
    """Interactive questions to the library. Each raises LookupFailed with what happened and what to do."""

    async def sources(self) -> Mapping[str, Any]: ...
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
    async def close(self) -> None: ...


class LocalEngine:
    """The engine on this machine: its own process for each run, spoken to through the run folder."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def new_run(self, question: str, depth: Depth, format: Format, web: bool = False) -> Path:
        from workstation.engine.launch import new_run
        from workstation.engine.leave import leave
        from workstation.options import Options as Given

        fetched = leave(self._options, web) if isinstance(self._options, Given) else None
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

    def settle(self, folder: Path) -> None:
        from workstation.engine.launch import settle

        settle(folder)
