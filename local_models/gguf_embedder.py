"""The embedder: one pass through a GGUF encoder gives a text's pooled vector and its token vectors.

Backend "gguf" is a complete GGUF; a tokenizer file may stand beside it, else the GGUF's own tokenizer is used. Backend
"llama-layers" is a GGUF of the layers alone, with the word table and the tokenizer in files of their own: llama.cpp
reserves outputs x vocabulary floats even for an encoder, 500 MB for a vocabulary of 250,000, which a file without
vocabulary spares (142 MB in all, the same vectors).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from local_models import native
from local_models.encoder import MAX_SEQUENCES, LlamaEncoder
from local_models.errors import Cancelled, ModelRefused
from local_models.layout import Sequence as Laid
from local_models.layout import arrange
from local_models.manifest import ModelEntry
from local_models.packing import batches, chunked
from local_models.protocols import CancelCheck, Floats, PassageInput, TextEmbedding, never
from local_models.residency import Residency
from local_models.tokenization import Tokenizer, open_tokenizer
from local_models.word_rows import WordRows

WINDOW = 512
"""Tokens of a batch, and of one text at most: the encoders' trained length, and the fastest batch on two threads."""

WORKING_BYTES = 64 * 2**20
"""Compute buffers and the output table beside the weights (measured: 40 to 60 MB at 512 tokens, 384 dimensions)."""

SPACE_VERSION = 1
"""Raise this when the code changes the vectors: pooling, layout or normalisation."""


class GgufEmbedder:
    """See `protocols.Embedder`. paths: the model's files by part, already checked."""

    def __init__(self, entry: ModelEntry, paths: dict[str, Path], residency: Residency | None = None) -> None:
        self._entry = entry
        self._paths = MappingProxyType(paths)
        self._residency = residency or Residency()
        self._encoder: LlamaEncoder | None = None
        self._tokenizer: Tokenizer | None = None
        self._window = min(entry.context or WINDOW, WINDOW)
        self.label = entry.id
        self.memory_bytes = entry.size + WORKING_BYTES

    @property
    def fingerprint(self) -> str:
        return fingerprint(self._entry)

    @property
    def dimension(self) -> int:
        return self._entry.dimension

    @property
    def window(self) -> int:
        tokenizer = self._tokens()
        special = len(tokenizer.lead) + len(tokenizer.tail)
        return self._window - special - tokenizer.count(self._entry.passage_prefix)

    def count_tokens(self, text: str) -> int:
        return self._tokens().count(text)

    def embed_query(self, text: str) -> TextEmbedding:
        laid = arrange(self._tokens(), self._window, self._entry.query_prefix, "", text)
        return self._embedding(laid, self._run([laid])[0])

    def embed_passages(
        self, passages: Sequence[PassageInput], cancelled: CancelCheck = never
    ) -> Iterator[TextEmbedding]:
        for chunk in chunked(passages):
            laid = [
                arrange(self._tokens(), self._window, self._entry.passage_prefix, passage.context, passage.text)
                for passage in chunk
            ]
            ready: dict[int, TextEmbedding] = {}
            for group in batches([len(item.ids) for item in laid], self._window, MAX_SEQUENCES):
                if cancelled():
                    raise Cancelled
                rows = self._run([laid[i] for i in group])
                ready.update((i, self._embedding(laid[i], row)) for i, row in zip(group, rows, strict=True))
            yield from (ready[i] for i in range(len(laid)))

    def close(self) -> None:
        self._residency.drop(self)
        if self._tokenizer is not None:
            self._tokenizer.close()
            self._tokenizer = None

    def open_native(self) -> None:
        words = self._paths.get("words")
        rows = WordRows(words, self._entry.dimension) if words else None
        self._encoder = LlamaEncoder(self._paths["layers" if words else "weights"], self._window, rows)
        if self._entry.dimension != self._encoder.dimension:
            found = self._encoder.dimension
            self.shut_native()
            raise ModelRefused(f"{self.label} gives {found} dimensions, the registry says {self._entry.dimension}")

    def shut_native(self) -> None:
        if self._encoder is not None:
            self._encoder.close()
            self._encoder = None

    def _run(self, laid: Sequence[Laid]) -> list[Floats]:
        with self._residency.use(self):
            assert self._encoder is not None
            return self._encoder.run([item.ids for item in laid])

    def _embedding(self, laid: Laid, rows: Floats) -> TextEmbedding:
        own = slice(laid.first, laid.last)
        ids = np.array(laid.ids[own], dtype=np.int32)
        return TextEmbedding(pooled(rows, self._entry.pooling), rows[own].copy(), ids, laid.starts)

    def _tokens(self) -> Tokenizer:
        if self._tokenizer is None:
            with native.JOB:
                self._tokenizer = self._open_tokenizer()
        return self._tokenizer

    def _open_tokenizer(self) -> Tokenizer:
        if path := self._paths.get("tokenizer"):
            return open_tokenizer(path)
        from local_models.llama_tokenizer import LlamaTokenizer

        return LlamaTokenizer(self._paths["weights"])


def pooled(rows: Floats, pooling: str) -> Floats:
    """(d,) unit vector of a text from its (n, d) token vectors, special tokens and prefix among them."""
    vector = {"cls": lambda: rows[0], "last": lambda: rows[-1]}.get(pooling, lambda: rows.mean(axis=0))()
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12), dtype=np.float32)


def fingerprint(entry: ModelEntry) -> str:
    """32 hex digits that name the vector space: weights, tokenizer, prefixes, pooling, and this code's version."""
    parts = {
        "space": SPACE_VERSION,
        "files": sorted((file.part, file.sha256) for file in entry.files),
        "prefixes": [entry.query_prefix, entry.passage_prefix],
        "pooling": entry.pooling,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]
