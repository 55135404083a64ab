"""A quote becomes a fact only when it stands in its source, and its figures were read twice alike."""

from __future__ import annotations

from typing import Any, cast

import pytest

from storage.records import Locator, Passage
from workstation.engine.gathering import Observer
from workstation.engine.services import EngineServices, Origin
from workstation.evidence.spans import Span
from workstation.memory import events as e
from workstation.memory.state import ResearchState
from workstation.retrieval.candidates import Candidate

TEXT = "The tower cost 40,000 pounds and took 17 years."


class Library:
    """A library with one source, a scanned page on which one figure is doubtful."""

    def stored_text(self, source: int, version: str) -> str | None:
        return TEXT

    def origin_of(self, source: int) -> Origin:
        return Origin(None, None)

    def voice_of(self, source: int) -> int:
        return source

    def doubtful(self, source: int, version: str, page: int | None) -> frozenset[str]:
        return frozenset({"40,000"})


def checked(quote: str, ocr: float | None, at: int | None = None) -> e.ObservationChecked:
    start = TEXT.index(quote) if at is None else at
    place = Locator(start, start + len(quote), page=4, ocr=ocr)
    passage = Passage(1, 7, "v", "A tower", "/tower.pdf", "pdf", "en", place, quote)
    candidate = Candidate(passage, 0.9, 1, 1)
    observer = Observer(ResearchState(), cast("EngineServices", Library()))
    events: list[Any] = list(observer.observe([Span(candidate, quote, place, 1.0)], "s1"))
    last = events[-1]
    assert isinstance(last, e.ObservationChecked)
    return last


@pytest.mark.parametrize(
    ("quote", "ocr", "at", "kind", "reason"),
    [
        (
            "The tower cost 40,000 pounds",
            0.9,
            None,
            "extraction_error",
            "two readings of the page's image differ in 40,000",
        ),
        ("and took 17 years", 0.9, None, "fact", ""),
        ("The tower cost 40,000 pounds", None, None, "fact", ""),
        ("The tower cost", 0.9, 3, "extraction_error", "the quote is not at its address in the stored text"),
    ],
)
def test_what_becomes_of_a_quote(quote: str, ocr: float | None, at: int | None, kind: str, reason: str) -> None:
    found = checked(quote, ocr, at)
    assert (found.kind, found.reason) == (kind, reason)
