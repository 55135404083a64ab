"""The steps that bring a library's tables up to this program: named, in order, each one transaction."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import apsw

from storage import schema
from storage.errors import LibraryNewer

Migration = Callable[[apsw.Connection], None]


def _first_tables(connection: apsw.Connection) -> None:
    connection.execute(schema.TABLES)
    connection.execute(schema.fulltext_tables())


# Append only. A name, once shipped, stays: it is what libraries remember.
MIGRATIONS: tuple[tuple[str, Migration], ...] = (("0001 first tables", _first_tables),)


def applied(connection: apsw.Connection) -> list[str]:
    """The names of the migrations this library has had, in order; none for a file that is no library yet."""
    if not connection.table_exists("main", "migration"):
        return []
    return [str(name) for (name,) in connection.execute("SELECT name FROM migration ORDER BY rowid")]


def pending(connection: apsw.Connection) -> list[tuple[str, Migration]]:
    """The steps still to do. LibraryNewer when the library has had a step that this program does not know."""
    done = set(applied(connection))
    unknown = sorted(done - {name for name, _ in MIGRATIONS})
    if unknown:
        raise LibraryNewer(
            f"This library was written by a newer version of the program (it has: {', '.join(unknown)})."
        )
    return [step for step in MIGRATIONS if step[0] not in done]


def migrate(connection: apsw.Connection) -> None:
    """Do what is pending. The caller holds the writer lock."""
    for name, step in pending(connection):
        with connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS migration(name TEXT NOT NULL UNIQUE, at TEXT NOT NULL) STRICT"
            )
            step(connection)
            at = datetime.now(UTC).isoformat(timespec="seconds")
            connection.execute("INSERT INTO migration(name, at) VALUES (?, ?)", (name, at))
