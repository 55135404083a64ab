"""What the stages may use. The command line builds the real one; tests may build another."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from workstation.core.cancel import CancelToken
from workstation.evidence.spans import Span
from workstation.memory.events import Place
from workstation.planning.aspects import Surveyed
from workstation.retrieval.candidates import Retrieval

if TYPE_CHECKING:
    from workstation.engine.web import Web
    from workstation.memory.state import ResearchState


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """One search with the spans that were chosen from it, best first."""

    retrieval: Retrieval
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where and when a source comes from, as far as it says so."""

    date: str | None
    origin: str | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a model answered: JSON that fits its schema, or None when it did not, and what it cost."""

    value: Any
    prompt_tokens: int
    output_tokens: int


class EngineServices(Protocol):
    """The library and the models, behind what the stages need of them."""

    def detect_language(self, text: str) -> str: ...

    def find(
        self,
        question: str,
        *,
        spans: int,
        exclude: frozenset[int] = frozenset(),
        among: frozenset[int] | None = None,
        wide: bool = False,
    ) -> Finding:
        """Searches and picks spans. exclude: passages that are known already; among: the only ones to look at; wide:
        more passages, and sentences that answer less well."""

    def survey(self, question: str) -> Sequence[Surveyed]:
        """The passages that are about what the question is about, best first; none where nothing answers it."""

    def stored_text(self, source: int, version: str) -> str | None:
        """The text of a source version, None when the library does not have it."""

    def doubtful(self, source: int, version: str, page: int | None) -> frozenset[str]:
        """Figures on a page of which two readings of its image differ."""

    def place_of(self, source: int, version: str, start: int, end: int) -> Place:
        """Where text[start:end] of a source version stands, with page, heading or time as far as they are known."""

    def origin_of(self, source: int) -> Origin: ...

    def voice_of(self, source: int) -> int:
        """The source that this one is a copy of, or itself."""

    def web(self, state: ResearchState, goal: str, cancel: CancelToken) -> AbstractContextManager[Web]:
        """The web, as far as the run may read it, and the library open to take pages in."""

    def propose(
        self, system: str, user: str, schema: dict[str, Any], cancel: CancelToken, most_tokens: int
    ) -> Proposal | None:
        """Asks a model that has shown it can do this; None when none is installed."""
