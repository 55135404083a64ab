"""The coverage gate: is what was found enough to answer from? It reads cosine, never the rerank score."""

from __future__ import annotations

from collections.abc import Sequence

from workstation.retrieval.candidates import Candidate, Coverage, Query
from workstation.retrieval.thresholds import Thresholds


def judge(query: Query, kept: Sequence[Candidate], thresholds: Thresholds, known: float) -> Coverage:
    """kept: the candidates that survived the cut. known: the share of the question's weight on words the library has."""
    if not kept:
        return Coverage(0.0, False, "no passage matches")
    best = max(kept, key=lambda c: c.cosine)
    same = best.passage.language == query.language
    needed = thresholds.covered if same else thresholds.covered_cross
    if best.cosine < needed:
        return Coverage(best.cosine, False, f"the closest passage has cosine {best.cosine:.3f}, {needed:.3f} is needed")
    return Coverage(best.cosine, True)
