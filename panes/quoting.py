"""A quote with its citation, as it is pasted into somebody's own text."""

from __future__ import annotations

from panes import wording
from workstation.core.text import one_line


def cited(quote: str, title: str, path: str, *, page: int | None = None, seconds: float | None = None) -> str:
    """“quote” — title, p. 3, path: one line, with nothing in it that could steer what it is pasted into."""
    where = [f"p. {page}"] if page is not None else []
    where += [wording.clock(seconds)] if seconds is not None else []
    source = [part for part in (one_line(title), *where, one_line(path) if path != title else "") if part]
    return f"“{one_line(quote)}” — {', '.join(source)}"
