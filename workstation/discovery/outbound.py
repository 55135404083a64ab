"""The outbound log: one line for every request that left the machine, and for every attempt that was refused.

A line is one append, so that any number of processes may write. It says time, host, URL, why, status, bytes and run,
and for a refused one by whom it was tried. The file is for the owner alone and is never shortened by the program.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

FILE = "outbound.jsonl"


def outbound_log() -> Path:
    from workstation.paths import state_dir

    return state_dir() / FILE


def record(
    *,
    host: str,
    url: str,
    why: str,
    outcome: str,
    status: int = 0,
    received: int = 0,
    milliseconds: int = 0,
    run: str = "",
    by: str = "",
    path: Path | None = None,
) -> None:
    """Appends one line. `outcome` is ok, failed, or refused: nothing was sent."""
    from workstation.paths import private_folder

    path = path or outbound_log()
    line = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "outcome": outcome,
        "host": host,
        "url": url,
        "why": why,
        "status": status,
        "bytes": received,
        "ms": milliseconds,
        "run": run,
    } | ({"by": by} if by else {})
    private_folder(path.parent)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(file, json.dumps(line, ensure_ascii=False).encode(errors="replace") + b"\n")
    finally:
        os.close(file)


def read(path: Path | None = None) -> Iterator[dict[str, Any]]:
    """The whole lines, oldest first; damaged ones are passed over."""
    try:
        data = (path or outbound_log()).read_bytes()
    except FileNotFoundError:
        return
    for line in data.splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            yield found
