"""The outbound log as the screen reads it: its end first, whatever its length, and its figures without parsing it.

A line is only parsed when it is shown or when its bytes hold the words that are looked for. Nothing here holds the
interpreter for more than a few milliseconds, so it can run in a thread beside the screen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Kind = Literal["all", "requests", "refusals"]
KINDS: tuple[Kind, ...] = ("all", "requests", "refusals")
BLOCK = 1 << 18
REFUSED = b'"outcome": "refused"'
RECEIVED = re.compile(rb'"bytes": (\d+)')


@dataclass(frozen=True, slots=True)
class Figures:
    """How much stands in the log: lines that are requests, attempts that were refused, and bytes received. `until` is
    how far into the file it was counted."""

    requests: int = 0
    refused: int = 0
    received: int = 0
    until: int = 0


def count(path: Path, known: Figures) -> Figures:
    """The figures of the log by this time, going on from `known`; from the beginning when the file is shorter."""
    try:
        size = path.stat().st_size
    except OSError:
        return Figures()
    at = known if size >= known.until else Figures()
    if size == at.until:
        return at
    requests, refused, received, until = at.requests, at.refused, at.received, at.until
    with path.open("rb") as file:
        file.seek(until)
        while block := file.read(BLOCK):
            if (end := block.rfind(b"\n") + 1) == 0:
                if len(block) < BLOCK:
                    break  # the beginning of a line that is being written
                end = len(block)
            whole = block[:end]
            bad = whole.count(REFUSED)
            requests, refused = requests + whole.count(b"\n") - bad, refused + bad
            received += sum(map(int, RECEIVED.findall(whole)))
            until += end
            file.seek(until)
    return Figures(requests, refused, received, until)


def newest(path: Path, most: int, kind: Kind = "all", words: str = "") -> tuple[list[dict[str, Any]], bool]:
    """The newest lines that are wanted, newest first, at most so many; and whether there may be more. `words`: all of
    them stand in host, URL, why, run or package, in any case. Each line has its place in the file as `at`."""
    asked = words.lower().split()
    raw = [_raw(word) for word in asked]
    found: list[dict[str, Any]] = []
    for at, line in _backwards(path, raw):
        if kind != "all" and (REFUSED in line) != (kind == "refusals"):
            continue
        if raw and not all(word in line.lower() for word in raw):
            continue
        if (entry := _parsed(line)) is not None and _says(entry, asked):
            if len(found) == most:
                return found, True
            found.append(entry | {"at": at})
    return found, False


def _raw(word: str) -> bytes:
    """What of a word can be looked for in a line's bytes: letters beyond ASCII have cases that bytes do not know."""
    return max(re.findall(r"[\x21\x23-\x5b\x5d-\x7e]+", word), key=len, default="").encode()


def _says(entry: dict[str, Any], asked: list[str]) -> bool:
    said = " ".join(str(entry.get(field, "")) for field in ("host", "url", "why", "run", "by")).lower()
    return all(word in said for word in asked)


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def _backwards(path: Path, words: Sequence[bytes] = ()) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with the offsets at which they begin, the last one first; blocks without one of the words
    are passed over."""
    try:
        file = path.open("rb")
    except OSError:
        return
    with file:
        at, rest = file.seek(0, 2), b""
        while at:
            step = min(BLOCK, at)
            at -= step
            file.seek(at)
            block = file.read(step) + rest
            lowered = block.lower() if words else b""
            if not all(word in lowered for word in words):
                rest = block.partition(b"\n")[0]
                continue
            first, *lines = block.split(b"\n")
            end = at + len(first) + sum(len(line) + 1 for line in lines)
            for line in reversed(lines):
                end -= len(line)
                if line:
                    yield end, line
                end -= 1
            rest = first
        if rest:
            yield 0, rest
