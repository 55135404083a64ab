"""When each piece of a recording's text was said, packed into one string that is kept with the version.

"0 3.4 8.2;88 15.1 21.9"    from character 0 on it was said from 3.4 to 8.2 s, from 88 on from 15.1 to 21.9 s
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

KEY = "times"
"""In a version's `meta`."""

Time = tuple[int, float, float]
"""Offset of the piece's first character, and the seconds from which to which it was said."""


def pack(pieces: Iterable[Time]) -> str:
    return ";".join(f"{start} {t0:.2f} {t1:.2f}" for start, t0, t1 in pieces)


def unpack(packed: str) -> list[Time]:
    """The pieces, in the order of the text. A string that was not packed here gives none."""
    try:
        fields = [piece.split(" ") for piece in packed.split(";") if piece]
        return [(int(start), float(t0), float(t1)) for start, t0, t1 in fields]
    except ValueError:
        return []


def cut(pieces: Sequence[Time], start: int, end: int) -> tuple[Time, ...]:
    """Those that text[start:end] has a part of."""
    first = max(0, bisect_right(pieces, start, key=_offset) - 1)
    return tuple(pieces[first : bisect_right(pieces, max(start, end - 1), key=_offset)])


def between(pieces: Sequence[Time], start: int, end: int) -> tuple[float, float] | None:
    """The seconds from which to which text[start:end] was said; None for text of which that is not known."""
    within = cut(pieces, start, end)
    return (within[0][1], within[-1][2]) if within else None


def _offset(piece: Time) -> int:
    return piece[0]
