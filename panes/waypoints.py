"""Where one is in a source: its pages with how each was read, and its time codes, by their places in the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from panes import wording
from panes.source_text import page_starts

_TIME = re.compile(r"(?:(\d+):)?(\d+):(\d\d)")
_SHARE = re.compile(r"(\d{1,3})\s*%")
_PAGE = re.compile(r"\D{0,6}(\d+)")


@dataclass(frozen=True, slots=True)
class Waypoints:
    """`pages` and `times` are (start offset, number or seconds), in the order of the text; `words` says of pages by
    their number how they were read, where that is worth saying. `images` are the pages that are images."""

    length: int
    pages: tuple[tuple[int, int], ...]
    times: tuple[tuple[int, float], ...]
    words: Mapping[int, str]
    images: frozenset[int]

    def page(self, offset: int) -> int | None:
        at = bisect_right(self.pages, (offset, 1 << 40)) - 1
        return self.pages[at][1] if at >= 0 else None

    def time(self, offset: int) -> float | None:
        at = bisect_right(self.times, (offset, float("inf"))) - 1
        return self.times[at][1] if at >= 0 else None

    def at(self, offset: int) -> str:
        """The place in words: page and how it was read, time code, or how far into the text."""
        parts = []
        page, time = self.page(offset), self.time(offset)
        if page is not None:
            parts.append(f"page {page:,} of {self.pages[-1][1]:,}")
            parts += [self.words[page]] if page in self.words else []
        if time is not None:
            parts.append(wording.clock(time))
        share = 100 * offset // max(1, self.length)
        return ", ".join(parts) or f"{share} % of {wording.count(self.length, 'character')}"

    @property
    def asks(self) -> str:
        """What can be gone to, as the hint of a line to type it in."""
        known = ["a page"] * bool(self.pages) + ["a time as 12:31"] * bool(self.times) + ["a share as 40%"]
        return " or ".join(known)

    def goal(self, said: str) -> int | str:
        """The offset that was asked for, or why there is none."""
        said = said.strip()
        if share := _SHARE.fullmatch(said):
            return min(self.length, self.length * int(share[1]) // 100)
        if time := _TIME.fullmatch(said):
            return self._at_time(int(time[1] or 0) * 3600 + int(time[2]) * 60 + int(time[3]))
        if page := _PAGE.fullmatch(said):
            return self._at_page(int(page[1]))
        return f"Type {self.asks}."

    def _at_time(self, seconds: float) -> int | str:
        if not self.times:
            return f"This text has no time codes. Type {self.asks}."
        return max((start for start, time in self.times if time <= seconds), default=self.times[0][0])

    def _at_page(self, number: int) -> int | str:
        if not self.pages:
            return f"This text has no pages. Type {self.asks}."
        found = next((start for start, page in self.pages if page == number), None)
        return f"There is no page {number} here." if found is None else found


def waypoints(document: Mapping[str, Any]) -> Waypoints:
    """Those of a `source` document: from its page ledger and the places of its passages."""
    times: dict[int, float] = {}
    for passage in document.get("passages") or ():
        place = passage.get("locator") or {}
        if isinstance(place.get("t0"), int | float):
            times.setdefault(int(place["start"]), float(place["t0"]))
    ledger = [page for page in document.get("pages") or () if isinstance(page, dict) and "number" in page]
    return Waypoints(
        length=len(str(document.get("text") or "")),
        pages=tuple(sorted(page_starts(document).items())),
        times=tuple(sorted(times.items())),
        words={int(page["number"]): words for page in ledger if (words := _words(page))},
        images=frozenset(int(page["number"]) for page in ledger if page.get("state") in ("ocr", "needs_ocr")),
    )


def _words(page: Mapping[str, Any]) -> str:
    """How a page was read; nothing for one whose text is its own."""
    state, note, sure = str(page.get("state") or ""), str(page.get("note") or ""), page.get("confidence")
    if state == "ocr":
        said = "read from its image" + (f", {sure:.0%} sure" if isinstance(sure, int | float) else "")
    else:
        said = {"needs_ocr": "an image that was not read", "blank": "blank", "failed": "could not be read"}.get(
            state, ""
        )
    return ": ".join(part for part in (said, note) if part)
