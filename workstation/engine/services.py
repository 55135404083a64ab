"""What the stages may use. The command line builds the real one; tests may build another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from workstation.evidence.spans import Span
from workstation.retrieval.candidates import Retrieval


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """One search with the spans that were chosen from it, best first."""

    retrieval: Retrieval
    spans: tuple[Span, ...]


class EngineServices(Protocol):
    """The library and the models, behind what the stages need of them."""

    @property
    def model_calls(self) -> int: ...

    def detect_language(self, text: str) -> str: ...

    def find(self, question: str, *, spans: int, exclude: frozenset[int] = frozenset()) -> Finding:
        """Searches and picks spans. `exclude`: passages that are known already."""

    def stored_text(self, source: int, version: str) -> str | None:
        """The text of a source version, None when the library does not have it."""
