"""Boxes that reach from one column into the next. Where columns stand close together, the detector now and then takes
two lines for one; the white between them lies where other lines end and begin."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

_LEAST = 5  # lines one below the other in which it is seen
_NEAR = 8.0  # heights: the next column begins within that


class Span(NamedTuple):
    """From left to right, in pixels of the levelled page."""

    left: float
    right: float


class Box(NamedTuple):
    """A line as the detector found it, with the white spaces inside it."""

    left: float
    top: float
    right: float
    bottom: float
    spaces: Sequence[Span]


def cuts(boxes: Sequence[Box]) -> dict[int, list[Span]]:
    """For each box that must be cut, the spaces to cut out of it, left to right."""
    found: dict[int, list[Span]] = {}
    if not boxes:
        return found
    height = median(box.bottom - box.top for box in boxes)
    for at in _places(boxes, height / 3):
        for index, space in _through(boxes, at, height):
            if all(space.right <= other.left or space.left >= other.right for other in found.get(index, ())):
                found.setdefault(index, []).append(space)
    return {index: sorted(spaces) for index, spaces in found.items()}


def _places(boxes: Sequence[Box], step: float) -> list[float]:
    """The middles of all spaces, those that nearly coincide once."""
    middles = sorted((space.left + space.right) / 2 for box in boxes for space in box.spaces)
    places: list[float] = []
    for middle in middles:
        if not places or middle - places[-1] >= step:
            places.append(middle)
    return places


def _through(boxes: Sequence[Box], at: float, height: float) -> list[tuple[int, Span]]:
    """The boxes with a space at `at` that belong to a gutter there: it goes on through enough lines, of which most are
    apart already, and one in between may be unbroken."""
    lines: list[tuple[float, bool, int, Span | None]] = []
    for index, box in enumerate(boxes):
        middle = (box.top + box.bottom) / 2
        if box.left < at < box.right:
            space = next((space for space in box.spaces if space.left <= at <= space.right), None)
            lines.append((middle, space is not None, index, space))
        elif box.right <= at < box.right + _NEAR * height and _neighbour(boxes, box, at, height):
            lines.append((middle, True, -1, None))
    lines.sort(key=lambda line: line[0])
    found: list[tuple[int, Span]] = []
    run: list[tuple[int, Span | None]] = []
    misses = 0
    for _, broken, index, space in [*lines, (0.0, False, -1, None), (0.0, False, -1, None)]:
        if broken:
            run.append((index, space))
            misses = 0
            continue
        misses += 1
        if misses > 1:
            if len(run) >= _LEAST and sum(space is None for _, space in run) >= len(run) / 2:
                found += [(number, gap) for number, gap in run if gap is not None]
            run = []
    return found


def _neighbour(boxes: Sequence[Box], box: Box, at: float, height: float) -> bool:
    """Does a line stand beside this one, behind the place?"""
    return any(
        at <= other.left < at + _NEAR * height
        and min(box.bottom, other.bottom) - max(box.top, other.top) > (box.bottom - box.top) / 2
        for other in boxes
    )
