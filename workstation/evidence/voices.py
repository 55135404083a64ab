"""Who speaks: a source, or the one that it is a copy of. What copies of one text say is said once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+")
_FIGURE = re.compile(r"\d+")
ALIKE = 0.6
"""Of the words of two quotes. One wrong letter in a sentence of eight words leaves .78 of them, two leave .6."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What a voice says. `voice` is the id of the source that its source is a copy of, or its source's own."""

    voice: int
    quote: str

    def repeats(self, other: Statement) -> bool:
        """Whether it is said by the same voice in the same words; another figure is another statement."""
        if self.voice != other.voice or _FIGURE.findall(self.quote) != _FIGURE.findall(other.quote):
            return False
        ours, theirs = (set(_WORD.findall(s.quote.casefold())) for s in (self, other))
        return len(ours & theirs) >= ALIKE * len(ours | theirs)


def distinct(statements: Iterable[Statement]) -> list[Statement]:
    """Without those that repeat an earlier one."""
    kept: list[Statement] = []
    for each in statements:
        if not any(each.repeats(earlier) for earlier in kept):
            kept.append(each)
    return kept
