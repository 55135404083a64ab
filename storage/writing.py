"""Taking a version in, and taking sources out and back: parts of a transaction that the caller opened."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import apsw

from storage import fulltext, passages, texts, tokens, vectors
from storage.database import scalar
from storage.packing import clean, path_in
from storage.presence import clear_problem, stamp
from storage.records import NewPassage, NewVersion
from storage.schema import ACTIVE, ASIDE, RETIRED

_INSERT_VERSION = """
INSERT INTO version(source, hash, name, title, kind, language, status, date, origin, meta,
                    passages, pages, read, original)
VALUES (:source, :hash, :name, :title, :kind, :language, :status, :date, :origin, :meta,
        :passages, :pages, :read, :kept)
"""
_UPDATE_VERSION = """
UPDATE version SET title = :title, kind = :kind, language = :language, status = :status, date = :date, origin = :origin,
                   meta = :meta, passages = :passages, pages = :pages, read = :read, original = original OR :kept
WHERE id = :version
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the library has at a path."""

    source: int
    current: int
    hash: str
    removed: bool


def standing(connection: apsw.Connection, path: str) -> Standing | None:
    row = connection.execute(
        "SELECT s.id, v.id, v.hash, s.removed FROM source s JOIN version v ON v.id = s.current WHERE s.path = ?",
        (path_in(path),),
    ).fetchone()
    return Standing(row[0], row[1], row[2], bool(row[3])) if row else None


def seen_again(connection: apsw.Connection, known: Standing, path: str, kept: bool) -> int:
    """The bytes at the path are those of the current version. `kept`: the original has just been kept."""
    if kept:
        connection.execute("UPDATE version SET original = 1 WHERE id = ?", (known.current,))
    if known.removed:
        restore(connection, known.source)
    connection.execute("UPDATE source SET seen = ?, vanished = 0 WHERE id = ?", (stamp(), known.source))
    clear_problem(connection, path)
    return known.source


def take_in(connection: apsw.Connection, new: NewVersion, known: Standing | None, kept: bool) -> int:
    """Store a version, make its passages findable and those of the former version not. The source's id."""
    at = stamp()
    if known is None:
        query = "INSERT INTO source(path, added, seen) VALUES (?, ?, ?)"
        connection.execute(query, (path_in(new.path), at, at))
        source = connection.last_insert_rowid()
    else:
        source = known.source
        retire(connection, known.current)
    version = _version(connection, source, new, at, kept)
    connection.execute(
        "UPDATE source SET current = ?, seen = ?, vanished = 0, removed = 0 WHERE id = ?", (version, at, source)
    )
    _index(connection, version, new)
    clear_problem(connection, new.path)
    bump(connection)
    return source


def remove(connection: apsw.Connection, source: int) -> None:
    """Nothing finds the source any more; all of it stays, so that citations verify and `restore` needs nothing else."""
    found = _current_passages(connection, source, ACTIVE)
    fulltext.drop(connection, found)
    vectors.put_aside(connection, found)
    tokens.count(connection, found, -1)
    passages.set_state(connection, found, ASIDE)
    connection.execute("UPDATE source SET removed = 1 WHERE id = ?", (source,))
    bump(connection)


def restore(connection: apsw.Connection, source: int) -> None:
    """Undo `remove`."""
    found = _current_passages(connection, source, ASIDE)
    vectors.take_back(connection, found)
    tokens.count(connection, found, 1)
    passages.set_state(connection, found, ACTIVE)
    stored = passages.get(connection, found)
    fulltext.index(connection, [(p.id, passages.head(p.title, p.locator.heading), p.text) for p in stored])
    connection.execute("UPDATE source SET removed = 0 WHERE id = ?", (source,))
    bump(connection)


def retire(connection: apsw.Connection, version: int) -> None:
    """Nothing finds the passages of this version any more, for good."""
    active = passages.ids_of(connection, version, ACTIVE)
    fulltext.drop(connection, active)
    tokens.count(connection, active, -1)
    vectors.drop(connection, active)
    aside = passages.ids_of(connection, version, ASIDE)
    connection.executemany("DELETE FROM vector_aside WHERE passage = ?", [(passage,) for passage in aside])
    tokens.drop(connection, active + aside)
    passages.set_state(connection, active + aside, RETIRED)


def current_version(connection: apsw.Connection, source: int) -> int | None:
    version: int | None = scalar(connection, "SELECT current FROM source WHERE id = ?", (source,))
    return version


def bump(connection: apsw.Connection) -> None:
    """What can be found has changed."""
    connection.execute("UPDATE generation SET value = value + 1")


def _current_passages(connection: apsw.Connection, source: int, state: int) -> list[int]:
    version = current_version(connection, source)
    return [] if version is None else passages.ids_of(connection, version, state)


def _version(connection: apsw.Connection, source: int, new: NewVersion, at: str, kept: bool) -> int:
    """The row of this content: that of an earlier reading with the same text (a file put back), or another."""
    columns = {
        "source": source,
        "hash": new.content_hash,
        "title": clean(new.title),
        "kind": new.kind,
        "language": new.language,
        "status": new.status,
        "date": new.date,
        "origin": None if new.origin is None else clean(new.origin),
        "meta": json.dumps(dict(new.meta)),
        "passages": len(new.passages),
        "pages": json.dumps(Counter(page.state for page in new.pages)),
        "read": at,
        "kept": int(kept),
    }
    query = "SELECT id FROM version WHERE source = ? AND hash = ? ORDER BY id"
    readings = [row[0] for row in connection.execute(query, (source, new.content_hash))]
    version = next((v for v in readings if texts.whole(connection, v) == clean(new.text)), None)
    if version is None:
        name = new.content_hash if not readings else f"{new.content_hash}#{len(readings) + 1}"
        connection.execute(_INSERT_VERSION, columns | {"name": name})
        version = connection.last_insert_rowid()
        texts.write(connection, version, new.text)
    else:
        connection.execute(_UPDATE_VERSION, columns | {"version": version})
        connection.execute("DELETE FROM page WHERE version = ?", (version,))
    connection.executemany(
        "INSERT INTO page(version, seq, number, state, start, stop, note, confidence) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (version, seq, page.number, page.state, page.start, page.end, clean(page.note), page.confidence)
            for seq, page in enumerate(new.pages)
        ],
    )
    return int(version)


def _index(connection: apsw.Connection, version: int, new: NewVersion) -> None:
    if not new.passages:
        return
    rows: Sequence[tuple[int, NewPassage]] = list(
        zip(passages.add(connection, version, new.passages), new.passages, strict=True)
    )
    vectors.add(connection, ((passage, each.vector) for passage, each in rows))
    tokens.add(connection, rows)
    fulltext.index(connection, _fulltext_rows(new, rows))


def _fulltext_rows(new: NewVersion, rows: Iterable[tuple[int, NewPassage]]) -> Iterable[tuple[int, str, str]]:
    for passage, each in rows:
        at = each.locator
        yield passage, passages.head(new.title, at.heading), new.text[at.start : at.end]
