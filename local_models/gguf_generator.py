"""The generator: a chat GGUF through llama.cpp, greedy, with a schema or without."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path
from typing import Any

from local_models import native
from local_models.chat import ChatFormat
from local_models.decoder import LlamaDecoder
from local_models.errors import Cancelled, PromptTooLong
from local_models.llama_model import LlamaModel
from local_models.manifest import ModelEntry
from local_models.protocols import CancelCheck, Generation, Prompt, never
from local_models.residency import Residency
from local_models.structured import grammar_for, parse

MAX_CONTEXT = 4096
"""Tokens of prompt and answer together. Reading 1,500 tokens takes a 135M model 8 s on two cores: longer prompts would
be unbearable, and the cache grows with the context (90 MB for SmolLM2 at 4,096)."""

CACHE_BYTES = 256 * 2**20
"""Key/value cache and compute buffers, reckoned for the memory budget."""


class GgufGenerator:
    """See `protocols.Generator`. paths: the model's files by part, already checked."""

    def __init__(self, entry: ModelEntry, paths: dict[str, Path], residency: Residency | None = None) -> None:
        self._path = paths["weights"]
        self._residency = residency or Residency()
        self._decoder: LlamaDecoder | None = None
        self._chat: ChatFormat | None = None
        self._vocabulary: LlamaModel | None = None
        self._context = min(entry.context or MAX_CONTEXT, MAX_CONTEXT)
        self.label = entry.id
        self.memory_bytes = entry.size + CACHE_BYTES

    @property
    def context(self) -> int:
        return self._context

    def count_tokens(self, text: str) -> int:
        if self._vocabulary is None:
            with native.JOB:
                self._vocabulary = LlamaModel(self._path, vocabulary_only=True)
        return len(self._vocabulary.tokenize(text))

    def generate(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        schema: dict[str, Any] | None = None,
        cancelled: CancelCheck = never,
        on_text: Callable[[str], None] | None = None,
    ) -> Generation:
        with self._residency.use(self):
            assert self._decoder is not None
            assert self._chat is not None
            tokens = self._chat.tokens(prompt)
            if len(tokens) + max_tokens > self._context:
                raise PromptTooLong(
                    f"{len(tokens)} tokens of prompt and {max_tokens} of answer exceed {self._context} of {self.label}"
                )
            grammar = None if schema is None else grammar_for(schema)
            text, count, finish = _decode(self._decoder, tokens, max_tokens, grammar, cancelled, on_text)
        value = parse(text, schema) if schema is not None and finish != "cancelled" else None
        return Generation(text, value, len(tokens), count, finish)

    def close(self) -> None:
        self._residency.drop(self)
        if self._vocabulary is not None:
            self._vocabulary.close()
            self._vocabulary = None

    def open_native(self) -> None:
        decoder = LlamaDecoder(self._path, self._context)
        try:
            self._chat = ChatFormat(decoder.model)
        except BaseException:
            decoder.close()
            raise
        self._decoder = decoder

    def shut_native(self) -> None:
        if self._decoder is not None:
            self._decoder.close()
        self._decoder = self._chat = None


def _decode(
    decoder: LlamaDecoder,
    tokens: list[int],
    max_tokens: int,
    grammar: str | None,
    cancelled: CancelCheck,
    on_text: Callable[[str], None] | None,
) -> tuple[str, int, str]:
    """The answer's text, its number of tokens, and why it ended. Characters split over tokens come out whole."""
    characters = codecs.getincrementaldecoder("utf-8")("replace")
    text: list[str] = []
    count, finish = 0, "stop"
    stream = decoder.stream(tokens, grammar, cancelled)
    try:
        for token in stream:
            count += 1
            text.append(characters.decode(decoder.model.piece(token)))
            if on_text is not None and text[-1]:
                on_text(text[-1])
            if count >= max_tokens:
                finish = "length"
                break
    except Cancelled:
        finish = "cancelled"
    finally:
        stream.close()
    text.append(characters.decode(b"", final=True))
    return "".join(text), count, finish
