"""Opening the database: who may write, which files it may leave, and what its errors mean."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw
import apsw.bestpractice
import sqlite_vec

from storage.errors import DiskFull, LibraryBusy, LibraryCorrupt, LibraryMissing, NotWritable, StorageError
from storage.lock import WriterLock
from storage.migrations import applied, migrate, pending

FILE = "library.db"
LOCK = "library.lock"

# Token rows take about 17 kB: with 8 kB pages the file is 2 % smaller than with 4 kB and checks run twice as fast.
PAGE_SIZE = 8192

# WAL readers wait only for a checkpoint or for recovery after a crash, and both are short.
BUSY_TIMEOUT_MS = 5000

# The -wal file of one large source shrinks back to this at the next checkpoint.
WAL_LIMIT = 64 * 1024 * 1024


@contextmanager
def translated() -> Iterator[None]:
    """SQLite's errors as ours."""
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise LibraryCorrupt(f"SQLite: {error}") from error
    except apsw.FullError as error:
        raise DiskFull(str(error)) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise LibraryBusy(str(error)) from error
    except (apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise NotWritable(str(error)) from error
    except (apsw.CantOpenError, apsw.IOError) as error:
        raise StorageError(f"SQLite: {error}") from error


def scalar(connection: apsw.Connection, query: str, values: Sequence[Any] = ()) -> Any:
    """The first column of the first row; None when there is no row."""
    row = connection.execute(query, values).fetchone()
    return row[0] if row else None


def open_for_writing(folder: Path, *, create: bool) -> tuple[apsw.Connection, WriterLock]:
    """The one writing connection, its tables up to date, and the lock that says so."""
    if not create and not (folder / FILE).exists():
        raise LibraryMissing(str(folder))
    _make_private(folder)
    lock = WriterLock(folder / LOCK)
    try:
        with translated():
            # SQLite gives -wal and -shm the mode of the database file.
            os.close(os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600))
            (folder / FILE).chmod(0o600)
            connection = apsw.Connection(str(folder / FILE), flags=apsw.SQLITE_OPEN_READWRITE)
            connection.pragma("page_size", PAGE_SIZE)
            apsw.bestpractice.connection_wal(connection)
            # NORMAL: a commit survives the death of the process at any moment. Only a power cut may take back the last
            # commits, whole, and the next ingest repeats them; FULL would add a disk flush to each source.
            connection.pragma("synchronous", "NORMAL")
            connection.pragma("journal_size_limit", WAL_LIMIT)
            _prepare(connection)
            if not create and not applied(connection):
                raise LibraryMissing(str(folder))
            migrate(connection)
            return connection, lock
    except BaseException as error:
        lock.release()
        if isinstance(error, OSError):
            raise NotWritable(f"{folder}: {error.strerror}") from error
        raise


def open_for_reading(folder: Path) -> apsw.Connection:
    """A connection that cannot write and never waits for the writer."""
    path = folder / FILE
    if not path.exists():
        raise LibraryMissing(str(folder))
    with translated():
        try:
            connection = _read_only(f"file:{quote(str(path.absolute()))}?mode=ro")
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            # A folder we may not write in, and no -shm there to read through. Without a -wal nothing can be pending.
            wal = path.with_name(FILE + "-wal")
            if wal.exists() and wal.stat().st_size:
                raise
            connection = _read_only(f"file:{quote(str(path.absolute()))}?immutable=1")
        if not applied(connection):
            connection.close()
            raise LibraryMissing(str(folder))
        if not pending(connection):
            return connection
        connection.close()
    upgraded, lock = open_for_writing(folder, create=False)
    upgraded.close()
    lock.release()
    return open_for_reading(folder)


def _read_only(uri: str) -> apsw.Connection:
    connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    _prepare(connection)
    return connection


def _prepare(connection: apsw.Connection) -> None:
    apsw.bestpractice.connection_busy_timeout(connection, BUSY_TIMEOUT_MS)
    apsw.bestpractice.connection_enable_foreign_keys(connection)
    apsw.bestpractice.connection_dqs(connection)
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.enable_load_extension(False)


def _make_private(folder: Path) -> None:
    """Make the folder, for its owner only. One that already holds something keeps its mode: our files are private."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not any(folder.iterdir()):
            folder.chmod(0o700)
    except OSError as error:
        raise NotWritable(f"{folder}: {error.strerror}") from error
