"""Sources and their versions, as they are read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import apsw

from storage import texts
from storage.database import scalar
from storage.errors import NotFound
from storage.packing import path_in, path_out
from storage.records import Page, Source

_SELECT = """
SELECT s.id, s.path, v.title, v.kind, v.language,
       CASE WHEN s.removed THEN 'removed' WHEN s.vanished THEN 'vanished' ELSE v.status END,
       v.name, (SELECT group_concat(name, ' ' ORDER BY id) FROM version WHERE source = s.id),
       v.passages, v.pages, v.date, v.origin, s.added, s.seen
FROM source s JOIN version v ON v.id = s.current
"""


def listing(
    connection: apsw.Connection, *, removed: bool = False, after: int = 0, limit: int | None = None
) -> list[Source]:
    """All sources by id, without the removed ones unless asked for: at most `limit` of those with ids above `after`."""
    where = "" if removed else "AND NOT s.removed"
    query = f"{_SELECT} WHERE s.id > ? {where} ORDER BY s.id LIMIT ?"
    return [_source(row) for row in connection.execute(query, (after, -1 if limit is None else limit))]


def kinds_and_languages(connection: apsw.Connection) -> tuple[list[str], list[str]]:
    """The kinds and the languages of the sources that are not removed, those of most sources first."""
    query = """SELECT v.kind, v.language, count(*) FROM source s JOIN version v ON v.id = s.current
               WHERE NOT s.removed GROUP BY 1, 2"""
    kinds, languages = Counter[str](), Counter[str]()
    rows: list[tuple[Any, ...]] = connection.execute(query).fetchall()
    for kind, language, count in rows:
        kinds[kind] += count
        languages[language] += count
    return [name for name, _ in kinds.most_common()], [name for name, _ in languages.most_common()]


def get(connection: apsw.Connection, source: int) -> Source:
    """One source, removed or not. NotFound when there is none of that id."""
    row = connection.execute(f"{_SELECT} WHERE s.id = ?", (source,)).fetchone()
    if row is None:
        raise NotFound(f"There is no source {source}.")
    return _source(row)


def at(connection: apsw.Connection, path: str) -> Source | None:
    """The source that was read from this path, removed or not."""
    row = connection.execute(f"{_SELECT} WHERE s.path = ?", (path_in(path),)).fetchone()
    return _source(row) if row else None


def with_hash(connection: apsw.Connection, digest: str) -> list[Source]:
    """The sources whose current version has these bytes: copies of one file under several paths."""
    return [_source(row) for row in connection.execute(f"{_SELECT} WHERE v.hash = ? ORDER BY s.id", (digest,))]


def version(connection: apsw.Connection, source: int, name: str | None) -> tuple[int, str]:
    """Row id and content hash of a version of a source; the current one for None. NotFound when it has no such
    version."""
    query = """SELECT v.id, v.hash FROM source s JOIN version v ON v.source = s.id
               WHERE s.id = :source AND CASE WHEN :name IS NULL THEN v.id = s.current ELSE v.name = :name END"""
    row = connection.execute(query, {"source": source, "name": name}).fetchone()
    if row is None:
        raise NotFound(f"There is no source {source}." if name is None else f"Source {source} has no version {name}.")
    return int(row[0]), str(row[1])


def readings(connection: apsw.Connection, source: int) -> list[tuple[str, str, str, int]]:
    """Name, time of reading, status and number of passages of each version of a source, oldest first."""
    query = "SELECT name, read, status, passages FROM version WHERE source = ? ORDER BY id"
    return [(row[0], row[1], row[2], row[3]) for row in connection.execute(query, (source,))]


def text_of_version(connection: apsw.Connection, name: str) -> str:
    """The text of a version, whichever source has it. NotFound when none has."""
    row = connection.execute("SELECT id FROM version WHERE name = ? ORDER BY id LIMIT 1", (name,)).fetchone()
    if row is None:
        raise NotFound(f"There is no version {name}.")
    return texts.whole(connection, row[0])


def pages(connection: apsw.Connection, version_id: int) -> tuple[Page, ...]:
    """The page ledger of a version."""
    query = "SELECT number, state, start, stop, note, confidence FROM page WHERE version = ? ORDER BY seq"
    return tuple(Page(*row) for row in connection.execute(query, (version_id,)))


def meta(connection: apsw.Connection, version_id: int) -> Mapping[str, str]:
    """What the reader of a version noted beside its text."""
    return dict(json.loads(scalar(connection, "SELECT meta FROM version WHERE id = ?", (version_id,))))


def _source(row: tuple[Any, ...]) -> Source:
    # By position, and the page counts parsed once for all sources that share them: a library may list 100,000.
    names = row[7]
    return Source(
        row[0],
        path_out(row[1]),
        row[2],
        row[3],
        row[4],
        row[5],
        row[6],
        tuple(names.split(" ")) if " " in names else (names,),
        row[8],
        _page_counts(row[9]),
        row[10],
        row[11],
        row[12],
        row[13],
    )


@lru_cache(maxsize=4096)
def _page_counts(stored: str) -> Mapping[str, int]:
    counts: dict[str, int] = json.loads(stored)
    return counts
