"""Where on a page there is anything at all: coarse, and quick beside looking for lines."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Part = tuple[int, int, int, int]  # left, top, right, bottom in pixels

_LOOK = 500  # pixels of the longer side
_CONTRAST = 20  # levels of grey between ink and what is around it: faded copies have 100, paper grain below 10
_NEAR = 9  # pixels of the coarse picture: words and lines nearer than that are one spot
_MARGIN = 0.02  # of the longer side
_LEAST = 0.25  # of the longer side: a smaller part would be enlarged too much
_FLATTEST = 0.5  # of its width: a flatter part is enlarged until it is too wide


def spots(picture: NDArray[np.uint8]) -> list[Part]:
    """What is printed on, the largest first; neighbours are one."""
    scale = min(1.0, _LOOK / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    around = cv2.medianBlur(grey, 31)
    seen = cv2.medianBlur(cv2.absdiff(grey, around), 3)  # a speck is smaller than a letter
    mask = (seen > _CONTRAST).astype(np.uint8)
    joined = cv2.dilate(mask, np.ones((_NEAR, _NEAR), np.uint8))
    _, _, found, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    sizes = sorted(found[1:].tolist(), key=lambda spot: -spot[cv2.CC_STAT_AREA])
    return [
        (int(x / scale), int(y / scale), int((x + width) / scale) + 1, int((y + height) / scale) + 1)
        for x, y, width, height, _ in sizes
    ]


def around(parts: Sequence[Part], picture: NDArray[np.uint8]) -> Part:
    """The part of the picture that holds all of these, with a margin, neither tiny nor flat; all of it for none."""
    height, width = picture.shape[:2]
    if not parts:
        return 0, 0, width, height
    longer = max(width, height)
    margin = int(_MARGIN * longer)
    left, right = min(part[0] for part in parts) - margin, max(part[2] for part in parts) + margin
    top, bottom = min(part[1] for part in parts) - margin, max(part[3] for part in parts) + margin
    across = max(_LEAST * longer, right - left, _FLATTEST * (bottom - top))
    down = max(_LEAST * longer, bottom - top, _FLATTEST * across)
    (left, right), (top, bottom) = _between(left, right, across, width), _between(top, bottom, down, height)
    return left, top, right, bottom


def _between(first: float, last: float, size: float, limit: int) -> tuple[int, int]:
    """From first to last, grown to `size` on both sides as far as the limit lets it."""
    grown = max(0.0, size - (last - first)) / 2
    start, end = first - grown, last + grown
    start, end = start - max(0.0, end - limit), end - min(0.0, start)
    return max(0, int(start)), min(limit, int(end) + 1)
