"""Passages: the slices of a text that are embedded, searched and shown.

A passage is made of whole units (sentences, table rows, list items, headings) and follows headings, paragraphs and
pages. All breaks are chosen together, those that cost least over the whole text, as TeX breaks lines (Knuth and Plass
1981).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from storage.records import Locator, Page
from workstation.content.adapters import Segment
from workstation.content.units import Unit, units

CountTokens = Callable[[str], int]

_HEADING_CHARACTERS = 200  # what a locator keeps of a heading
# Costs of one passage, in units of "an empty passage" (a passage without any token costs 1, one at the target 0).
_OVERSIZE = 0.3  # at the maximum: a whole long paragraph is better than two halves
_ACROSS_HEADING = 0.8  # joining pays below about a third of the target each
_ACROSS_PAGE = 4.0  # never for whole sentences: a locator names one page
_HEADING_LAST = 3.0  # a heading belongs to the text after it
_BREAKS = {
    "sentence": 0.25,
    "item": 0.12,
    "row": 0.3,
    "code": 0.12,
    "force": 0.6,
}  # within a paragraph, list, table, word


@dataclass(frozen=True, slots=True)
class PassageSizes:
    """Sizes in embedder tokens. Passages gather around `target` and never pass `maximum`."""

    target: int = 160
    maximum: int = 220

    def within(self, window: int) -> PassageSizes:
        """These sizes, or less where the embedder's window is smaller."""
        maximum = max(1, min(self.maximum, window))
        return PassageSizes(min(self.target, maximum), maximum)


DEFAULT_SIZES = PassageSizes()


def chunk(
    text: str,
    count_tokens: CountTokens,
    sizes: PassageSizes = DEFAULT_SIZES,
    *,
    pages: Sequence[Page] = (),
    segments: Sequence[Segment] = (),
    language: str = "und",
    markdown: bool = True,
) -> list[Locator]:
    """Locators of the passages of `text`, in order, without overlap, covering all that is not white space.

    Each names the page on which it starts, the nearest heading at or above its start, and its time when the text was
    spoken. Tokens are counted once a unit and summed.
    """
    page_starts = [page.start for page in pages if page.number > 1]
    parts = units(text, count_tokens, sizes.maximum, page_starts, language, markdown=markdown)
    headings = _headings(text, parts)
    starts, numbers = [page.start for page in pages], [page.number for page in pages]
    locators = []
    for first, stop in _partition(parts, sizes):
        start, end = parts[first].start, parts[stop - 1].end
        page = bisect_right(starts, start) - 1
        t0, t1 = _times(segments, start, end)
        locators.append(Locator(start, end, numbers[page] if page >= 0 else None, headings[first], t0, t1))
    return locators


def _partition(parts: list[Unit], sizes: PassageSizes) -> list[tuple[int, int]]:
    """Index ranges of the cheapest way to cut `parts` into passages; time grows with parts times parts a passage."""
    breaks = [_break(part) for part in parts]
    joins = [_join(parts, index) for index in range(len(parts))]
    price = [_size(tokens, sizes) for tokens in range(sizes.maximum + 1)]
    best = [0.0] + [float("inf")] * len(parts)
    cut = [0] * (len(parts) + 1)
    for stop in range(1, len(parts) + 1):
        tokens, inside = 0, 0.0
        if parts[stop - 1].kind == "heading" and stop < len(parts):
            inside = _HEADING_LAST
        for first in range(stop - 1, -1, -1):
            tokens += parts[first].tokens
            if tokens > sizes.maximum and first < stop - 1:
                break
            cost = best[first] + price[min(tokens, sizes.maximum)] + inside + breaks[first]
            if cost < best[stop]:
                best[stop], cut[stop] = cost, first
            inside += joins[first]
    ranges = []
    stop = len(parts)
    while stop:
        ranges.append((cut[stop], stop))
        stop = cut[stop]
    return ranges[::-1]


def _size(tokens: int, sizes: PassageSizes) -> float:
    if tokens <= sizes.target:
        return ((sizes.target - tokens) / sizes.target) ** 2
    return _OVERSIZE * ((tokens - sizes.target) / max(1, sizes.maximum - sizes.target)) ** 2


def _break(part: Unit) -> float:
    """What it costs to begin a passage at `part`."""
    return 0.0 if part.opens or part.new_page else _BREAKS.get(part.glue, 0.0)


def _join(parts: list[Unit], index: int) -> float:
    """What it costs to have parts[index] behind its predecessor in one passage."""
    part = parts[index]
    cost = _ACROSS_PAGE if part.new_page else 0.0
    if part.kind == "heading" and index and parts[index - 1].kind != "heading":
        cost += _ACROSS_HEADING
    return cost


def _headings(text: str, parts: list[Unit]) -> list[str | None]:
    """For each part the heading it stands under; a heading (or a run of them) stands under its own last one."""
    found: list[str | None] = [None] * len(parts)
    for index, part in enumerate(parts):
        if part.kind == "heading":
            found[index] = heading_text(text[part.start : part.end])
        elif index:
            found[index] = found[index - 1]
    for index in range(len(parts) - 2, -1, -1):
        if parts[index].kind == parts[index + 1].kind == "heading":
            found[index] = found[index + 1]
    return found


def heading_text(line: str) -> str:
    """A heading without its Markdown marks, on one line."""
    first = line.split("\n")[0].strip().strip("#").strip()
    return " ".join(first.replace("**", "").split())[:_HEADING_CHARACTERS]


def _times(segments: Sequence[Segment], start: int, end: int) -> tuple[float | None, float | None]:
    if not segments:
        return None, None
    first = max(0, bisect_right([segment.start for segment in segments], start) - 1)
    spoken = [segment for segment in segments[first:] if segment.start < end and segment.end > start]
    return (spoken[0].t0, spoken[-1].t1) if spoken else (None, None)
