"""Reading a CTranslate2 model.bin (binary version 6, little-endian).

u32 version, string spec, u32 revision, u32 variables
variables x (string name, u8 rank, u32 dimensions[rank], u8 type, u32 bytes, data)
u32 aliases, aliases x (string, string)
string: u16 length with the closing zero, bytes
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

VERSION = 6
TYPES = ("<f4", "i1", "<i2", "<i4", "<f2")
"""Element types by their number (ctranslate2, types.h DataType)."""


def read_variables(data: bytes) -> dict[str, NDArray[Any]]:
    """The variables by name; aliases are left out. Raises ValueError for another version."""
    (version,) = struct.unpack_from("<I", data)
    if version != VERSION:
        raise ValueError(f"a CTranslate2 file of version {version}, not {VERSION}")
    _, place = _string(data, 4)
    _revision, count = struct.unpack_from("<II", data, place)
    place += 8
    variables = {}
    for _ in range(count):
        name, place = _string(data, place)
        rank = data[place]
        shape = struct.unpack_from(f"<{rank}I", data, place + 1)
        place += 1 + 4 * rank
        kind, size = struct.unpack_from("<BI", data, place)
        place += 5
        values = np.frombuffer(data, TYPES[kind], size // np.dtype(TYPES[kind]).itemsize, place)
        variables[name] = values.reshape(shape)
        place += size
    return variables


def _string(data: bytes, place: int) -> tuple[str, int]:
    (length,) = struct.unpack_from("<H", data, place)
    begin = place + 2
    return data[begin : begin + length - 1].decode(), begin + length
