"""The coverage gate: is what was found enough to answer from?

It reads `match`, an average cosine over the question's tokens, and never the rerank score. Questions about 24 XQuAD
articles, half of them in the library, in English: AUROC .9999 by match, .991 by the pooled vectors' cosine; in German
.985 and .974, in Russian .967 and .934.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from workstation.retrieval.candidates import Candidate, Coverage, Query
from workstation.retrieval.thresholds import Thresholds


def judge(query: Query, kept: Sequence[Candidate], thresholds: Thresholds) -> Coverage:
    """kept: the candidates that survived the cut, in any order."""
    if not kept:
        return Coverage(0.0, 0.0, False, "no passage has anything to do with it")
    top_cosine = max(c.cosine for c in kept)
    best = max(kept, key=lambda c: c.match or 0.0)
    top_match = best.match or 0.0
    needed = needed_match(query, thresholds, same_language=best.passage.language == query.language)
    if top_match < needed:
        return Coverage(
            top_cosine, top_match, False, f"the closest passage matches by {top_match:.2f}, {needed:.2f} is needed"
        )
    return Coverage(top_cosine, top_match, True)


def needed_match(query: Query, thresholds: Thresholds, *, same_language: bool) -> float:
    """The match that answers a question of this length."""
    base = thresholds.covered if same_language else thresholds.covered_cross
    return base + thresholds.short_question / math.sqrt(max(len(query.ids), 1))
