"""What retrieval hands on: candidates with gate scores and order score kept apart, and the gate's verdict."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from local_models.protocols import Floats, Ints
from storage.records import Passage


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage in the pool. `cosine` and `match`, both in [0, 1], answer yes/no questions; `rerank` orders.

    cosine: of the pooled vectors. match: the question's tokens' best cosines in the passage, averaged by weight; None
    outside the shortlist. The two sides are never compared or blended. pool_rank: its place among those that passed the
    floor, as fused, from 1.
    """

    passage: Passage
    cosine: float
    lexical_rank: int | None
    dense_rank: int | None
    match: float | None = None
    rerank: float | None = None
    reserve: bool = False
    kept: bool = False
    why: str = ""
    pool_rank: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """A question ready for both lanes: pooled vector (d,), centred token vectors (n, d) and their weights (n,),
    and the words to look up."""

    text: str
    language: str
    vector: Floats
    tokens: Floats
    ids: Ints
    weights: Floats
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """The gate: does the library hold enough to answer? The best cosine and the best match among the kept passages."""

    top_cosine: float
    top_match: float
    covered: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Retrieval:
    """Candidates in final order (kept ones first), the gate's verdict and where the time went (milliseconds).
    below_floor: what the dense lane alone found, and too far away to be looked at."""

    query: Query
    candidates: tuple[Candidate, ...]
    coverage: Coverage
    timings_ms: dict[str, float] = field(default_factory=dict)
    below_floor: tuple[Candidate, ...] = ()

    @property
    def kept(self) -> tuple[Candidate, ...]:
        return tuple(c for c in self.candidates if c.kept)


@dataclass(frozen=True, slots=True, eq=False)
class PassageTokens:
    """The unpacked token vectors of a passage: (n, d) unit vectors, vocabulary ids (n,), offsets in its text (n,)."""

    vectors: Floats
    ids: Ints
    starts: Ints

    def between(self, start: int, end: int) -> PassageTokens:
        """The tokens that begin in text[start:end]."""
        first, last = np.searchsorted(self.starts, [start, end])
        return PassageTokens(self.vectors[first:last], self.ids[first:last], self.starts[first:last])
