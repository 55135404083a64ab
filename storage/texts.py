"""The text of versions, stored once, in parts. Offsets count code points."""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from storage.packing import clean
from storage.schema import PART


def write(connection: apsw.Connection, version: int, text: str) -> None:
    text = clean(text)
    parts = range(0, len(text), PART)
    connection.executemany(
        "INSERT INTO text_part(version, part, text) VALUES (?, ?, ?)",
        [(version, number, text[start : start + PART]) for number, start in enumerate(parts)],
    )


def whole(connection: apsw.Connection, version: int) -> str:
    """All of it; "" for a version that has no text."""
    rows = connection.execute("SELECT text FROM text_part WHERE version = ? ORDER BY part", (version,))
    return "".join(text for (text,) in rows)


def slices(connection: apsw.Connection, spans: Iterable[tuple[int, int, int]]) -> list[str]:
    """For each (version, start, end) the text[start:end] of that version, in order."""
    read: dict[tuple[int, int], str] = {}

    def part(version: int, number: int) -> str:
        if (version, number) not in read:
            query = "SELECT text FROM text_part WHERE version = ? AND part = ?"
            row = connection.execute(query, (version, number)).fetchone()
            read[version, number] = row[0] if row else ""
        return read[version, number]

    found = []
    for version, start, end in spans:
        first, last = start // PART, max(start, end - 1) // PART
        joined = "".join(part(version, number) for number in range(first, last + 1))
        found.append(joined[start - first * PART : max(start, end) - first * PART])
    return found
