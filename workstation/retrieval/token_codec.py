"""Token vectors, small enough to keep: centred, unit length, four bits a dimension, stop words and punctuation left out.

An embedder's token vectors share a large common component that carries no meaning (for multilingual-e5-small its norm is
.76): the mean over a sample of text in many languages is taken off before vectors are compared. What is left is divided by
each dimension's own spread and rounded to 16 levels. Mean and spread are stored with the library, since packed vectors
mean nothing without them.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from local_models.protocols import Floats, Ints, TextEmbedding

LEVELS = 16
STEP = 0.3352  # of a standard deviation: the best uniform 16-level step for a normal variable (Max 1960, table I)
SPREAD_FLOOR = 1e-4  # a dimension that hardly varies in the sample must not be divided by nothing


@dataclass(frozen=True, slots=True, eq=False)
class TokenCodec:
    """mean (d,) is taken off every token vector; spread (d,) is each dimension's standard deviation after that."""

    mean: Floats
    spread: Floats

    @classmethod
    def fit(cls, sample: Iterable[TextEmbedding]) -> TokenCodec:
        tokens = np.concatenate([_unit(e.tokens) for e in sample if len(e.ids)])
        mean = tokens.mean(axis=0)
        spread = np.maximum(_unit(tokens - mean).std(axis=0), SPREAD_FLOOR)
        return cls(mean.astype(np.float32), spread.astype(np.float32))

    def to_bytes(self) -> bytes:
        out = io.BytesIO()
        np.save(out, np.stack([self.mean, self.spread]), allow_pickle=False)
        return out.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> TokenCodec:
        mean, spread = np.load(io.BytesIO(data), allow_pickle=False)
        return cls(mean, spread)

    def centre(self, tokens: Floats) -> Floats:
        """(n, d) raw token vectors -> (n, d) unit vectors without the common component."""
        return _unit(_unit(tokens) - self.mean)

    def encode(self, centred: Floats) -> bytes:
        """(n, d) centred unit vectors -> n * d / 2 bytes."""
        levels = np.floor(centred / (self.spread * STEP)) + LEVELS // 2
        nibbles = np.clip(levels, 0, LEVELS - 1).astype(np.uint8)
        return (nibbles[:, 0::2] | (nibbles[:, 1::2] << 4)).tobytes()

    def decode(self, codes: bytes) -> Floats:
        """The (n, d) unit vectors that `codes` stand for."""
        dimension = len(self.mean)
        packed = np.frombuffer(codes, dtype=np.uint8).reshape(-1, dimension // 2)
        levels = np.empty((len(packed), dimension), dtype=np.float32)
        levels[:, 0::2] = packed & 0x0F
        levels[:, 1::2] = packed >> 4
        return _unit((levels - (LEVELS / 2 - 0.5)) * (self.spread * STEP))

    def pack(self, embedding: TextEmbedding, text: str, language: str) -> tuple[Ints, Ints, bytes]:
        """The tokens worth keeping of one passage: their ids (n,), their offsets in `text` (n,), and their codes."""
        kept = content_tokens(embedding.starts, text, language)
        return (
            embedding.ids[kept],
            embedding.starts[kept],
            self.encode(self.centre(embedding.tokens[kept])),
        )


def _unit(vectors: Floats) -> Floats:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, 1e-12), dtype=np.float32)


@lru_cache(maxsize=64)
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language (ISO 639-1), none for one that the list does not know."""
    import stopwordsiso

    return frozenset(stopwordsiso.stopwords(language)) if stopwordsiso.has_lang(language) else frozenset()


def content_tokens(starts: Ints, text: str, language: str) -> Ints:
    """Indices of the tokens that belong to a word which is neither punctuation nor a stop word.

    A token belongs to the white-space-delimited word around its offset, so all pieces of a word fare alike. If nothing
    would be left ("To be or not to be"), everything is kept.
    """
    stops = stop_words(language)
    keep = [i for i, start in enumerate(starts) if _carries_meaning(text, int(start), stops)]
    return np.asarray(keep or range(len(starts)), dtype=np.int32)


def _carries_meaning(text: str, start: int, stops: frozenset[str]) -> bool:
    if start >= len(text):
        return False
    while start < len(text) and text[start].isspace():
        start += 1
    if start == len(text) or unicodedata.category(text[start])[0] not in "LNMS":
        return False
    begin, end = start, start + 1
    while begin > 0 and text[begin - 1].isalnum():
        begin -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return text[begin:end].casefold() not in stops
