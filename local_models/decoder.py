"""llama.cpp as a greedy decoder: prompt tokens in, answer tokens out one by one.

The key/value cache of the last call is kept: what the next prompt shares with it from the start is not computed again
(SmolLM2, 1,500 shared tokens: 0.13 s instead of 7.2 s).
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from local_models import native
from local_models.errors import Cancelled, SchemaMismatch
from local_models.llama_model import LlamaModel
from local_models.protocols import CancelCheck

BATCH = 512
"""Prompt tokens a step; on two threads larger steps gain nothing."""

ABORTED = 2
"""llama_decode's status after the abort callback said yes."""

CHECK_SECONDS = 0.02
"""The abort callback is asked at every operation of the graph; the caller's cancel check only this often."""


class LlamaDecoder:
    """One model and one context of `context` tokens."""

    def __init__(self, path: Path, context: int) -> None:
        self.model = LlamaModel(path)
        self._lib = self.model.lib
        self._size = min(context, self.model.trained_context)
        self._context: Any = None
        self._cached: list[int] = []
        try:
            self._context = self.model.context(self._adjust)
        except BaseException:
            self.model.close()
            raise
        self._memory = self._lib.llama_get_memory(self._context)

    def _adjust(self, parameters: Any) -> None:
        parameters.n_ctx = self._size
        parameters.n_batch = parameters.n_ubatch = min(BATCH, self._size)

    def stream(self, prompt: Sequence[int], grammar: str | None, cancelled: CancelCheck) -> Generator[int, None, None]:
        """Answer tokens until the model ends its answer or the context is full. grammar: GBNF with a `root` rule.

        Raises Cancelled once the check says yes, also in the middle of the prompt, and SchemaMismatch when llama.cpp
        cannot read the grammar.
        """
        sampler = self._sampler(grammar)
        try:
            self._read(prompt, cancelled)
            while len(self._cached) < self._size:
                token = int(self._lib.llama_sampler_sample(sampler, self._context, -1))
                if self.model.is_end(token):
                    return
                yield token
                if cancelled():
                    raise Cancelled
                self._step([token])
        finally:
            self._lib.llama_sampler_free(sampler)

    def _sampler(self, grammar: str | None) -> Any:
        chain = self._lib.llama_sampler_chain_init(self._lib.llama_sampler_chain_default_params())
        if grammar is not None:
            rules = self._lib.llama_sampler_init_grammar(self.model.vocab, grammar.encode(), b"root")
            if not rules:
                self._lib.llama_sampler_free(chain)
                raise SchemaMismatch(f"llama.cpp cannot follow this schema: {native.complaint()}")
            self._lib.llama_sampler_chain_add(chain, rules)
        self._lib.llama_sampler_chain_add(chain, self._lib.llama_sampler_init_greedy())
        return chain

    def _read(self, prompt: Sequence[int], cancelled: CancelCheck) -> None:
        """Compute the prompt, less what is cached; the last token always, because its outputs are wanted."""
        shared = 0
        while shared < min(len(self._cached), len(prompt) - 1) and self._cached[shared] == prompt[shared]:
            shared += 1
        if not self._lib.llama_memory_seq_rm(self._memory, 0, shared, -1):  # some architectures only forget everything
            self._lib.llama_memory_clear(self._memory, True)
            shared = 0
        self._cached = list(prompt[:shared])
        stop = self._lib.ggml_abort_callback(_throttled(cancelled))
        self._lib.llama_set_abort_callback(self._context, stop, None)
        try:
            for start in range(shared, len(prompt), BATCH):
                self._step(prompt[start : start + BATCH])
        finally:
            self._lib.llama_set_abort_callback(self._context, self._lib.ggml_abort_callback(0), None)

    def _step(self, tokens: Sequence[int]) -> None:
        array = (ctypes.c_int32 * len(tokens))(*tokens)
        status = self._lib.llama_decode(self._context, self._lib.llama_batch_get_one(array, len(tokens)))
        if status:
            self._cached = []
            self._lib.llama_memory_clear(self._memory, True)
            if status == ABORTED:
                raise Cancelled
            raise RuntimeError(f"llama.cpp could not go on (status {status}): {native.complaint()}")
        self._cached += tokens

    def close(self) -> None:
        """Free everything; calling it again does nothing."""
        if self._context:
            self._lib.llama_free(self._context)
        self._context = None
        self.model.close()


def _throttled(cancelled: CancelCheck) -> Any:
    """A C callback's function: asks the check every 20 ms, and keeps saying yes after the first yes."""
    answer, due = False, 0.0

    def ask(_data: Any) -> bool:
        nonlocal answer, due
        if not answer and (now := time.monotonic()) >= due:
            answer, due = cancelled(), now + CHECK_SECONDS
        return answer

    return ask
