"""The walk of one passage through one search, step by step: its number, what was needed, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from workstation.retrieval.candidates import Candidate, Retrieval
from workstation.retrieval.coverage import needed_match
from workstation.retrieval.retriever import LANE, SHORTLIST
from workstation.retrieval.thresholds import Thresholds

Verdict = Literal["passed", "was dropped", "did not get here", "no part in this"]
Dropped = Literal["noise floor", "shortlist", "cut"]


@dataclass(frozen=True, slots=True)
class Step:
    """`figure` is the passage's own, `needed` what it was measured against; both in words."""

    name: str
    figure: str
    needed: str
    verdict: Verdict


def steps(c: Candidate, retrieval: Retrieval, keep: int, thresholds: Thresholds) -> Iterator[Step]:
    """The steps in the order in which a passage walks through them."""
    place = retrieval.candidates.index(c) + 1 if c in retrieval.candidates else 0
    yield _lane("words", "by words", c.lexical_rank)
    yield _lane("meaning", "by meaning", c.dense_rank)
    low = c.cosine < thresholds.noise_floor
    exempt = ", or shared words" if low and c.lexical_rank else ""
    floor = f"at least {thresholds.noise_floor:.3f}{exempt}"
    yield Step("noise floor", f"cosine {c.cosine:.3f}", floor, "passed" if c.pool_rank else "was dropped")
    at = f"place {c.pool_rank} of the pool" if c.pool_rank else ""
    yield Step("shortlist", at, f"the first {SHORTLIST}", _after(c.pool_rank, c.rerank is not None))
    reranked = [x for x in retrieval.candidates if x.rerank is not None]
    order = 1 + sum(x.rerank > c.rerank for x in reranked if x.rerank is not None) if c.rerank is not None else 0
    score = f"rerank {c.rerank:.2f}: place {order} of {len(reranked)}" if c.rerank is not None else ""
    yield Step("order", score, "decides the order only", "passed" if score else "did not get here")
    cut = (f"place {order}" if order else "") + (", by its kind's reserve" if c.reserve else "")
    reserved = sum(x.reserve for x in retrieval.kept)
    room = f"the best {keep}" + (f", {reserved} of them reserved for kinds" if reserved else "")
    yield Step("cut", cut, room, _after(c.rerank is not None, c.kept))
    yield _gate(c, place, retrieval, thresholds)


def dropped_at(retrieval: Retrieval) -> dict[Dropped, list[Candidate]]:
    """Who else was dropped, by the step where that happened; at each the last ones that were in sight come first."""
    return {
        "noise floor": list(retrieval.below_floor),
        "shortlist": [c for c in retrieval.candidates if c.rerank is None and not c.kept],
        "cut": [c for c in retrieval.candidates if c.rerank is not None and not c.kept],
    }


def _lane(name: str, how: str, rank: int | None) -> Step:
    figure = f"rank {rank} {how}" if rank else "not among them"
    return Step(name, figure, f"the best {LANE} {how}", "passed" if rank else "no part in this")


def _after(before: object, passed: bool) -> Verdict:
    return "did not get here" if not before else "passed" if passed else "was dropped"


def _gate(c: Candidate, place: int, retrieval: Retrieval, thresholds: Thresholds) -> Step:
    """Of all that was kept: the gate asks whether the best of it is enough to answer from."""
    top, query = retrieval.coverage.top_match, retrieval.query
    best = max(retrieval.kept, key=lambda x: x.match or 0.0, default=None)
    same = best is None or best.passage.language == query.language
    needed = needed_match(query, thresholds, same_language=same)
    own = "its own match is the best" if best and best.passage.id == c.passage.id else ""
    own = own or (f"its own match {c.match:.3f}" if c.match is not None else "")
    figure = f"best match {top:.3f}" + (f"; {own}" if own else "")
    verdict: Verdict = "passed" if retrieval.coverage.covered else "was dropped"
    return Step("gate", figure, f"at least {needed:.3f}", verdict if place and c.kept else "did not get here")
