"""Planted disagreement: does a research run name every source that speaks against the answer, and none besides?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchlib.here import ROOT

CORPUS = ROOT / "tests" / "data" / "dissent"


@dataclass
class Tally:
    """Of the files that speak against the answer: named by the report at all, and named as disagreeing."""

    planted: int = 0
    cited: int = 0
    told: int = 0
    false: int = 0
    missed: list[str] = field(default_factory=list)

    @property
    def line(self) -> str:
        return (
            f"planted={self.planted} cited={self.cited / max(self.planted, 1):.3f} "
            f"told={self.told / max(self.planted, 1):.3f} false={self.false}"
        )


def questions(split: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((CORPUS / "labels.json").read_text(encoding="utf-8"))["questions"]
    return [q for q in found if split in ("all", q["split"])]


def judge(question: dict[str, Any], cited: set[str], sides: set[str], tally: Tally) -> None:
    """cited: names of the files that the report cites; sides: of those, the ones that it shows as disagreeing.

    Where no source is right, any side may be taken for the answer and the others as speaking against it.
    """
    against = {a["file"] for a in question["against"]}
    tally.planted += len(against)
    tally.cited += len(against & cited)
    tally.told += len(against & sides)
    tally.missed += [f"{question['id']}: {name}" for name in sorted(against - cited)]
    allowed = against | set(question["answers"]) if against else set()
    tally.false += len(sides - allowed)


def files_of(run: dict[str, Any], ledger: list[dict[str, Any]]) -> tuple[set[str], set[str]]:
    """(cited, sides) of a `research` document with its sources.json."""
    names = {entry["number"]: Path(entry["path"]).name for entry in ledger}
    cited = {names[c["number"]] for c in run["citations"]}
    sides = set(_sides(run["disagreements"]))
    return cited, {names[number] for number in sides}


def _sides(found: list[dict[str, Any]]) -> Iterator[int]:
    for one in found:
        yield one["quote"]["number"]
        yield one["against"]["number"]
