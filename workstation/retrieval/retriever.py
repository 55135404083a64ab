"""One search, in the order in which a passage walks through it: lanes, pool, floor, order, reserves, gate."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from local_models.protocols import Embedder, Reranker
from storage.filters import Filter
from storage.library import Library
from workstation.retrieval import reserves
from workstation.retrieval.candidates import Candidate, PassageTokens, Query, Retrieval
from workstation.retrieval.coverage import judge, needed_match
from workstation.retrieval.explain import explain
from workstation.retrieval.fusion import fuse
from workstation.retrieval.late_interaction import idf, match, max_sims
from workstation.retrieval.lexical import query_terms
from workstation.retrieval.lexical_lane import lexical_lane
from workstation.retrieval.thresholds import Thresholds
from workstation.retrieval.token_codec import TokenCodec, content_tokens

LANE = 100  # passages that each lane may bring into the pool
SHORTLIST = 64  # pool members that are reranked
REMEMBERED = 256  # passages whose unpacked token vectors stay in memory, about 250 kB each


class Retriever:
    """Searches one open library with the embedder that it was made with. Not for use from several threads at once."""

    def __init__(
        self,
        library: Library,
        embedder: Embedder,
        codec: TokenCodec,
        thresholds: Thresholds,
        detect_language: Callable[[str], str],
        reranker: Reranker | None = None,
    ) -> None:
        self._library, self._embedder, self._codec = library, embedder, codec
        self._thresholds, self._detect, self._reranker = thresholds, detect_language, reranker
        self._tokens: dict[int, PassageTokens] = {}

    def query(self, text: str) -> Query:
        """Reads the question once for both lanes."""
        language = self._detect(text)
        embedding = self._embedder.embed_query(text)
        kept = content_tokens(embedding.starts, text)
        ids = embedding.ids[kept]
        frequency = self._library.token_frequency([int(i) for i in ids])
        weights = idf(
            np.array([frequency.get(int(i), 0) for i in ids], dtype=np.float32), self._library.passage_count()
        )
        tokens = self._codec.centre(embedding.tokens[kept])
        return Query(text, language, embedding.vector, tokens, ids, weights, query_terms(text, language))

    def search(
        self,
        text: str,
        keep: int = 10,
        exclude: frozenset[int] = frozenset(),
        among: frozenset[int] | None = None,
        where: Filter | None = None,
    ) -> Retrieval:
        """The best `keep` passages for a question, with everything that was looked at behind them.

        exclude: passages that an earlier search for the same gap has already brought. among: the only ones to look at.
        where: which sources may be looked into; both lanes rank only what it lets through.
        """
        clock = _Clock()
        query = self.query(text)
        clock.lap("query")
        if where:
            let_through = frozenset(self._library.matching(where))
            among = let_through if among is None else among & let_through
            clock.lap("filter")
        lexical = [i for i in self._lexical(query, where) if i not in exclude and (among is None or i in among)]
        clock.lap("lexical")
        dense = [i for i in self._dense(query, LANE + len(exclude), among) if i not in exclude][:LANE]
        clock.lap("dense")
        pool, below = self._pool(query, lexical, dense)
        clock.lap("pool")
        ordered = self._order(query, pool)
        clock.lap("rerank")
        kept = reserves.cut(ordered, keep, self._thresholds.relevance_floor)
        coverage = judge(query, [c for c in kept if c.kept], self._thresholds)
        final = tuple(replace(c, why=explain(c, self._thresholds)) for c in kept)
        return Retrieval(query, final, coverage, clock.laps, below)

    @property
    def thresholds(self) -> Thresholds:
        """What passages are measured against."""
        return self._thresholds

    def cosine(self, query: Query, passage: int) -> float:
        """How near a passage is to a question, in [0, 1]. NotFound for one that cannot be found."""
        return float(np.clip(self._library.vectors([passage])[0] @ query.vector, 0.0, 1.0))

    def needed(self, query: Query) -> float:
        """The match that a passage in the question's language needs to answer it."""
        return needed_match(query, self._thresholds, same_language=True)

    def tokens(self, passages: Sequence[int]) -> dict[int, PassageTokens]:
        """The unpacked token vectors of `passages`, remembered for the next question."""
        missing = [p for p in dict.fromkeys(passages) if p not in self._tokens]
        records = self._library.token_records(missing)
        vectors = self._codec.decode(b"".join(record.codes for record in records))
        ends = np.cumsum([len(record.ids) for record in records])
        for record, part in zip(records, np.split(vectors, ends[:-1]), strict=True) if records else ():
            self._tokens[record.passage] = PassageTokens(part, record.ids, record.starts)
        found = {p: self._tokens[p] for p in passages if p in self._tokens}
        if len(self._tokens) > REMEMBERED:
            self._tokens = dict(found)
        return found

    def _lexical(self, query: Query, where: Filter | None) -> list[int]:
        return lexical_lane(self._library, query.text, query.terms, LANE, where)

    def _dense(self, query: Query, k: int, among: frozenset[int] | None) -> list[int]:
        if among is None:
            return [i for i, _ in self._library.dense(query.vector, k)]
        ids = sorted(among)
        return [ids[n] for n in np.argsort(-(self._library.vectors(ids) @ query.vector), kind="stable")] if ids else []

    def _pool(
        self, query: Query, lexical: list[int], dense: list[int]
    ) -> tuple[list[Candidate], tuple[Candidate, ...]]:
        """Who is looked at more closely, in fused order, and who is too far away for that."""
        fused = fuse(lexical, dense)
        cosines = np.clip(self._library.vectors(fused) @ query.vector, 0.0, 1.0) if fused else np.zeros(0)
        lexical_rank = {p: n for n, p in enumerate(lexical, 1)}
        dense_rank = {p: n for n, p in enumerate(dense, 1)}
        passages = {p.id: p for p in self._library.passages(fused)}
        found = [
            Candidate(passages[p], float(cosine), lexical_rank.get(p), dense_rank.get(p))
            for p, cosine in zip(fused, cosines, strict=True)
        ]
        near = [c for c in found if c.lexical_rank or c.cosine >= self._thresholds.noise_floor]
        far = tuple(c for c in found if not (c.lexical_rank or c.cosine >= self._thresholds.noise_floor))
        return [replace(c, pool_rank=n) for n, c in enumerate(near, 1)], far

    def _order(self, query: Query, pool: list[Candidate]) -> list[Candidate]:
        """The shortlist by rerank score, the rest of the pool behind it as fused."""
        shortlist, rest = pool[:SHORTLIST], pool[SHORTLIST:]
        tokens = self.tokens([c.passage.id for c in shortlist])
        sums = max_sims(query.tokens, query.weights, [tokens[c.passage.id].vectors for c in shortlist]).tolist()
        scores = self._reranker.score(query.text, [c.passage.text for c in shortlist]) if self._reranker else sums
        scored = [
            replace(c, rerank=score, match=match(total, query.weights))
            for c, score, total in zip(shortlist, scores, sums, strict=True)
        ]
        return sorted(scored, key=lambda c: -(c.rerank or 0.0)) + rest


class _Clock:
    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = round(1000 * (now - self._last), 2)
        self._last = now
