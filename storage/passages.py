"""Passages: where each stands in which version, and its text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import apsw

from storage import texts, times
from storage.errors import NotFound
from storage.packing import clean, path_out
from storage.records import Locator, NewPassage, Passage
from storage.schema import ACTIVE, RETIRED

_SELECT = """
SELECT p.id, p.version, p.start, p.stop, p.page, p.heading, p.t0, p.t1,
       v.source, v.name, v.title, s.path, v.kind, v.language,
       CASE WHEN instr(v.pages, '"ocr"') THEN (
           SELECT min(confidence) FROM page
           WHERE version = v.id AND seq BETWEEN p.page - 1 AND p.page + 3
             AND state = 'ocr' AND start < p.stop AND stop > p.start
       ) END,
       CASE WHEN p.t0 IS NULL THEN NULL ELSE json_extract(v.meta, '$.times') END
FROM passage p JOIN version v ON v.id = p.version JOIN source s ON s.id = v.source
"""
_WHERE_IN = "WHERE p.id IN (SELECT value FROM json_each(?))"

# Passages read at a time where all are walked through.
_BATCH = 500


def add(connection: apsw.Connection, version: int, passages: Sequence[NewPassage]) -> list[int]:
    """Insert the rows and return their ids."""
    ids = []
    for new in passages:
        at = new.locator
        heading = None if at.heading is None else clean(at.heading)
        connection.execute(
            "INSERT INTO passage(version, state, start, stop, page, heading, t0, t1) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (version, ACTIVE, at.start, at.end, at.page, heading, at.t0, at.t1),
        )
        ids.append(connection.last_insert_rowid())
    return ids


def set_state(connection: apsw.Connection, passages: Sequence[int], state: int) -> None:
    connection.executemany("UPDATE passage SET state = ? WHERE id = ?", [(state, passage) for passage in passages])


def ids_of(connection: apsw.Connection, version: int, state: int) -> list[int]:
    query = "SELECT id FROM passage WHERE version = ? AND state = ? ORDER BY id"
    return [passage for (passage,) in connection.execute(query, (version, state))]


def get(connection: apsw.Connection, passages: Sequence[int]) -> list[Passage]:
    """These passages, in order, retired ones too. NotFound when there is none of that id."""
    query = _SELECT + _WHERE_IN
    rows = connection.execute(query, (json.dumps([int(passage) for passage in passages]),)).fetchall()
    found = {passage.id: passage for passage in _built(connection, rows)}
    missing = [passage for passage in passages if passage not in found]
    if missing:
        raise NotFound(f"There is no passage {missing[0]}.")
    return [found[passage] for passage in passages]


def of_source(connection: apsw.Connection, source: int) -> list[Passage]:
    """The passages of a source's current version, in the order of the text."""
    query = f"{_SELECT} WHERE p.version = s.current AND s.id = ? AND p.state <> ? ORDER BY p.start, p.id"
    return _built(connection, connection.execute(query, (source, RETIRED)).fetchall())


def every_active(connection: apsw.Connection) -> Iterator[Passage]:
    """All passages that can be found, by id, a batch at a time."""
    after = 0
    while True:
        query = f"{_SELECT} WHERE p.state = 1 AND p.id > ? ORDER BY p.id LIMIT ?"
        batch = _built(connection, connection.execute(query, (after, _BATCH)).fetchall())
        if not batch:
            return
        yield from batch
        after = batch[-1].id


def head(title: str, heading: str | None) -> str:
    """What the full-text index keeps beside the passage itself."""
    return f"{title}\n{heading}" if heading else title


def _built(connection: apsw.Connection, rows: Sequence[tuple[Any, ...]]) -> list[Passage]:
    bodies = texts.slices(connection, [(row[1], row[2], row[3]) for row in rows])
    spoken: dict[int, list[times.Time]] = {}
    for row in rows:
        if row[15] is not None and row[1] not in spoken:
            spoken[row[1]] = times.unpack(row[15])
    return [
        Passage(
            id=row[0],
            source=row[8],
            version=row[9],
            title=row[10],
            path=path_out(row[11]),
            kind=row[12],
            language=row[13],
            locator=Locator(row[2], row[3], row[4], row[5], row[6], row[7], row[14]),
            text=body,
            times=times.cut(spoken.get(row[1], ()), row[2], row[3]),
        )
        for row, body in zip(rows, bodies, strict=True)
    ]
