"""What ingest saw of the world outside: paths seen, gone, or not readable."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import apsw

from storage.packing import clean, path_in, path_out
from storage.records import Problem


def stamp() -> str:
    """The time as the library writes it: UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def mark_seen(connection: apsw.Connection, sources: Iterable[int]) -> None:
    """These sources are where they were."""
    query = "UPDATE source SET seen = ?, vanished = 0 WHERE id = ?"
    connection.executemany(query, [(stamp(), source) for source in sources])


def mark_vanished(connection: apsw.Connection, paths: Iterable[str]) -> int:
    """Nothing is at these paths any more. Their sources stay, and can still be found. How many there were."""
    before = connection.total_changes()
    query = "UPDATE source SET vanished = 1 WHERE path = ? AND NOT vanished"
    connection.executemany(query, [(path_in(path),) for path in paths])
    return connection.total_changes() - before


def paths_under(connection: apsw.Connection, folder: str) -> dict[str, int]:
    """Path and id of each source, not removed, that was read from this folder or below it."""
    inside = folder.rstrip("/") + "/"
    rows = connection.execute("SELECT path, id FROM source WHERE NOT removed ORDER BY id")
    return {path: source for path, source in ((path_out(row[0]), row[1]) for row in rows) if path.startswith(inside)}


def record_problem(connection: apsw.Connection, problem: Problem) -> None:
    """Note that a path could not be ingested; a later word on the same path replaces this one."""
    connection.execute(
        "INSERT OR REPLACE INTO problem(path, state, reason, hash, seen) VALUES (?, ?, ?, ?, ?)",
        (path_in(problem.path), problem.state, clean(problem.reason), problem.content_hash, stamp()),
    )


def clear_problem(connection: apsw.Connection, path: str) -> None:
    connection.execute("DELETE FROM problem WHERE path = ?", (path_in(path),))


def problems(connection: apsw.Connection) -> list[Problem]:
    """All of them, by path."""
    rows = connection.execute("SELECT path, state, reason, hash FROM problem ORDER BY path")
    return [Problem(path_out(path), state, reason, digest) for path, state, reason, digest in rows]
