"""The cut, and who survives it: the best by order, and a few of every kind that order alone would squeeze out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from workstation.retrieval.candidates import Candidate

PER_KIND = 2  # passages of each kind that survive, if that many clear the relevance floor


def cut(ordered: Sequence[Candidate], keep: int, floor: float, per_kind: int = PER_KIND) -> list[Candidate]:
    """All candidates, the kept ones first in their order.

    Kinds with fewer than `per_kind` among the best `keep` get the places at the end of the cut from kinds that have
    more, for candidates whose match clears `floor`.
    """
    chosen = list(ordered[:keep])
    counts = Counter(c.passage.kind for c in chosen)
    reserved: list[Candidate] = []
    for candidate in ordered[keep:]:
        kind = candidate.passage.kind
        if counts[kind] >= per_kind or (candidate.match or 0.0) < floor:
            continue
        victim = next((c for c in reversed(chosen) if counts[c.passage.kind] > per_kind), None)
        if victim is None:
            break
        chosen.remove(victim)
        counts[victim.passage.kind] -= 1
        counts[kind] += 1
        reserved.append(candidate)
    kept_ids = {c.passage.id for c in chosen}
    reserved_ids = {c.passage.id for c in reserved}
    kept = [
        replace(c, kept=True, reserve=c.passage.id in reserved_ids)
        for c in ordered
        if c.passage.id in kept_ids | reserved_ids
    ]
    return kept + [c for c in ordered if c.passage.id not in kept_ids | reserved_ids]
