"""Why a passage stands where it does, in one line."""

from __future__ import annotations

from workstation.retrieval.candidates import Candidate
from workstation.retrieval.thresholds import Thresholds


def explain(c: Candidate, thresholds: Thresholds) -> str:
    """The lanes that found it, its two scores, and the step that kept or dropped it."""
    lanes = [
        f"lexical rank {c.lexical_rank}" if c.lexical_rank else "",
        f"dense rank {c.dense_rank}" if c.dense_rank else "",
    ]
    scores = [
        f"cosine {c.cosine:.3f}",
        *([f"match {c.match:.3f}"] if c.match is not None else []),
        f"rerank {c.rerank:.2f}" if c.rerank is not None else "not reranked",
    ]
    if c.kept:
        fate = "kept by its kind's reserve" if c.reserve else "kept"
    else:
        fate = "dropped at the cut" if c.rerank is not None else "dropped before reranking: outside the shortlist"
    exempt = "; below the noise floor, but the words match" if c.cosine < thresholds.noise_floor else ""
    return ", ".join([*filter(None, lanes), *scores]) + f"; {fate}{exempt}"
