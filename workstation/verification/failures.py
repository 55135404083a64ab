"""The ways in which a report can fail, each with the label that its lines begin with."""

from __future__ import annotations

from enum import Enum

SHOWN = 90  # characters of a sentence that a failure repeats: enough to find it


class Kind(Enum):
    NUMBER = "number never handed out"
    UNLISTED = "cited, but missing from Sources"
    SOURCE_LINE = "Sources line differs from the ledger"
    LEDGER_FILE = "sources.json differs from the log"
    MISSING = "stored version missing"
    ALTERED = "stored text altered"
    QUOTE = "quote not in its source"
    VALUE = "value not in the cited quotes"
    NAME = "name not in the cited quotes"
    STALE = "evidence changed since"
    COVERAGE = "too few sentences cited"


def failure(kind: Kind, detail: str) -> str:
    """One line: the label, then what and where."""
    return f"{kind.value}: {detail}"


def is_failure(line: str) -> bool:
    """True when a line of text begins as failures do."""
    return any(line.startswith(f"{kind.value}: ") for kind in Kind)


def shown(text: str) -> str:
    """A piece of the report on one line, cut to a length that can be found again."""
    flat = " ".join(text.split())
    return flat if len(flat) <= SHOWN else flat[: SHOWN - 1] + "…"
