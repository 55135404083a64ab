"""Late interaction: each word of the question finds its best partner in the passage, and rare words count for more.

    score(q, d) = sum over query tokens i of weight_i * max over passage tokens j of cos(q_i, d_j)       (MaxSim)
    match(q, d) = score / sum of weights: an average cosine, and so comparable between questions

After Khattab & Zaharia, "ColBERT", SIGIR 2020, here over an ordinary embedder's token vectors, mean-centred, with
inverse document frequencies of the token as weights.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from local_models.protocols import Floats


def idf(document_frequency: Floats, documents: int) -> Floats:
    """Weights (n,) for tokens that occur in `document_frequency` (n,) of `documents` passages (BM25's form, never <
    0)."""
    return np.log1p((documents - document_frequency + 0.5) / (document_frequency + 0.5)).astype(np.float32)


def max_sim(query: Floats, weights: Floats, passage: Floats) -> float:
    """query (n, d) and passage (m, d) unit vectors, weights (n,). A passage without tokens scores 0."""
    if not len(passage) or not len(query):
        return 0.0
    return float(weights @ (query @ passage.T).max(axis=1))


def max_sims(query: Floats, weights: Floats, passages: Sequence[Floats]) -> Floats:
    """The MaxSim score of each passage (k,), by one product over all their tokens."""
    lengths = np.array([len(p) for p in passages])
    scores = np.zeros(len(passages), dtype=np.float32)
    filled = np.flatnonzero(lengths)
    if len(filled) and len(query):
        tokens = np.concatenate([passages[int(i)] for i in filled])
        starts = np.cumsum(lengths[filled]) - lengths[filled]
        scores[filled] = weights @ np.maximum.reduceat(query @ tokens.T, starts, axis=1)
    return scores


def match(score: float, weights: Floats) -> float:
    """A MaxSim score as an average cosine in [0, 1]."""
    return min(max(score / max(float(weights.sum()), 1e-9), 0.0), 1.0)
