"""Finding words in a text: every place where they stand, whatever their case and the white space between them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

CHOSEN = "chosen"
"""The target of the spans that belong to the chosen place or match."""
MOST = 20_000
"""Matches that are looked for: a single letter stands a million times in a book, and nobody goes through them."""

Part = tuple[int, int, str, str]
"""Start, end, style and target of a marked part of a text."""


@dataclass(frozen=True, slots=True)
class Matches:
    """Where `needle` stands in a text, in order; `at` is the chosen one. `more`: there are more than these."""

    needle: str = ""
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    at: int = -1
    more: bool = False

    def within(self, first: int, last: int) -> list[Part]:
        """The matches that have a part in text[first:last]: that part."""
        found: list[Part] = []
        for at in range(bisect_right(self.ends, first), bisect_left(self.starts, last)):
            start, end = max(self.starts[at], first), min(self.ends[at], last)
            found.append((start, end, *(("", CHOSEN) if at == self.at else ("found", ""))))
        return found

    def after(self, offset: int) -> int:
        """The index of the first match at or after `offset`, else of the first one of all; -1 when there is none."""
        if not self.starts:
            return -1
        at = bisect_left(self.starts, offset)
        return at if at < len(self.starts) else 0

    @property
    def said(self) -> str:
        """ "3 of 12" """
        if not self.starts:
            return "not found" if self.needle else ""
        return f"{self.at + 1:,} of {len(self.starts):,}{' or more' if self.more else ''}"


def find(text: str, needle: str) -> Matches:
    """All matches of `needle`, none of them chosen. A space in it stands for any white space, line ends too."""
    words = needle.split()
    if not words:
        return Matches()
    pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    starts, ends = list[int](), list[int]()
    for match in pattern.finditer(text):
        if len(starts) == MOST:
            return Matches(needle, tuple(starts), tuple(ends), more=True)
        starts.append(match.start())
        ends.append(match.end())
    return Matches(needle, tuple(starts), tuple(ends))
