"""Which sources a search may look into: by kind, language and date, as a condition that SQLite checks in the lanes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Filter:
    """Any of the kinds, any of the languages, and a date from `after` on and before `before` ("2020", "2020-05",
    "2020-05-17"). What is empty asks for nothing. A source without a date is in no span of time."""

    kinds: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    after: str = ""
    before: str = ""

    def __bool__(self) -> bool:
        return bool(self.kinds or self.languages or self.after or self.before)


def among(wanted: Filter) -> tuple[str, tuple[str, ...]]:
    """A query for the ids of the passages that can be found and that the filter lets through, and its values."""
    conditions, values = ["p.state = 1"], []
    for column, names in (("kind", wanted.kinds), ("language", wanted.languages)):
        if names:
            conditions.append(f"lower(v.{column}) IN ({', '.join('?' * len(names))})")
            values += [name.lower() for name in names]
    for comparison, date in ((">=", wanted.after), ("<", wanted.before)):
        if date:
            conditions.append(f"v.date {comparison} ?")
            values.append(date)
    query = f"SELECT p.id FROM passage p JOIN version v ON v.id = p.version WHERE {' AND '.join(conditions)}"  # noqa: S608  columns and signs of our own
    return query, tuple(values)
