"""A GGUF opened by llama.cpp: its weights (or its vocabulary alone), its tokenizer, and contexts to compute in.

Everything goes through llama.cpp's C interface. The `Llama` class of llama-cpp-python points the process's stdout and
stderr at /dev/null while it loads, which would swallow what another thread prints.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

from local_models import native
from local_models.errors import ModelRefused

PIECE_BYTES = 256
"""Room for one token's text; llama.cpp reports the size it needs when that is not enough."""


class LlamaModel:
    """One opened GGUF. vocabulary_only: no weights, for counting tokens."""

    def __init__(self, path: Path, *, vocabulary_only: bool = False) -> None:
        self.lib = native.llama()
        self.path = path
        parameters = self.lib.llama_model_default_params()
        parameters.vocab_only = vocabulary_only
        native.complaint()
        self.handle: Any = self.lib.llama_model_load_from_file(str(path).encode(), parameters)
        if not self.handle:
            raise ModelRefused(f"llama.cpp cannot read {path}: {native.complaint() or 'no reason given'}")
        self.vocab: Any = self.lib.llama_model_get_vocab(self.handle)

    @property
    def dimension(self) -> int:
        return int(self.lib.llama_model_n_embd(self.handle))

    @property
    def trained_context(self) -> int:
        return int(self.lib.llama_model_n_ctx_train(self.handle))

    def context(self, adjust: Callable[[Any], None]) -> Any:
        """A new context; adjust sets its llama_context_params. Raises ModelRefused."""
        parameters = self.lib.llama_context_default_params()
        parameters.n_threads = parameters.n_threads_batch = native.threads()
        parameters.no_perf = True
        adjust(parameters)
        native.complaint()
        context = self.lib.llama_init_from_model(self.handle, parameters)
        if not context:
            raise ModelRefused(f"llama.cpp cannot run {self.path}: {native.complaint() or 'no reason given'}")
        return context

    def tokenize(self, text: str, *, add_special: bool = False, parse_special: bool = False) -> list[int]:
        """Token ids. add_special: with the model's own begin and end. parse_special: read "<|im_start|>" and the like
        as one token each; never for text from outside."""
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        tokens = (ctypes.c_int32 * room)()
        count = self.lib.llama_tokenize(self.vocab, data, len(data), tokens, room, add_special, parse_special)
        if count < 0:
            tokens = (ctypes.c_int32 * -count)()
            count = self.lib.llama_tokenize(self.vocab, data, len(data), tokens, -count, add_special, parse_special)
        return list(tokens[:count])

    def piece(self, token: int, *, special: bool = False) -> bytes:
        """A token's text, which may be a part of a character. special: show control tokens too."""
        for room in (PIECE_BYTES, 1 << 16):
            buffer = ctypes.create_string_buffer(room)
            count = self.lib.llama_token_to_piece(self.vocab, token, buffer, room, 0, special)
            if count >= 0:
                return buffer.raw[:count]
        return b""

    def is_end(self, token: int) -> bool:
        """Does this token end an answer?"""
        return bool(self.lib.llama_vocab_is_eog(self.vocab, token))

    def template(self, name: str | None = None) -> str | None:
        """The chat template of that name in the file, the default one for None."""
        found = self.lib.llama_model_chat_template(self.handle, name.encode() if name else None)
        return found.decode("utf-8", "replace") if found else None

    def close(self) -> None:
        """Free the model; contexts have to be freed before. Calling it again does nothing."""
        if self.handle:
            self.lib.llama_model_free(self.handle)
        self.handle = self.vocab = None
