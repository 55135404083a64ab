"""What retrieval hands on: candidates with their two scores kept apart, and the gate's verdict."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from local_models.protocols import Floats, Ints
from storage.records import Passage


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage in the pool. `cosine` answers yes/no questions, `rerank` orders; they are never compared or blended."""

    passage: Passage
    cosine: float
    lexical_rank: int | None
    dense_rank: int | None
    rerank: float | None = None
    reserve: bool = False
    kept: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """A question ready for both lanes: pooled vector (d,), centred token vectors (n, d) and their weights (n,)."""

    text: str
    language: str
    vector: Floats
    tokens: Floats
    ids: Ints
    weights: Floats
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """The gate: does the library hold enough to answer? Read from cosine and from which rare words it knows at all."""

    top_cosine: float
    covered: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Retrieval:
    """Candidates in final order (kept ones first), the gate's verdict and where the time went (milliseconds)."""

    query: Query
    candidates: tuple[Candidate, ...]
    coverage: Coverage
    timings_ms: dict[str, float] = field(default_factory=dict)

    @property
    def kept(self) -> tuple[Candidate, ...]:
        return tuple(c for c in self.candidates if c.kept)


@dataclass(frozen=True, slots=True, eq=False)
class PassageTokens:
    """The unpacked token vectors of a passage: (n, d) unit vectors and the offset of each token in its text (n,)."""

    vectors: Floats
    starts: Ints

    def between(self, start: int, end: int) -> Floats:
        """The vectors of the tokens that begin in text[start:end]."""
        first, last = np.searchsorted(self.starts, [start, end])
        return self.vectors[first:last]
