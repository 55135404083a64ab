"""How much of a report's prose must say where it comes from."""

from __future__ import annotations

FLOOR = 0.6  # of the sentences carry a citation or the mark; the rest is room for sentences that lead over


def enough(covered: int, sentences: int) -> bool:
    """True for no sentences: a report that says nothing hides nothing."""
    return covered >= FLOOR * sentences
