"""When enough has been read: how well pages fit the goal, how much new they bring, and whether that still moves.

    ga(p)      = max over the page's chunks of cosine(goal, chunk), rescaled to [0, 1]
    novelty(p) = share of the page vector's energy outside the span of the pages kept so far (thin SVD, energy 0.95)
    ig(p)      = 2 * ga * novelty / (ga + novelty)
    ig_ema     = (1 - a) * ig_ema + a * ig(p)
    recon      = || projection of the goal on the top singular vectors of the kept pages ||
    score      = mean(best ga so far, 1 - ig_ema, recon)
    plateau    = (1 - min(1, range of the last n scores / eps)) * (1 - exp(-seen / n))
    budget     = 1 - (1 - pages_used^k) (1 - session_pressure) (1 - time_used^k)
    psi        = 1 - (1 - plateau) (1 - budget);   stop at psi >= 0.7

All is arithmetic on what has arrived, in the order in which it did: the same arrivals give the same numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Exit = Literal["converged", "budget_limit", "urls_exhausted"]
SHORTEST = 8  # scores that are compared: with a = .3 a single page is forgotten after as many


@dataclass(frozen=True, slots=True)
class Rules:
    """The constants of the formulas. n, eps: on a generated site of 200 pages the score of a crawl that still learns
    moves by more than .1 within eight pages, and by less than .03 once it only repeats itself."""

    a: float = 0.3
    energy: float = 0.95
    n: int = SHORTEST
    eps: float = 0.1
    k: int = 6
    stop: float = 0.7

    @classmethod
    def of(cls, pages: int) -> Rules:
        """For a crawl of at most so many pages: who may read more looks longer before coming to a conclusion."""
        return cls(n=max(SHORTEST, pages // 8))


@dataclass(frozen=True, slots=True)
class Spent:
    """Shares in [0, 1] of what the crawl may take: pages, time, and what the run as a whole has used up."""

    pages: float = 0.0
    time: float = 0.0
    session: float = 0.0


@dataclass(frozen=True, slots=True)
class Numbers:
    """All numbers after one arrival, rounded to six digits."""

    ga: float
    novelty: float
    ig: float
    ig_ema: float
    best: float
    recon: float
    score: float
    plateau: float
    budget: float
    psi: float


def alignment(goal: Floats, vectors: Floats, floor: float) -> float:
    """ga of unit vectors (n, d): the best cosine, so rescaled that `floor` (what any two texts have in common for the
    embedder) is 0 and identity is 1."""
    if not len(vectors):
        return 0.0
    best = float((vectors @ goal).max())
    return round(min(1.0, max(0.0, (best - floor) / (1.0 - floor))), 6)


class Convergence:
    """The numbers of one crawl. `goal` is a unit vector (d,)."""

    def __init__(self, goal: Floats, rules: Rules) -> None:
        self._goal, self._rules = goal, rules
        self._kept: list[Floats] = []
        self._basis: NDArray[np.float64] = np.zeros((len(goal), 0))
        self._scores: list[float] = []
        self._ema, self._best, self._recon = 1.0, 0.0, 0.0

    @property
    def best(self) -> float:
        return self._best

    def nearest(self, vector: Floats) -> float:
        """The cosine with the most similar page that was kept."""
        return max((float(np.dot(each, vector)) for each in self._kept), default=-1.0)

    def see(self, ga: float, vector: Floats, keep: bool, spent: Spent) -> Numbers:
        """A page has arrived: `vector` (d,) is its unit vector."""
        novelty = self._novelty(vector)
        ig = 2 * ga * novelty / (ga + novelty) if ga + novelty else 0.0
        self._ema = (1 - self._rules.a) * self._ema + self._rules.a * ig
        self._best = max(self._best, ga)
        if keep:
            self._take(vector)
        self._scores.append((self._best + (1 - self._ema) + self._recon) / 3)
        return self._numbers(ga, novelty, ig, spent)

    def miss(self, spent: Spent) -> Numbers:
        """An address gave no page: nothing was learned, but something was spent."""
        return self._numbers(0.0, 0.0, 0.0, spent)

    def exit(self, numbers: Numbers) -> Exit | None:
        """The reason to stop, by the factor that weighs more; None while there is none."""
        if numbers.psi < self._rules.stop:
            return None
        return "converged" if numbers.plateau >= numbers.budget else "budget_limit"

    def _numbers(self, ga: float, novelty: float, ig: float, spent: Spent) -> Numbers:
        plateau, budget = self._plateau(), self._budget(spent)
        psi = 1 - (1 - plateau) * (1 - budget)
        score = self._scores[-1] if self._scores else 0.0
        values = (ga, novelty, ig, self._ema, self._best, self._recon, score, plateau, budget, psi)
        return Numbers(*(round(value, 6) for value in values))

    def _novelty(self, vector: Floats) -> float:
        inside = self._basis.T @ vector.astype(np.float64)
        return min(1.0, max(0.0, 1.0 - float(np.sum(inside**2))))

    def _take(self, vector: Floats) -> None:
        self._kept.append(vector)
        pages = np.stack(self._kept).astype(np.float64)
        _, values, rows = np.linalg.svd(pages, full_matrices=False)
        energy = np.cumsum(values**2) / np.sum(values**2)
        rank = int(np.searchsorted(energy, self._rules.energy)) + 1
        self._basis = rows[:rank].T
        self._recon = min(1.0, float(np.linalg.norm(self._basis.T @ self._goal.astype(np.float64))))

    def _plateau(self) -> float:
        if not self._scores:
            return 0.0
        last = self._scores[-self._rules.n :]
        still = 1 - min(1.0, (max(last) - min(last)) / self._rules.eps)
        return still * (1 - math.exp(-len(self._scores) / self._rules.n))

    def _budget(self, spent: Spent) -> float:
        k = self._rules.k
        pages, time, session = (min(1.0, max(0.0, share)) for share in (spent.pages, spent.time, spent.session))
        return 1 - (1 - pages**k) * (1 - session) * (1 - time**k)
