"""What is measured: a figure beside its target, and the table of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """least: the target is a floor, not a ceiling. Without a target the figure only explains others. note: what it was
    measured on. A name that is indented belongs to the figure above."""

    name: str
    value: float
    unit: str
    target: float | None = None
    least: bool = False
    note: str = ""

    @property
    def short(self) -> bool:
        if self.target is None:
            return False
        return self.value < self.target if self.least else self.value > self.target

    def row(self) -> tuple[str, str, str, str, str]:
        sign = ">=" if self.least else "<="
        target = "" if self.target is None else f"{sign} {number(self.target)}"
        verdict = "" if self.target is None else "SHORT" if self.short else "ok"
        return self.name, f"{number(self.value)} {self.unit}".strip(), target, verdict, self.note

    def document(self) -> dict[str, Any]:
        fields = {name: getattr(self, name) for name in ("value", "unit", "target", "least", "note")}
        return fields | {"ok": None if self.target is None else not self.short}


def number(value: float) -> str:
    """Three digits that matter, and never an exponent."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def documents(figures: Sequence[Figure]) -> list[dict[str, Any]]:
    """For programs: every name says by itself what it is about."""
    found, above = [], ""
    for figure in figures:
        name = f"{above}: {figure.name.strip()}" if figure.name.startswith(" ") else figure.name
        above = above if figure.name.startswith(" ") else figure.name
        found.append({"name": name} | figure.document())
    return found


def table(figures: Sequence[Figure]) -> str:
    rows = [("what", "value", "target", "", "on"), *(figure.row() for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join("  ".join([*map(str.ljust, row, widths), row[4]]).rstrip() for row in rows)


def quantile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the sorted values lie at or below (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered) + 0.5) - 1))]
