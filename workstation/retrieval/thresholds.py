"""The measured numbers of retrieval. They stand in thresholds.toml, with their data, one section an embedder."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Thresholds:
    """All in [0, 1].

    noise_floor, on cosine: below it a passage that only the dense lane found is not looked at. relevance_floor, on
    match: what a reserve must clear. covered, on match: the best kept passage must reach it for the library to answer;
    covered_cross when the question's language is not the passage's. Both rise by short_question / sqrt(n) for a
    question of n tokens: the fewer there are, the easier it is to find a passage that matches them all.
    """

    noise_floor: float
    relevance_floor: float
    covered: float
    covered_cross: float
    short_question: float


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("thresholds.toml").read_text(encoding="utf-8"))


def thresholds_for(fingerprint: str) -> Thresholds:
    """The numbers measured for an embedder, or permissive ones for an embedder that `scripts/calibrate` has not
    seen."""
    sections = _file()
    found = next((s for s in sections["embedder"] if fingerprint.startswith(s["fingerprint"])), sections["unmeasured"])
    return Thresholds(**{name: float(found[name]) for name in Thresholds.__slots__})
