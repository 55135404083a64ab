"""A double-array trie in the layout of darts-clone, which sentencepiece reads its normalisation rules from.

A unit is 32 bits (darts.h, DoubleArrayUnit): a label in bits 0 to 7, "has a leaf" in bit 8, and the distance to the
children's base in bits 10 to 31, shifted by eight more if bit 9 is set. From a node with base b, the child for byte c
is unit b XOR c, and the value of a key that ends there is unit b itself, marked by bit 31.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

BLOCK = 256
"""Children of one base lie within one block, because labels are XORed into its low byte."""

SEARCHED_BLOCKS = 16
"""Older blocks are nearly full: looking further back costs time and saves little space."""

_LEAF = 1 << 8
_VALUE = 1 << 31
_NARROW_LIMIT = 1 << 21

Node = dict[int, "Node | int"]
"""Children by byte; key 0 holds the value of the string that ends here."""


def build(values: Mapping[bytes, int]) -> bytes:
    """The trie of non-empty keys without zero bytes, as little-endian units."""
    root: Node = {}
    for key in sorted(values):
        node = root
        for byte in key:
            child = node.setdefault(byte, {})
            assert isinstance(child, dict)
            node = child
        node[0] = values[key]
    array = _Array()
    pending: list[tuple[int, Node]] = [(0, root)]
    while pending:
        index, node = pending.pop()
        pending += array.place(index, node)
    return np.array(array.units, dtype="<u4").tobytes()


class _Array:
    """The units written so far. A base serves one node only, or two nodes would answer for each other's children."""

    def __init__(self) -> None:
        self.units: list[int] = []
        self._used = np.zeros(0, dtype=bool)
        self._is_base = np.zeros(0, dtype=bool)
        self._grow()
        self._used[0] = True  # the root
        self._is_base[0] = True  # a node at distance 0 from its base: readers take that for damage

    def place(self, index: int, node: Node) -> list[tuple[int, Node]]:
        """Find room for a node's children and link it to them; returns the children that have their own."""
        base = self._find_base(list(node))
        self._is_base[base] = True
        distance = index ^ base
        if distance >= _NARROW_LIMIT:
            raise ValueError("the trie is too large for narrow distances")
        self.units[index] |= distance << 10 | (_LEAF if 0 in node else 0)
        below: list[tuple[int, Node]] = []
        for label, child in node.items():
            unit = base ^ label
            self._used[unit] = True
            if isinstance(child, dict):
                self.units[unit] = label
                below.append((unit, child))
            else:
                self.units[unit] = child | _VALUE
        return below

    def _find_base(self, labels: list[int]) -> int:
        """The lowest base in the last blocks whose places for all labels are free; a fresh block always has one."""
        start = max(0, len(self.units) - SEARCHED_BLOCKS * BLOCK)
        bases = np.arange(start, len(self.units))
        fits = ~self._is_base[start:]
        for label in labels:
            fits &= ~self._used[bases ^ label]
        if fits.any():
            return start + int(fits.argmax())
        self._grow()
        return self._find_base(labels)

    def _grow(self) -> None:
        self.units += [0] * BLOCK
        self._used = np.append(self._used, np.zeros(BLOCK, dtype=bool))
        self._is_base = np.append(self._is_base, np.zeros(BLOCK, dtype=bool))
