"""Whether the library is whole: what `flori doctor` asks of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import apsw

from storage import blobs
from storage.database import FILE, scalar

_MEND = "Run: flori doctor --mend"
_AGAIN = "Ingest its file again"
_COPY = "Restore the library's folder from a copy"

# Steps of SQLite's machine between two looks at the clock: some milliseconds.
_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong: a code for programs, a message and what to do about it for people."""

    code: str
    message: str
    mend: str


Check = Callable[[apsw.Connection, Path], Iterator[Finding]]


def examine(connection: apsw.Connection, folder: Path, seconds: float) -> list[Finding]:
    """All findings; [] for a whole library. Past `seconds` the rest is left out, and a finding says so."""
    until = time.monotonic() + seconds
    found: list[Finding] = []
    connection.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
    try:
        for check in CHECKS:
            found += check(connection, folder)
    except apsw.InterruptError:
        found.append(
            Finding("unfinished", f"The check took more than {seconds:g} s and was stopped.", "Allow it more time")
        )
    finally:
        connection.set_progress_handler(None)
    return found


def damaged(message: str) -> Finding:
    return Finding("damaged", message, _COPY)


def _relations(connection: apsw.Connection, folder: Path) -> Iterator[Finding]:
    for table, rowid, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield Finding("orphan", f"Row {rowid} of {table} belongs to a {parent} that is not there.", _COPY)
    for (path,) in connection.execute("SELECT path FROM source WHERE current IS NULL"):
        yield Finding("no_version", f"{path} has no version.", _AGAIN)


def _indexes(connection: apsw.Connection, folder: Path) -> Iterator[Finding]:
    """Each passage that can be found is in each index, and nothing else is."""
    active = _ids(connection, "SELECT id FROM passage WHERE state = 1")
    aside = _ids(connection, "SELECT id FROM passage WHERE state = 2")
    held = [
        ("fulltext", "SELECT id FROM passage_fts_docsize", active, _MEND),
        ("tokens", "SELECT passage FROM token_record", active | aside, _AGAIN),
        ("vectors_aside", "SELECT passage FROM vector_aside", aside, _AGAIN),
    ]
    if connection.table_exists("main", "passage_vector"):
        held.append(("vectors", "SELECT rowid FROM passage_vector_rowids", active, _AGAIN))
    for name, query, wanted, mend in held:
        found = _ids(connection, query)
        if lacking := wanted - found:
            sources = "SELECT v.source FROM passage p JOIN version v ON v.id = p.version WHERE p.id = ?"
            source = scalar(connection, sources, (min(lacking),))
            yield Finding(
                f"{name}_missing", f"{len(lacking)} passages, first in source {source}, have no {name}.", mend
            )
        if stray := found - wanted:
            yield Finding(f"{name}_stray", f"{len(stray)} passages that cannot be found still have {name}.", _MEND)


def _ids(connection: apsw.Connection, query: str) -> set[int]:
    return {int(passage) for (passage,) in connection.execute(query)}


def _originals(connection: apsw.Connection, folder: Path) -> Iterator[Finding]:
    hashes = {
        str(digest): bool(kept)
        for digest, kept in connection.execute("SELECT hash, max(original) FROM version GROUP BY hash")
    }
    there = {path.name for path in blobs.stored(folder)}
    for digest, kept in hashes.items():
        if kept and digest not in there:
            yield Finding(
                "original_missing", f"The original of version {digest[:12]} is gone; its text is there.", _AGAIN
            )
    stray = len(there - hashes.keys()) + sum(1 for _ in blobs.partials(folder))
    if stray:
        yield Finding("original_stray", f"{stray} files under {blobs.FOLDER} belong to no version.", _MEND)


def _private(connection: apsw.Connection, folder: Path) -> Iterator[Finding]:
    for path in folder.glob(f"{FILE}*"):
        if path.stat().st_mode & 0o077:
            yield Finding("exposed", f"Other users of this machine may read {path}.", _MEND)


def _file(connection: apsw.Connection, folder: Path) -> Iterator[Finding]:
    for (message,) in connection.execute("PRAGMA quick_check(5)"):
        if message != "ok":
            yield damaged(f"SQLite: {message}")


# The quick ones first: the last reads the whole database.
CHECKS: tuple[Check, ...] = (_private, _relations, _indexes, _originals, _file)
