"""What was read on pictures of pages, by the sha256 of the file: readings/ab/abcdef..., one JSON object a line.

Reading a page takes seconds, and a long scan hours. Each reading is on the disk as soon as it is made, so that whoever
was stopped goes on with the next page, and the same bytes under another name cost nothing. Needs no open library.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

FOLDER = "readings"

_HASH = re.compile("[0-9a-f]{64}")


def path_of(folder: Path, digest: str) -> Path:
    """Where the readings of a file with this hash stand, or would. ValueError for what is not a sha256 in hex."""
    if not _HASH.fullmatch(digest):
        raise ValueError(f"not a sha256 in hex: {digest!r}")
    return folder / FOLDER / digest[:2] / digest


def of(folder: Path, digest: str) -> Iterator[dict[str, Any]]:
    """All readings of a file, oldest first. A line that was cut off by a kill is passed over."""
    try:
        text = path_of(folder, digest).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return
    for line in text.split("\n"):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def add(folder: Path, digest: str, record: Mapping[str, Any]) -> None:
    """Remembers one. Raises OSError."""
    path = path_of(folder, digest)
    for parent in (folder / FOLDER, path.parent):
        parent.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "a", encoding="utf-8") as out:
        out.write(f"\n{json.dumps(record, ensure_ascii=False)}\n")  # the first newline ends a line that was cut off


def these(folder: Path, digests: Iterable[str]) -> Iterator[Path]:
    """Where readings of these files stand, or would."""
    yield from (path_of(folder, digest) for digest in set(digests) if _HASH.fullmatch(digest))
