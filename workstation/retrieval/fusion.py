"""Reciprocal rank fusion (Cormack et al., SIGIR 2009). It decides who is looked at more closely, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

K = 60  # the paper's constant


def fuse(*lanes: Sequence[int]) -> list[int]:
    """Passage ids of all lanes, best fused rank first; every id of every lane is in the result."""
    scores: dict[int, float] = {}
    for lane in lanes:
        for rank, passage in enumerate(lane):
            scores[passage] = scores.get(passage, 0.0) + 1.0 / (K + rank + 1)
    return sorted(scores, key=lambda passage: -scores[passage])
