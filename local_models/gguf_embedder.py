"""The embedder through llama.cpp: one pass gives a text's pooled vector and its token vectors.

Backend "gguf" is a complete GGUF; a tokenizer file may stand beside it, else the GGUF's own tokenizer is used. Backend
"llama-layers" is a GGUF of the layers alone, with the word table and the tokenizer in files of their own: llama.cpp
reserves outputs x vocabulary floats even for an encoder, 500 MB for a vocabulary of 250,000, which a file without
vocabulary spares (142 MB in all, the same vectors).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from local_models.encoder import MAX_SEQUENCES, LlamaEncoder
from local_models.errors import ModelRefused
from local_models.protocols import Floats
from local_models.text_embedder import TextEmbedder
from local_models.tokenization import Tokenizer, open_tokenizer
from local_models.word_rows import WordRows


class GgufEmbedder(TextEmbedder):
    """Parts: `weights` (backend "gguf"), or `layers` and `words` ("llama-layers"); and `tokenizer`."""

    batch_texts = MAX_SEQUENCES
    working_bytes = 64 * 2**20  # compute buffers and outputs (measured: 40 to 60 MB at 512 tokens, 384 dimensions)

    _encoder: LlamaEncoder | None = None

    def open_native(self) -> None:
        words = self._paths.get("words")
        rows = WordRows(words, self.dimension) if words else None
        encoder = LlamaEncoder(self._paths["layers" if words else "weights"], self.batch_tokens, rows)
        if encoder.dimension != self.dimension:
            encoder.close()
            raise ModelRefused(f"{self.label}: the file has {encoder.dimension} dimensions, expected {self.dimension}")
        self._encoder = encoder

    def shut_native(self) -> None:
        if self._encoder is not None:
            self._encoder.close()
            self._encoder = None

    def _open_tokenizer(self) -> Tokenizer:
        if path := self._paths.get("tokenizer"):
            return open_tokenizer(path)
        from local_models.llama_tokenizer import LlamaTokenizer

        return LlamaTokenizer(self._paths["weights"])

    def _pass(self, sequences: Sequence[Sequence[int]]) -> list[tuple[Floats, Floats]]:
        assert self._encoder is not None
        return [(rows, pooled(rows, self._entry.pooling)) for rows in self._encoder.vectors(sequences)]


def pooled(rows: Floats, pooling: str) -> Floats:
    """(d,) unit vector of a text from its (n, d) token vectors, special tokens and prefix among them."""
    if pooling == "cls":
        vector = rows[0]
    elif pooling == "last":
        vector = rows[-1]
    else:
        vector = rows.mean(axis=0)
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12), dtype=np.float32)
