"""From observed scores to thresholds, each by a rule that is stated beside it.

Every rule reads two clusters: questions that a passage answers (inside) and questions that none does (outside).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchlib.observing import Observation, Observed

Scores = NDArray[np.float64]

SHORT = (0.0, 0.05, 0.1, 0.15, 0.2)
"""No more than .2: a question of one word, of which labelled data has none, would have to match almost literally."""
REFUSED = 0.02  # of the questions inside: what the gate may cost where the clusters stand apart
MARGIN = 0.02  # of cosine, below the lowest relevant passage: the noise floor must not lose what was not seen yet
STEP = 0.005


@dataclass(frozen=True, slots=True)
class Choice:
    """because: the clusters that the value sits between, for the comment above it."""

    value: float
    because: str


@dataclass(frozen=True, slots=True)
class Clusters:
    """The questions of one language. everyday: outside too, and in the language of the passages."""

    language: str
    inside: list[Observation]
    outside: list[Observation]
    everyday: list[Observation]

    @property
    def unanswered(self) -> list[Observation]:
        return self.outside + self.everyday


def clusters(observed: Observed) -> list[Clusters]:
    """By language of the questions."""
    found = []
    for language in dict.fromkeys(o.language for o in observed.observations if o.language):
        here = [o for o in observed.observations if o.language == language]
        everyday = [o for o in observed.observations if not o.language] if language == observed.language else []
        found.append(Clusters(language, [o for o in here if o.inside], [o for o in here if not o.inside], everyday))
    return found


def choose(observed: Observed) -> dict[str, Choice]:
    """The numbers of retrieval.thresholds, in the order of thresholds.toml."""
    known = clusters(observed)
    same = [c for c in known if c.language == observed.language]
    cross = [c for c in known if c.language != observed.language]
    if not same:
        raise ValueError(f"no question is asked in {observed.language}, the language of the passages")
    short = _short_question(known)
    covered = _gate(same, short.value)
    covered_cross = _gate(cross, short.value) if cross else Choice(covered.value, _NOT_READ)
    n = round(float(np.median([o.tokens for c in cross or same for o in c.inside])))
    floor = _rounded(covered_cross.value + short.value / math.sqrt(n))
    return {
        "noise_floor": _noise_floor(known),
        "relevance_floor": Choice(floor, f"match: as covered_cross, for a question of {n} tokens"),
        "covered": covered,
        "covered_cross": covered_cross,
        "short_question": short,
    }


_NOT_READ = "as covered: the embedder reads no other language that the questions were asked in"


def _noise_floor(known: Sequence[Clusters]) -> Choice:
    """Below the lowest cosine of a passage that answers, by MARGIN, rounded down to hundredths."""
    lowest = {c.language: min(o.relevant for o in c.inside if o.relevant is not None) for c in known}
    others = {c.language: _quantile([o.others for o in c.outside], 0.5) for c in known}
    because = "; ".join(
        f"{name}: passages that answer start at {_short(lowest[name])}, the median of the closest to questions outside "
        f"is {_short(others[name])}"
        for name in lowest
    )
    return Choice(math.floor(100 * max(0.0, min(lowest.values()) - MARGIN)) / 100, f"cosine, {because}")


def _short_question(known: Sequence[Clusters]) -> Choice:
    """Of SHORT, what refuses most questions outside when REFUSED of those inside are refused; the larger of equals."""

    def refused(short: float) -> float:
        shares = []
        for c in known:
            threshold = _quantile(_raised(c.inside, short), REFUSED)
            shares.append(float((_raised(c.unanswered, short) < threshold).mean()))
        return round(sum(shares) / len(shares), 4)

    best = max(SHORT, key=lambda short: (refused(short), short))
    told = f"{_percent(refused(SHORT[0]))} to {_percent(refused(best))}"
    tried = ", ".join(_short(short) for short in SHORT)
    return Choice(best, f"of {tried}: refuses most outside ({told}) while {_percent(REFUSED)} inside are refused")


def _gate(known: Sequence[Clusters], short: float) -> Choice:
    """The higher of two: where at most REFUSED of the questions inside are refused (the clusters stand apart, and a
    larger library moves the outer one up, so nothing is gained by going lower), and where as large a share inside is
    refused as outside is answered (they overlap)."""
    inside = np.concatenate([_raised(c.inside, short) for c in known])
    outside = np.concatenate([_raised(c.outside, short) for c in known])
    value = max(_rounded_down(_quantile(inside, REFUSED)), _rounded(_equal_errors(inside, outside)))
    told = [
        f"{c.language}: inside, {_percent((_raised(c.inside, short) < value).mean())} below; outside, "
        f"{_percent((_raised(c.outside, short) >= value).mean())} above, 97.5 % below "
        f"{_short(_quantile(_raised(c.outside, short), 0.975))}"
        for c in known
    ]
    if everyday := [o for c in known for o in c.everyday]:
        below = int((_raised(everyday, short) < value).sum())
        told.append(f"{len(everyday)} everyday questions, {below} below")
    return Choice(value, f"match - {_short(short)} / sqrt(n), {'; '.join(told)}")


def _equal_errors(inside: Scores, outside: Scores) -> float:
    """The score at which the share of `inside` below it equals the share of `outside` at or above it."""
    scores = np.sort(np.concatenate([inside, outside]))
    gaps = [abs(float((inside < s).mean()) - float((outside >= s).mean())) for s in scores]
    return float(scores[int(np.argmin(gaps))])


def _raised(observations: Sequence[Observation], short: float) -> Scores:
    """What the gate compares with its base value."""
    return np.array([o.match - short / math.sqrt(o.tokens) for o in observations])


def _quantile(values: Sequence[float] | Scores, share: float) -> float:
    return float(np.quantile(values, share)) if len(values) else 0.0


def _rounded(value: float) -> float:
    return round(round(value / STEP) * STEP, 3)


def _rounded_down(value: float) -> float:
    return round(math.floor(value / STEP) * STEP, 3)


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _short(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".").removeprefix("0") or "0"
