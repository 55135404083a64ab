"""A word embedding table on disk, read row by row.

The table of a multilingual model is most of its size (250,000 rows), and one text touches a few hundred rows. Rows are
ggml Q4_0 blocks: a float16 scale and 16 bytes, whose low nibbles are values 0 to 15 and high nibbles 16 to 31, each
less 8 times the scale (ggml-quants.c, dequantize_row_q4_0).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from local_models.errors import ModelFileCorrupt
from local_models.protocols import Floats

BLOCK_VALUES = 32
BLOCK_BYTES = 18


class WordRows:
    """Rows of `dimension` floats, memory-mapped."""

    def __init__(self, path: Path, dimension: int) -> None:
        row_bytes = dimension // BLOCK_VALUES * BLOCK_BYTES
        if dimension % BLOCK_VALUES or path.stat().st_size % row_bytes:
            raise ModelFileCorrupt(f"{path} does not hold whole rows of {dimension} values")
        self._blocks = np.memmap(path, dtype=np.uint8, mode="r").reshape(-1, dimension // BLOCK_VALUES, BLOCK_BYTES)

    def __len__(self) -> int:
        return int(self._blocks.shape[0])

    def take(self, ids: Sequence[int]) -> Floats:
        """Rows of the given ids: (n, dimension) float32."""
        blocks = self._blocks[np.asarray(ids, dtype=np.intp)]
        scale = blocks[..., :2].copy().view("<f2").astype(np.float32)
        nibbles = np.concatenate([blocks[..., 2:] & 0x0F, blocks[..., 2:] >> 4], axis=-1)
        values = (nibbles.astype(np.float32) - 8.0) * scale
        return values.reshape(len(ids), -1)
