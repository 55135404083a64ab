"""Token records, for late interaction, and how many passages each token occurs in."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

import apsw
import numpy as np

from storage.errors import NotFound
from storage.packing import pack, unpack
from storage.records import NewPassage, TokenRecord


def add(connection: apsw.Connection, rows: Sequence[tuple[int, NewPassage]]) -> None:
    """Store the records of passages and count their tokens."""
    connection.executemany(
        "INSERT INTO token_record(passage, ids, starts, codes) VALUES (?, ?, ?, ?)",
        [(passage, pack(new.token_ids), pack(new.token_starts), new.token_codes) for passage, new in rows],
    )
    _count(connection, (new.token_ids for _, new in rows), 1)


def count(connection: apsw.Connection, passages: Sequence[int], sign: int) -> None:
    """Add (1) or take away (-1) stored passages from the frequencies."""
    query = "SELECT ids FROM token_record WHERE passage = ?"
    packed = (connection.execute(query, (passage,)).fetchone() for passage in passages)
    _count(connection, (unpack(row[0]) for row in packed if row), sign)


def drop(connection: apsw.Connection, passages: Sequence[int]) -> None:
    connection.executemany("DELETE FROM token_record WHERE passage = ?", [(passage,) for passage in passages])


def get(connection: apsw.Connection, passages: Sequence[int]) -> list[TokenRecord]:
    """The records of these passages, in order. NotFound when one has none."""
    found = []
    for passage in passages:
        query = "SELECT ids, starts, codes FROM token_record WHERE passage = ?"
        row = connection.execute(query, (passage,)).fetchone()
        if row is None:
            raise NotFound(f"Passage {passage} has no token record.")
        found.append(TokenRecord(passage, unpack(row[0]), unpack(row[1]), row[2]))
    return found


def frequency(connection: apsw.Connection, tokens: Iterable[int]) -> dict[int, int]:
    """For each of these token ids, the number of active passages that hold it; 0 for an unknown one."""
    wanted = dict.fromkeys((int(token) for token in tokens), 0)
    query = "SELECT token, passages FROM token_frequency WHERE token IN (SELECT value FROM json_each(?))"
    return wanted | dict(iter(connection.execute(query, (json.dumps(list(wanted)),))))


def _count(connection: apsw.Connection, records: Iterable[np.typing.NDArray[np.integer]], sign: int) -> None:
    changes: Counter[int] = Counter()
    for ids in records:
        changes.update(np.unique(ids).tolist())
    connection.executemany(
        """INSERT INTO token_frequency(token, passages) VALUES (?, ?)
           ON CONFLICT(token) DO UPDATE SET passages = passages + excluded.passages""",
        [(token, sign * passages) for token, passages in changes.items()],
    )
