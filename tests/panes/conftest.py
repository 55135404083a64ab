"""The workstation under test: recorded runs, an engine that only notes what it is told, look-ups by a script."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from textual.pilot import Pilot

from panes.app import FloriApp
from panes.commanding import Done
from panes.keeping import LocalKeeper
from panes.lookups import ChildLookups
from panes.ports import Options, Run
from workstation.config import Config
from workstation.jobs.events import JobStarted
from workstation.jobs.log import JobLog, new_folder
from workstation.jobs.naming import named_in
from workstation.memory import events as e
from workstation.memory.events import Command, Depth, Event, Format
from workstation.memory.log import read_commands, send

from .recorded import RecordedSources, record, run_events, save_library
from .seeing import until

FAKE_LOOKUPS = Path(__file__).with_name("fake_lookups.py")


@dataclass
class NotingEngine:
    """Makes run folders and lists them like the real one, but starts nothing."""

    reports: Path
    asked: list[tuple[str, Depth, Format]] = field(default_factory=list)
    launched: list[Path] = field(default_factory=list)
    web: bool = False
    verdict: dict[str, object] = field(default_factory=dict)

    def new_run(self, question: str, depth: Depth, format: Format, web: bool = False) -> Path:
        self.asked.append((question, depth, format))
        self.web = web
        started = e.RunStarted(question=question, depth=depth, format=format, library="/library", program="0.1.0")
        return record(self.reports / f"asked-{len(self.asked)}", [started])

    def launch(self, folder: Path) -> int:
        self.launched.append(folder)
        return 1

    def runs(self) -> Sequence[Run]:
        from workstation.engine.launch import runs

        return runs(self.reports)

    def send(self, folder: Path, command: Command) -> None:
        send(folder, command)

    def deliver(self, folder: Path, command: Command) -> bool:
        from workstation.engine.launch import deliver

        return deliver(folder, command)

    def attend(self, folder: Path) -> bool:
        """As the real one does, in this process and with the recorded sources."""
        from workstation.core.cancel import CancelToken
        from workstation.engine.runner import Runner

        Runner(folder, RecordedSources(), approve=False, cancel=CancelToken()).attend()  # type: ignore[arg-type]
        return True

    def settle(self, folder: Path) -> None:
        from workstation.engine.launch import settle

        settle(folder)

    def verify(self, folder: Path) -> Mapping[str, object]:
        return {"folder": str(folder), **self.verdict}


class NotingKeeper(LocalKeeper):
    """Makes the folders of jobs like the real one, but starts nothing and changes nothing."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.done: list[tuple[str, object]] = []

    def add(self, line: str) -> Path:
        folder = new_folder(self._options.library)
        self._begin(folder, JobStarted(named=tuple(named_in(line))))
        return folder

    def resume(self, folder: Path) -> None:
        found = next(job.started for job in self.jobs() if job.folder == folder)
        assert found
        self._begin(folder, found)
        self.done.append(("resume", folder))

    def remove(self, source: int) -> None:
        self.done.append(("remove", source))

    def restore(self, source: int) -> None:
        self.done.append(("restore", source))

    def _begin(self, folder: Path, started: JobStarted) -> None:
        with JobLog(folder) as log:
            log.append(started)


@dataclass
class GivenOptions:
    """What stood on the command line."""

    library: Path
    reports: Path
    models: Path
    offline: bool
    config: Config


@dataclass
class NotingCommands:
    """Notes the commands that screens run, and ends each one as a test says."""

    asked: list[tuple[str, ...]] = field(default_factory=list)
    ends: dict[str, Done] = field(default_factory=dict)
    held: asyncio.Event | None = None

    async def run(self, *arguments: str, told: Callable[[str], None]) -> Done:
        self.asked.append(arguments)
        told("1/2 of it")
        if self.held:
            await self.held.wait()
        return self.ends.get(" ".join(arguments), Done(0, {"done": True}, ""))


class Workstation:
    """A person's folders, and the application opened on them."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.reports, self.library = home / "reports", home / "library"
        self.keys: dict[str, str] = {}
        self.reports.mkdir()
        self.library.mkdir()
        (self.library / "library.db").touch()
        self.engine = NotingEngine(self.reports)
        self.lookups = ChildLookups([sys.executable, str(FAKE_LOOKUPS), str(save_library(home / "library.json"))])
        self.commanded = NotingCommands()
        self.options = GivenOptions(
            library=self.library, reports=self.reports, models=home / "models", offline=True, config=Config.load()
        )
        self.keeper = NotingKeeper(self.options)

    def has_run(self, name: str = "smeaton", events: Sequence[Event] | None = None) -> Path:
        """Puts a recorded run into the reports folder."""
        return record(self.reports / name, run_events() if events is None else events)

    def commands(self, folder: Path) -> list[str]:
        return [command.kind for command in read_commands(folder)]

    def said(self, folder: Path) -> list[tuple[str, str]]:
        """What a run was told: the commands with their values."""
        return [(command.kind, command.value) for command in read_commands(folder)]

    def app(self, folder: Path | None = None) -> FloriApp:
        return FloriApp(
            self.options,
            engine=self.engine,
            lookups=self.lookups,
            keeper=self.keeper,
            commands=self.commanded,
            folder=folder,
            keys=self.keys,
        )

    @asynccontextmanager
    async def opened(self, folder: Path | None = None, size: tuple[int, int] = (120, 40)) -> AsyncIterator[Pilot[int]]:
        """The application, ready for keys: with the runs listed, or with the run at `folder` drawn."""
        app = self.app(folder)
        async with app.run_test(size=size, notifications=True) as pilot:
            if folder:
                await until(pilot, lambda: _is_drawn(app))
            await pilot.pause()
            yield pilot


def _is_drawn(app: FloriApp) -> bool:
    """Whether the research screen shows a run that was read."""
    from panes.screens.research import ResearchScreen

    return isinstance(app.screen, ResearchScreen) and bool(app.screen.state.seq)


@pytest.fixture
def workstation(tmp_path: Path) -> Workstation:
    return Workstation(tmp_path)


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is remembered from session to session is the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(autouse=True)
def _one_time_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import time

    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
