"""llama.cpp as a bare encoder: token sequences in, the last layer's vector of every token out.

llama-cpp-python's own `embed` is not used: with pooling off it mixes up every sequence after the first of a batch, and
it cuts off the closing special token of a long text. This reads llama.cpp's output buffer itself.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from local_models import native
from local_models.errors import ModelRefused
from local_models.protocols import Floats
from local_models.word_rows import WordRows

MAX_SEQUENCES = 64
"""Sequences in one batch; 512 tokens hold more only of texts under eight tokens."""


class LlamaEncoder:
    """One model and one context. window: tokens of one batch, all its sequences together.

    words: where token vectors come from when the file holds only the layers; None when it has its own table.
    Attention is full (not causal) and flash attention is on: at 512 tokens a batch it gives MiniLM 17 passages/s
    instead of 9 (F16, two threads), and larger batches are slower, because every sequence pays for the whole batch.
    """

    def __init__(self, path: Path, window: int, words: WordRows | None = None) -> None:
        self._lib = native.llama()
        self._window = window
        self._words = words
        self._model: Any = None
        self._context: Any = None
        self._batch: Any = None
        native.complaint()
        self._model = self._lib.llama_model_load_from_file(str(path).encode(), self._lib.llama_model_default_params())
        if not self._model:
            raise ModelRefused(f"llama.cpp cannot read {path}: {native.complaint() or 'no reason given'}")
        self.dimension = int(self._lib.llama_model_n_embd(self._model))
        self._context = self._lib.llama_init_from_model(self._model, self._parameters())
        if not self._context:
            self.close()
            raise ModelRefused(f"llama.cpp cannot run {path}: {native.complaint() or 'no reason given'}")
        self._batch = self._lib.llama_batch_init(window, 0 if words is None else self.dimension, 1)

    def _parameters(self) -> Any:
        parameters = self._lib.llama_context_default_params()
        parameters.n_ctx = parameters.n_batch = parameters.n_ubatch = self._window
        parameters.n_seq_max = MAX_SEQUENCES
        parameters.n_threads = parameters.n_threads_batch = native.threads()
        parameters.embeddings = True
        parameters.pooling_type = self._lib.LLAMA_POOLING_TYPE_NONE
        parameters.attention_type = self._lib.LLAMA_ATTENTION_TYPE_NON_CAUSAL
        parameters.flash_attn_type = self._lib.LLAMA_FLASH_ATTN_TYPE_ENABLED
        parameters.kv_unified = True
        return parameters

    def run(self, sequences: Sequence[Sequence[int]]) -> list[Floats]:
        """One batch. Returns (tokens, dimension) float32 for each sequence. More tokens than the window, or an empty
        sequence, is a ValueError: llama.cpp would abort the process."""
        total = sum(len(ids) for ids in sequences)
        if total > self._window or len(sequences) > MAX_SEQUENCES or not all(sequences):
            raise ValueError(f"{total} tokens in {len(sequences)} sequences do not fit a batch of {self._window}")
        self._fill(sequences, total)
        if status := self._lib.llama_encode(self._context, self._batch):
            raise RuntimeError(f"llama.cpp could not encode a batch (status {status}): {native.complaint()}")
        address = self._lib.llama_get_embeddings(self._context)
        rows = np.ctypeslib.as_array(address, shape=(total, self.dimension)).copy()
        return np.split(rows, np.cumsum([len(ids) for ids in sequences])[:-1])

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
        if self._model:
            self._lib.llama_model_free(self._model)
        self._batch = self._context = self._model = None
