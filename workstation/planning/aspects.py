"""What the library's passages on a question are about: groups of similar passages, each with its most telling name.

The groups come from spherical k-means over the passages' vectors, started from the passages that are farthest from each
other (Gonzalez 1985), so that the same passages always give the same groups.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workstation.reading.dates import MONTHS
from workstation.retrieval.lexical import UNSPACED, query_terms
from workstation.retrieval.stop_words import stop_words

ROUNDS = 10  # of k-means; a few dozen passages settle in three or four
MOST_WORDS = 5  # of a name
_CAPITAL = r"[A-ZÀ-ÞĀ-ŽΑ-ΩА-ЯЁ][\w’'-]*"
_JOINING = r"(?:of|the|and|de|del|della|des|du|la|le|von|van|der|y|e|et)"
_NAME = re.compile(rf"{_CAPITAL}(?: (?:{_JOINING} ){{0,2}}{_CAPITAL})*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]\s+|\n\s*[-*#>]*\s*)$")


@dataclass(frozen=True, slots=True, eq=False)
class Surveyed:
    """A passage that was found for the question. vector: (d,) unit length."""

    text: str
    heading: str
    title: str
    language: str
    match: float
    vector: NDArray[np.float32]


def aspects(found: Sequence[Surveyed], question: str, language: str, most: int) -> list[str]:
    """Up to `most` names of what the passages are about beside the question itself, the most relevant first."""
    if len(found) < 2:
        return []
    groups = _groups(np.stack([s.vector for s in found]), most + 1)
    ranked = sorted(groups, key=lambda group: -max(found[i].match for i in group))
    counts = [_names(found[i] for i in group) for group in ranked]
    everywhere: Counter[str] = sum(counts, Counter())
    asked = set(query_terms(question, language))
    names: list[str] = []
    for count in counts:
        name = _most_telling(count, everywhere, len(counts), asked, names, language)
        if name:
            names.append(name)
    return names[:most]


def _groups(vectors: NDArray[np.float32], most: int) -> list[list[int]]:
    """Indices (into `vectors` (n, d), unit rows, the most relevant first) of up to `most` groups."""
    seeds = [0]
    while len(seeds) < min(most, len(vectors)):
        nearest = (vectors @ vectors[seeds].T).max(axis=1)
        nearest[seeds] = np.inf
        seeds.append(int(nearest.argmin()))
    centres = vectors[seeds]
    label = np.zeros(len(vectors), dtype=int)
    for _ in range(ROUNDS):
        label = (vectors @ centres.T).argmax(axis=1)
        sums = np.stack(
            [vectors[label == k].sum(axis=0) if (label == k).any() else centres[k] for k in range(len(seeds))]
        )
        centres = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    return [members for k in range(len(seeds)) if (members := np.flatnonzero(label == k).tolist())]


def _names(passages: Iterable[Surveyed]) -> Counter[str]:
    """In how many passages each heading, name or telling word stands; a heading counts double, a single word half."""
    counts: Counter[str] = Counter()
    for passage in passages:
        heading = passage.heading.strip()
        seen: dict[str, int] = (
            {heading: 4} if heading and heading.casefold() != passage.title.strip().casefold() else {}
        )
        stops = stop_words(passage.language)
        for name in _NAME.finditer(passage.text):
            words = name[0].rstrip("-'’").split()
            begins = _SENTENCE_START.search(passage.text[: name.start()]) is not None
            while words and words[0].casefold() in stops:  # "While the Commission"
                words, begins = words[1:], False
            if all(word.casefold() in MONTHS for word in words):
                continue
            if not (begins and len(words) == 1) and len(words) <= MOST_WORDS:
                seen.setdefault(" ".join(words), 2 if len(words) > 1 else 1)
        if not seen or UNSPACED.search(passage.text):
            seen |= dict.fromkeys(query_terms(passage.text, passage.language), 1)
        counts.update(seen)
    return counts


def _most_telling(
    count: Counter[str], everywhere: Counter[str], groups: int, asked: set[str], taken: Sequence[str], language: str
) -> str:
    """The name that stands often in this group and seldom in the others, and says more than the question does."""
    best, best_score = "", 0.0
    known = {word for name in taken for word in query_terms(name, language)} | asked
    for name, weight in count.items():
        words = set(query_terms(name, language))
        if not words or words <= known or not any(c.isalpha() for c in name):
            continue
        score = weight * math.log1p(groups * weight / everywhere[name])
        if score > best_score:
            best, best_score = name, score
    return best
