"""The order in which the lines of a page are read, by their boxes alone: columns one after the other, rows of a table
from left to right, and where paragraphs begin."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

_REACH = 0.25  # of its height: so far a box goes beyond its ink, to the left and to the right
_GUTTER = 0.2  # of a line's height, between what the boxes hold: columns of journals are .7 apart, and boxes uneven
_STRAY = 0.1  # of the boxes on each side may reach into it
_OVER = 1.0  # heights on both sides of it: less is a box that is too long, not a line that spans the columns
_COLUMN_LINES = 3  # on each side of a gutter
_COLUMN_WIDTH = 6.0  # heights: narrower ones are the cells of a table, which is read row by row
_CROSSING = 0.34  # of the lines may span two columns: titles, captions, notes
_SAME_ROW = 0.5  # of the lower one's height: two boxes that share as much stand beside one another
_PARAGRAPH = 1.45  # times the usual distance of two lines
_OTHER_SIZE = 1.4  # times the height of the line before: a heading, or the text below it
_DENSITY = 0.5  # characters for each height that a line is wide: Latin print has 2 to 3, Chinese 1.3
_KNOWN = ("LATIN", "CJK", "HIRAGANA", "KATAKANA", "FULLWIDTH", "FEMININE", "MASCULINE")


@dataclass(frozen=True, slots=True)
class Line:
    """A piece of print on one line: left, top, right and bottom in pixels. `opens`: a paragraph begins with it.
    `doubtful`: as in TextLine."""

    text: str
    confidence: float
    left: float
    top: float
    right: float
    bottom: float
    opens: bool = False
    doubtful: tuple[str, ...] = ()

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


def level(corners: Sequence[tuple[float, float]], skew: float) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a box with these corners, when the page is turned back by `skew` degrees."""
    sine, cosine = math.sin(math.radians(-skew)), math.cos(math.radians(-skew))
    turned = [(x * cosine - y * sine, x * sine + y * cosine) for x, y in corners]
    # Its corners are those of a slanted box: the means of each side, not the extremes.
    xs, ys = sorted(x for x, _ in turned), sorted(y for _, y in turned)
    return (xs[0] + xs[1]) / 2, (ys[0] + ys[1]) / 2, (xs[2] + xs[3]) / 2, (ys[2] + ys[3]) / 2


def is_whole(line: Line) -> bool:
    """Does the text have as many letters as the line has room for? Letters that the model does not know are left out,
    and it is sure of the others: a line of Russian becomes ". 11 ,", Greek loses every third letter."""
    letters = [character for character in line.text if character.isalpha()]
    known = sum(unicodedata.name(letter, "").startswith(_KNOWN) for letter in letters)
    characters = sum(not character.isspace() for character in line.text)
    return characters * line.height >= _DENSITY * line.width and known >= len(letters) / 2


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """One line for each line of print. Columns are parted where both sides hold lines of prose; what spans them stands
    between what is above and what is below it."""
    found: list[Line] = []
    for block in _blocks(list(lines)):
        found += _with_paragraphs(_rows(block))
    return found


def _blocks(lines: list[Line]) -> Iterator[list[Line]]:
    """Groups of lines that are read from top to bottom, row by row."""
    at = _gutter(lines)
    if at is None:
        if lines:
            yield lines
        return
    left, right, spanning = _sides(lines, at)
    if not spanning:
        yield from _blocks(left)
        yield from _blocks(right)
        return
    rest = left + right
    band: list[Line] = []
    for end in (*sorted(spanning, key=lambda line: line.middle), None):
        between = [line for line in rest if end is None or line.middle < end.middle]
        rest = [line for line in rest if end is not None and line.middle >= end.middle]
        if _gutter(between) is None:  # the last words of a paragraph that spans the columns
            band += between
        else:
            if band:
                yield band
            yield from _blocks(between)
            band = []
        band += [end] if end is not None else []
    if band:
        yield band


def _sides(lines: list[Line], at: float) -> tuple[list[Line], list[Line], list[Line]]:
    """Those on the left of a place, those on the right, and those that reach well over it on both sides."""
    left: list[Line] = []
    right: list[Line] = []
    spanning: list[Line] = []
    for line in lines:
        if min(at - line.left, line.right - at) > _OVER * line.height:
            spanning.append(line)
        else:
            (left if line.left + line.right < 2 * at else right).append(line)
    return left, right, spanning


def _gutter(lines: list[Line]) -> float | None:
    """The middle of the space that parts two columns of prose, the one that the fewest lines cross, or None."""
    if len(lines) < 2 * _COLUMN_LINES:
        return None
    height = median(line.height for line in lines)
    found: list[tuple[int, float, float]] = []
    for place in sorted({line.left for line in lines}):
        left, right, spanning = _sides(lines, place)
        if len(spanning) > _CROSSING * len(lines) or not (_is_column(left, height) and _is_column(right, height)):
            continue
        end = sorted(line.right for line in left)[-1 - int(_STRAY * len(left))] - _REACH * height
        begin = sorted(line.left for line in right)[int(_STRAY * len(right))] + _REACH * height
        if begin - end >= _GUTTER * height and _beside(left, right):
            found.append((len(spanning), end - begin, (begin + end) / 2))
    return min(found)[2] if found else None


def _is_column(lines: list[Line], height: float) -> bool:
    return len(lines) >= _COLUMN_LINES and median(line.width for line in lines) >= _COLUMN_WIDTH * height


def _beside(left: list[Line], right: list[Line]) -> bool:
    """Do they stand side by side for a good part, not one below the other?"""
    top = max(min(line.top for line in side) for side in (left, right))
    bottom = min(max(line.bottom for line in side) for side in (left, right))
    shortest = min(max(line.bottom for line in side) - min(line.top for line in side) for side in (left, right))
    return bottom - top > 0.5 * shortest


def _rows(lines: list[Line]) -> list[Line]:
    """The lines of print, top to bottom; the pieces of each from left to right, joined by a blank."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.middle):
        row = next((row for row in reversed(rows[-3:]) if _same_row(row, line)), None)
        if row is None:
            rows.append([line])
        else:
            row.append(line)
    return [_joined(sorted(row, key=lambda line: line.left)) for row in rows]


def _same_row(row: list[Line], line: Line) -> bool:
    near = min(row, key=lambda other: abs(other.middle - line.middle))
    shared = min(near.bottom, line.bottom) - max(near.top, line.top)
    over = any(
        min(other.right, line.right) - max(other.left, line.left) > min(other.width, line.width) / 2 for other in row
    )
    return shared >= _SAME_ROW * min(near.height, line.height) and not over


def _joined(row: list[Line]) -> Line:
    weight = sum(len(line.text) for line in row) or 1
    return Line(
        " ".join(line.text for line in row),
        sum(len(line.text) * line.confidence for line in row) / weight,
        min(line.left for line in row),
        min(line.top for line in row),
        max(line.right for line in row),
        max(line.bottom for line in row),
        doubtful=tuple(figure for line in row for figure in line.doubtful),
    )


def _with_paragraphs(rows: list[Line]) -> list[Line]:
    """The rows with `opens` set on the first one, behind a wider space, and where the size of the print changes."""
    steps = [second.middle - first.middle for first, second in pairwise(rows)]
    usual = median(steps) if steps else 0.0
    found = [replace(row, opens=True) for row in rows[:1]]
    for step, (before, row) in zip(steps, pairwise(rows), strict=True):
        sizes = sorted((before.height, row.height))
        found.append(replace(row, opens=step > _PARAGRAPH * usual or sizes[1] > _OTHER_SIZE * sizes[0]))
    return found
