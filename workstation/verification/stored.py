"""The stored text of the cited sources, and whether what was noted of it is still there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from workstation.memory.state import Note, ResearchState
from workstation.report.cite import squash
from workstation.verification.quotes import stands_in

TextOf = Callable[[int, str], str | None]


class Stored:
    """Reads each version once. Numbers are those of the ledger."""

    def __init__(self, state: ResearchState, text_of: TextOf) -> None:
        self._state, self._text_of = state, text_of
        self.text = cache(self._text)
        self.evidence = cache(self._evidence)
        self._squashed = cache(self._squash)

    def missing(self, number: int) -> bool:
        return self._state.entry(number) is not None and self.text(number) is None

    def holds(self, number: int, quote: str) -> bool:
        """True when the quote stands in the source: at a place where it was noted, or anywhere."""
        words = squash(quote)
        noted = (n for n in self.notes(number) if squash(n.quote) == words)
        return any(self.in_place(n) for n in noted) or stands_in(quote, self._squashed(number))

    def in_place(self, note: Note) -> bool:
        """True when the note's quote stands exactly at its address."""
        text = self.text(note.number)
        return text is not None and squash(text[note.place.start : note.place.end]) == squash(note.quote) != ""

    def notes(self, number: int) -> tuple[Note, ...]:
        """What was noted of a source and neither found wrong nor rejected since."""
        return tuple(
            n for n in self._state.notes if n.number == number and n.kind not in ("extraction_error", "rejected")
        )

    def lost(self, number: int) -> tuple[Note, ...]:
        """Facts whose quotes are not at their addresses. A version's text never changes: this is another one."""
        return tuple(n for n in self.notes(number) if n.kind == "fact" and not self.in_place(n))

    def _evidence(self, number: int) -> tuple[str, ...]:
        """The quotes noted of a source that do stand in it."""
        return tuple(n.quote for n in self.notes(number) if self.holds(number, n.quote))

    def _text(self, number: int) -> str | None:
        entry = self._state.entry(number)
        return self._text_of(entry.source, entry.version) if entry else None

    def _squash(self, number: int) -> str:
        return squash(self.text(number) or "")
