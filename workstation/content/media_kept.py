"""The windows of a recording that are transcribed already, kept in a small file until the whole is in the library."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

DAYS = 30.0  # after which a recording that was never finished is forgotten


@dataclass(frozen=True, slots=True)
class Said:
    """What was said from t0 to t1 seconds of the recording. no_speech: the probability that nobody speaks there;
    probability: how sure the model is of its words."""

    t0: float
    t1: float
    text: str
    no_speech: float
    probability: float


@dataclass(frozen=True, slots=True)
class Done:
    """A finished window, by its number and its first and last frame."""

    window: int
    frames: tuple[int, int]
    language: str
    said: tuple[Said, ...]


class Kept:
    """Finished windows of one recording. A line is written for each as soon as it is there, so that a process that is
    killed loses no more than the window it was at. Without a folder nothing is kept.

    content_hash: of the recording's bytes. how: names all that the words depend on beside them; what was kept under
    another name is dropped.
    """

    def __init__(self, folder: Path | None, content_hash: str, how: str) -> None:
        self._file = _file(folder, content_hash) if folder else None
        self._head = {"recording": content_hash, "how": how}
        self._done: dict[int, Done] = {}
        self._out: TextIO | None = None
        if self._file and self._file.exists():
            self._read(self._file)

    @property
    def languages(self) -> dict[int, str]:
        """The language of each window that is kept."""
        return {number: done.language for number, done in self._done.items()}

    def get(self, window: int, frames: tuple[int, int]) -> Done | None:
        """A window, if it was kept and was cut in the same place."""
        done = self._done.get(window)
        return done if done and done.frames == frames else None

    def add(self, done: Done) -> None:
        self._done[done.window] = done
        if self._file is None:
            return
        if self._out is None:
            self._out = self._begun(self._file)
        else:
            self._out.write(_line(asdict(done)))
        self._out.flush()

    def close(self) -> None:
        if self._out is not None:
            self._out.close()
            self._out = None

    def _begun(self, file: Path) -> TextIO:
        """The file with all that is done, open for more; it takes the place of an older one in one step."""
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(".draft")
        draft.write_text(_line(self._head) + "".join(_line(asdict(done)) for done in self._done.values()), "utf-8")
        draft.replace(file)
        return file.open("a", encoding="utf-8")

    def _read(self, file: Path) -> None:
        lines = _whole_lines(file)
        if lines and lines[0] == self._head:
            self._done = {line["window"]: _done(line) for line in lines[1:]}


def forget(folder: Path, stored: Callable[[str], bool]) -> None:
    """Drops what is kept of recordings that are `stored` (asked by content hash), and what nobody came back to."""
    for file in folder.glob("*.jsonl"):
        if stored(file.stem) or time.time() - file.stat().st_mtime > DAYS * 86_400:
            file.unlink(missing_ok=True)


def _file(folder: Path, content_hash: str) -> Path:
    return folder / f"{content_hash}.jsonl"


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def _whole_lines(file: Path) -> list[dict[str, Any]]:
    """The lines before the first that is torn."""
    lines: list[dict[str, Any]] = []
    with contextlib.suppress(ValueError, OSError):
        lines.extend(json.loads(line) for line in file.read_bytes().split(b"\n"))
    return lines


def _done(line: dict[str, Any]) -> Done:
    first, last = line["frames"]
    return Done(line["window"], (first, last), line["language"], tuple(Said(**said) for said in line["said"]))
