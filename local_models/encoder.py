"""llama.cpp as a bare encoder: token sequences in; out come all tokens' last-layer vectors, or one score a sequence.

llama-cpp-python's own `embed` is not used: with pooling off it mixes up every sequence after the first of a batch, it
cuts off the closing special token of a long text, and it takes rank scores for vectors. This reads llama.cpp's output
buffers itself.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from local_models import native
from local_models.llama_model import LlamaModel
from local_models.protocols import Floats
from local_models.word_rows import WordRows

MAX_SEQUENCES = 64
"""Sequences in one batch; 512 tokens hold more only of texts under eight tokens."""


class LlamaEncoder:
    """One model and one context. window: tokens of one batch, all its sequences together.

    words: where token vectors come from when the file holds only the layers; None when it has its own table. scoring:
    the file has a classification head (llama.cpp's "rank" pooling).
    Flash attention is on: at 512 tokens a batch it gives MiniLM 17 passages/s instead of 9 (F16, two threads). Larger
    batches are slower, because attention is computed over the whole batch and masked afterwards.
    """

    def __init__(self, path: Path, window: int, words: WordRows | None = None, *, scoring: bool = False) -> None:
        self.model = LlamaModel(path)
        self._lib = self.model.lib
        self._window = window
        self._words = words
        self._scoring = scoring
        self._context: Any = None
        self._batch: Any = None
        try:
            self._context = self.model.context(self._adjust)
        except BaseException:
            self.model.close()
            raise
        self._batch = self._lib.llama_batch_init(window, 0 if words is None else self.dimension, 1)

    @property
    def dimension(self) -> int:
        return self.model.dimension

    def _adjust(self, parameters: Any) -> None:
        parameters.n_ctx = parameters.n_batch = parameters.n_ubatch = self._window
        parameters.n_seq_max = MAX_SEQUENCES
        parameters.embeddings = True
        parameters.pooling_type = (
            self._lib.LLAMA_POOLING_TYPE_RANK if self._scoring else self._lib.LLAMA_POOLING_TYPE_NONE
        )
        parameters.flash_attn_type = self._lib.LLAMA_FLASH_ATTN_TYPE_ENABLED
        parameters.kv_unified = True

    def vectors(self, sequences: Sequence[Sequence[int]]) -> list[Floats]:
        """One batch. (tokens, dimension) float32 for each sequence."""
        self._compute(sequences)
        lengths = [len(ids) for ids in sequences]
        address = self._lib.llama_get_embeddings(self._context)
        rows = np.ctypeslib.as_array(address, shape=(sum(lengths), self.dimension)).copy()
        return np.split(rows, np.cumsum(lengths)[:-1])

    def scores(self, sequences: Sequence[Sequence[int]]) -> list[float]:
        """One batch. The first output of the classification head for each sequence, unbounded.

        The output buffer has `dimension` floats a sequence, of which only the head's outputs are meaningful.
        """
        self._compute(sequences)
        outputs = [self._lib.llama_get_embeddings_seq(self._context, index) for index in range(len(sequences))]
        return [float(output[0]) for output in outputs]

    def _compute(self, sequences: Sequence[Sequence[int]]) -> None:
        """Raises ValueError where llama.cpp would abort the process: too many tokens, or an empty sequence."""
        total = sum(len(ids) for ids in sequences)
        if total > self._window or len(sequences) > MAX_SEQUENCES or not all(sequences):
            raise ValueError(f"{total} tokens in {len(sequences)} sequences do not fit a batch of {self._window}")
        self._fill(sequences, total)
        if memory := self._lib.llama_get_memory(self._context):  # a decoder used as an encoder keeps a cache
            self._lib.llama_memory_clear(memory, True)
        if status := self._lib.llama_decode(self._context, self._batch):
            raise RuntimeError(f"llama.cpp could not compute a batch (status {status}): {native.complaint()}")

    def _fill(self, sequences: Sequence[Sequence[int]], total: int) -> None:
        batch = self._batch
        batch.n_tokens = total
        flat = [token for ids in sequences for token in ids]
        if self._words is None:
            ctypes.memmove(batch.token, (ctypes.c_int32 * total)(*flat), 4 * total)
        else:
            rows = np.ascontiguousarray(self._words.take(flat), dtype=np.float32)
            ctypes.memmove(batch.embd, rows.ctypes.data, rows.nbytes)
        place = 0
        for sequence, ids in enumerate(sequences):
            for position in range(len(ids)):
                batch.pos[place] = position
                batch.n_seq_id[place] = 1
                batch.seq_id[place][0] = sequence
                batch.logits[place] = 1
                place += 1

    def close(self) -> None:
        """Free everything; calling it again does nothing."""
        if self._batch is not None:
            self._lib.llama_batch_free(self._batch)
        if self._context:
            self._lib.llama_free(self._context)
        self._batch = self._context = None
        self.model.close()
