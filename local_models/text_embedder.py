"""What all embedders share: lay out the texts, batch them, hand results back in order.

A backend adds how it opens, how it shuts, and one pass over a batch.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from local_models import native
from local_models.errors import Cancelled
from local_models.layout import Sequence as Laid
from local_models.layout import arrange
from local_models.manifest import ModelEntry
from local_models.packing import batches, chunked
from local_models.protocols import CancelCheck, Floats, PassageInput, TextEmbedding, never
from local_models.residency import Residency
from local_models.tokenization import Tokenizer

WINDOW = 512
"""Tokens of one text at most: the encoders' trained length."""

SPACE_VERSION = 1
"""Raise this when the code changes the vectors: pooling, layout or normalisation."""


class TextEmbedder(ABC):
    """See `protocols.Embedder`. paths: the model's files by part, already checked."""

    batch_tokens = WINDOW
    batch_texts = 64

    def __init__(self, entry: ModelEntry, paths: Mapping[str, Path], residency: Residency | None = None) -> None:
        self._entry = entry
        self._paths = MappingProxyType(dict(paths))
        self._residency = residency or Residency()
        self._tokenizer: Tokenizer | None = None
        self._window = min(entry.context or WINDOW, WINDOW)
        self.label = entry.id
        self.memory_bytes = entry.size + self.working_bytes

    @property
    @abstractmethod
    def working_bytes(self) -> int:
        """What the open backend takes beside its files."""

    @abstractmethod
    def open_native(self) -> None: ...

    @abstractmethod
    def shut_native(self) -> None: ...

    @abstractmethod
    def _open_tokenizer(self) -> Tokenizer: ...

    @abstractmethod
    def _pass(self, sequences: Sequence[Sequence[int]]) -> list[tuple[Floats, Floats]]:
        """For each sequence its (tokens, d) vectors and its (d,) pooled unit vector. The backend is open."""

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
        return self._run([laid])[0]

    def embed_passages(
        self, passages: Sequence[PassageInput], cancelled: CancelCheck = never
    ) -> Iterator[TextEmbedding]:
        for chunk in chunked(passages):
            laid = [
                arrange(self._tokens(), self._window, self._entry.passage_prefix, passage.context, passage.text)
                for passage in chunk
            ]
            ready: dict[int, TextEmbedding] = {}
            given = 0
            for group in batches([len(item.ids) for item in laid], self.batch_tokens, self.batch_texts):
                if cancelled():
                    raise Cancelled
                ready.update(zip(group, self._run([laid[i] for i in group]), strict=True))
                while given in ready:
                    yield ready.pop(given)
                    given += 1

    def close(self) -> None:
        self._residency.drop(self)
        if self._tokenizer is not None:
            self._tokenizer.close()
            self._tokenizer = None

    def _run(self, laid: Sequence[Laid]) -> list[TextEmbedding]:
        with self._residency.use(self):
            passed = self._pass([item.ids for item in laid])
        return [
            TextEmbedding(
                vector, rows[item.first : item.last].copy(), np.array(item.own_ids, dtype=np.int32), item.starts
            )
            for item, (rows, vector) in zip(laid, passed, strict=True)
        ]

    def _tokens(self) -> Tokenizer:
        with native.JOB:
            if self._tokenizer is None:
                self._tokenizer = self._open_tokenizer()
            return self._tokenizer


def fingerprint(entry: ModelEntry) -> str:
    """32 hex digits that name the vector space: weights, tokenizer, prefixes, pooling, and this code's version."""
    parts = {
        "space": SPACE_VERSION,
        "files": sorted((file.part, file.sha256) for file in entry.files),
        "prefixes": [entry.query_prefix, entry.passage_prefix],
        "pooling": entry.pooling,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]
