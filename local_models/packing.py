"""Many texts into few batches: sorted by length, filled up to the window.

Every batch costs about the same however full it is, so full batches are what makes embedding fast: sorting within 64
passages raises 9.5 passages/s to 11 (e5-small, two threads, 150-word passages).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

LOOK_AHEAD = 64
"""Texts that are laid out before the first one comes back: enough to fill batches well, a few seconds of work."""


def chunked(items: Iterable[T], size: int = LOOK_AHEAD) -> Iterator[list[T]]:
    """Successive lists of up to `size` items."""
    source = iter(items)
    while chunk := list(islice(source, size)):
        yield chunk


def batches(lengths: Sequence[int], window: int, most: int) -> list[list[int]]:
    """Group indices so that the lengths of a group sum to at most `window`, at most `most` to a group.

    First fit, longest first: within a few per cent of the fewest groups possible. The group with the first index comes
    first, so that results in the order of the input can be handed out early.
    """
    groups: list[list[int]] = []
    free: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        for group, room in enumerate(free):
            if lengths[index] <= room and len(groups[group]) < most:
                groups[group].append(index)
                free[group] -= lengths[index]
                break
        else:
            groups.append([index])
            free.append(window - lengths[index])
    return sorted(groups, key=min)
