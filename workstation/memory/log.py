"""The run folder's two logs: run.jsonl has one writer (an OS lock), commands.jsonl is appended to by anyone.

The folder of a job (workstation.jobs) is kept in the same way, with a log of its own name and events.

A line is whole or it is not there: a torn last line (the writer was killed) is ignored by readers and cut by the next
writer. Each append is flushed and fsynced before the event counts.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Generic, Self, TypeVar

from pydantic import ValidationError

from workstation.errors import FloriError
from workstation.memory.base import EventBase
from workstation.memory.events import EVENT, Command, Event

T = TypeVar("T", bound=EventBase)
TRIES = 10
LOG, COMMANDS, LOCK = "run.jsonl", "commands.jsonl", "engine.lock"


class RunBusy(FloriError):
    title = "This run is being worked on by another process"
    hint = "Watch it with: flori   or wait until it has ended"
    exit_code = 5


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class EventLog(Generic[T]):
    """The one writer of a folder. Use as a context manager; raises `BUSY` when another process holds the folder."""

    NAME: ClassVar[str]
    BUSY: ClassVar[type[FloriError]]

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        for left in reversed(range(TRIES)):  # a reader that asks whether an engine lives holds the lock for a moment
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if not left:
                    os.close(self._lock)
                    raise self.BUSY(str(self.folder)) from error
                time.sleep(0.03)
        os.truncate(self._lock, 0)
        os.write(self._lock, str(os.getpid()).encode())
        path = self.folder / self.NAME
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        whole = path.read_bytes()
        whole = whole[: whole.rfind(b"\n") + 1]
        os.truncate(self._file, len(whole))
        os.lseek(self._file, 0, os.SEEK_END)
        self._seq = max((int(json.loads(line)["seq"]) for line in whole.splitlines() if line.strip()), default=0)
        return self

    def append(self, event: T, *, durable: bool = True) -> T:
        """Writes `event` with the next seq and the time, durably unless that does not matter, and returns it so."""
        return self.append_together([event], durable=durable)[0]

    def append_together(self, events: Iterable[T], *, durable: bool = True) -> list[T]:
        """The same for events that belong together: whenever it is killed, all of them are there or none."""
        stamped: list[T] = []
        lines: list[str] = []
        for event in events:
            self._seq += 1
            stamped.append(event.model_copy(update={"seq": self._seq, "time": now()}))
            fields = stamped[-1].model_dump(mode="json")
            named = {name: fields.pop(name) for name in ("seq", "time", "type")}
            lines.append(json.dumps(named | fields, ensure_ascii=False) + "\n")
        os.write(self._file, "".join(lines).encode())
        if durable:
            os.fsync(self._file)
        return stamped

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)
        os.close(self._lock)


class RunLog(EventLog[Event]):
    """The one writer of a run folder."""

    NAME = LOG
    BUSY = RunBusy


def read_log(folder: Path) -> tuple[Event, ...]:
    """All whole events of a run folder; nothing when there is no log yet. Raises ValidationError on a line that is
    none."""
    tail, events = LogTail(folder), list[Event]()
    while batch := tail.read():
        events += batch
    return tuple(events)


class Tail(Generic[T]):
    """Reads what has been appended since the last read. Any number of tails may follow one log."""

    def __init__(self, path: Path, parse: Callable[[bytes], T]) -> None:
        self._path, self._parse = path, parse
        self._offset = 0

    def read(self) -> list[T]:
        """The next events. A line that is none (damaged, or of a later version) raises ValidationError, but only after
        everything before it was handed out."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                data = file.read()
        except FileNotFoundError:
            return []
        events: list[T] = []
        for line in data[: data.rfind(b"\n") + 1].splitlines(keepends=True):
            try:
                events += [self._parse(line)] if line.strip() else []
            except ValidationError:
                if events:
                    break
                raise
            self._offset += len(line)
        return events


class LogTail(Tail[Event]):
    """Follows the log of a run folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / LOG, EVENT.validate_json)


def engine_alive(folder: Path) -> bool:
    """True while an engine process holds the folder's lock."""
    try:
        lock = os.open(folder / LOCK, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(lock)
    return False


def send(folder: Path, command: Command) -> int:
    """Appends a command for the engine (a short line in one write: appends of several processes do not mix). Returns
    its number."""
    path = folder / COMMANDS
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        stamped = command.model_copy(update={"seq": len(read_commands(folder)) + 1, "time": now()})
        os.write(file, stamped.model_dump_json().encode() + b"\n")
        os.fsync(file)
        return stamped.seq
    finally:
        os.close(file)


def read_commands(folder: Path, after: int = 0) -> list[Command]:
    """The whole commands with seq > after, in order."""
    try:
        data = (folder / COMMANDS).read_bytes()
    except FileNotFoundError:
        return []
    lines = data[: data.rfind(b"\n") + 1].splitlines()
    commands = [Command.model_validate_json(line) for line in lines if line.strip()]
    return [c for c in commands if c.seq > after]
