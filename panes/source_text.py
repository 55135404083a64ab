"""A source's stored text as rows: its paragraphs, rules where pages begin, and the quoted places marked in it."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from panes.rows import Pen, Row

CHOSEN = "chosen"
"""The target of the spans that belong to the chosen place."""
FULL_LINE = 60
"""A line of fewer characters was ended by its writer, not by its width."""
SENTENCE_ENDS = (".", "!", "?", ":", ";", "。", "！", "？")


@dataclass(frozen=True, slots=True)
class Mark:
    """A place to show: text[start:end], which should read `quote`."""

    start: int
    end: int
    quote: str
    where: str


class SourceText:
    """Rows of one text. Choosing another place makes only the rows anew that it touches."""

    def __init__(self, text: str, marks: Sequence[Mark], pages: Mapping[int, int]) -> None:
        self.text, self._marks, self._pages = text, marks, pages
        self._paragraphs = list(paragraphs(text))
        self._rows: list[Row | None] = [None] * len(self._paragraphs)
        self._chosen = -1
        self._marked: dict[int, list[int]] = defaultdict(list)
        starts = [start for start, _ in self._paragraphs]
        for index, mark in enumerate(marks):
            first, last = bisect_right(starts, mark.start) - 1, bisect_right(starts, max(mark.start, mark.end - 1)) - 1
            for paragraph in range(max(0, first), last + 1):
                self._marked[paragraph].append(index)

    def holds(self, mark: Mark) -> bool:
        """Whether the text at the place is what was quoted from it."""
        return self.text[mark.start : mark.end] == mark.quote

    def rows(self, chosen: int = -1) -> list[Row]:
        """All rows, with the place of this index (-1: none) as the chosen one."""
        if chosen != self._chosen:
            for paragraph, marks in self._marked.items():
                if chosen in marks or self._chosen in marks:
                    self._rows[paragraph] = None
            self._chosen = chosen
        found: list[Row] = []
        pages = sorted(self._pages)
        for index, (start, _) in enumerate(self._paragraphs):
            while pages and pages[0] <= start:
                found.append(Pen().put(f"── page {self._pages[pages.pop(0)]} ──", "dim").row())
            row = self._rows[index]
            if row is None:
                row = self._rows[index] = self._row(index)
            found.append(row)
        return found

    def _row(self, index: int) -> Row:
        first, last = self._paragraphs[index]
        marked = [(at, self._marks[at]) for at in self._marked.get(index, ())]
        spans = [(max(mark.start, first), min(mark.end, last), at) for at, mark in marked]
        edges = sorted({first, last, *(edge for start, end, _ in spans for edge in (start, end) if start < end)})
        pen = Pen()
        for start, end in pairwise(edges):
            inside = {at for left, right, at in spans if left <= start and end <= right}
            chosen = self._chosen in inside
            pen.put(self.text[start:end], "mark" if inside and not chosen else "", CHOSEN if chosen else "")
        return pen.row()


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """The ranges of the text that are shown as one row: lines, and lines that go on in the next one joined to it.

    A stored text keeps the line breaks of its file. One that only ends a full line would tear the paragraph on a
    screen of another width. A block whose lines end as sentences do is a list, and so is one of short lines.
    """
    at = 0
    block: list[tuple[int, int]] = []
    for line in text.split("\n"):
        if line.strip():
            block.append((at, at + len(line.rstrip("\r"))))
        else:
            yield from _joined(text, block)
            block = []
            yield at, at + len(line.rstrip("\r"))
        at += len(line) + 1
    yield from _joined(text, block)


def _joined(text: str, block: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    ended = sum(text[start:end].rstrip().endswith(SENTENCE_ENDS) for start, end in block[:-1])
    prose = ended * 2 <= len(block)
    begun = -1
    for index, (start, end) in enumerate(block):
        begun = start if begun < 0 else begun
        follows = text[end + 1 : end + 2] if index + 1 < len(block) else ""
        if prose and end - start >= FULL_LINE and (follows.isalnum() or follows in tuple("“„\"'(")):
            continue
        yield begun, end
        begun = -1


def page_starts(document: Mapping[str, Any]) -> dict[int, int]:
    """Start offset to page number, from the page ledger or, without one, from the passages' places; {} for one page."""
    found: dict[int, int] = {}
    for page in document.get("pages") or ():
        if isinstance(page, dict) and isinstance(page.get("start"), int):
            found.setdefault(page["start"], int(page.get("number", len(found) + 1)))
    if not found:
        numbers: dict[int, int] = {}
        for passage in document.get("passages") or ():
            where = passage.get("locator") or {}
            if where.get("page") is not None:
                numbers[where["page"]] = min(where["start"], numbers.get(where["page"], where["start"]))
        found = {start: page for page, start in numbers.items()}
    return found if len(found) > 1 else {}
