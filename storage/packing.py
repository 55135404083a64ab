"""Small values to and from columns: integer arrays, and text that may not be valid Unicode."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

_WIDTHS: dict[int, str] = {1: "<u1", 2: "<u2", 4: "<u4"}
_SURROGATE = re.compile("[\ud800-\udfff]")


def pack(values: NDArray[np.integer]) -> bytes:
    """Non-negative integers (n,) as one byte of width (1, 2 or 4) and n little-endian numbers. ValueError if
    one is negative or too large."""
    if values.ndim != 1:
        raise ValueError(f"expected one dimension, got shape {values.shape}")
    low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
    if low < 0 or high > 0xFFFFFFFF:
        raise ValueError(f"{low if low < 0 else high} does not fit an unsigned 32-bit number")
    width = 1 if high < 1 << 8 else 2 if high < 1 << 16 else 4
    return bytes([width]) + values.astype(_WIDTHS[width]).tobytes()


def unpack(packed: bytes) -> NDArray[np.int32]:
    """What `pack` was given, as int32 (n,)."""
    return np.frombuffer(packed, _WIDTHS[packed[0]], offset=1).astype(np.int32)


def clean(text: str) -> str:
    """The text with each lone surrogate as U+FFFD: same length, so that offsets hold, and storable as UTF-8."""
    return _SURROGATE.sub("\ufffd", text)


def path_in(path: str) -> str | bytes:
    """A path as its column holds it: TEXT, or the file system's bytes where they are not valid Unicode."""
    try:
        path.encode()
        return path
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogateescape")


def path_out(stored: str | bytes) -> str:
    """The path that `path_in` was given."""
    return stored if isinstance(stored, str) else stored.decode("utf-8", "surrogateescape")
