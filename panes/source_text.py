"""A source's stored text as rows: its paragraphs, rules where pages begin, and the quoted places marked in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from panes.finding import CHOSEN, Matches, Part
from panes.rows import Pen, Row, Span, inert

FULL_LINE = 60
"""A line of fewer characters was ended by its writer, not by its width."""
SENTENCE = 600
"""Characters before and after a match in which its sentence is looked for."""
_ENDED = re.compile(r"[.!?。！？][\"'”’»)]*(?:\s|$)")
SENTENCE_ENDS = (".", "!", "?", ":", ";", "。", "！", "？")


@dataclass(frozen=True, slots=True)
class Mark:
    """A place to show: text[start:end], which should read `quote`. `where` is the place in words."""

    start: int
    end: int
    quote: str
    where: str
    page: int | None = None
    seconds: float | None = None


class TextRow(Row):
    """A paragraph of a source. What it says and how it looks is made when it is drawn: a book has 100,000 of them."""

    __slots__ = ("_source", "end", "start")

    def __init__(self, source: SourceText, start: int, end: int) -> None:
        super().__init__("", (), "", 0, True)
        self._source, self.start, self.end = source, start, end

    @property
    def text(self) -> str:
        return inert(self._source.text[self.start : self.end])

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(self._source.spans(self.start, self.end))

    @property
    def size(self) -> int:
        return self.end - self.start

    def same(self, other: Row) -> bool:
        return self is other


class SourceText:
    """Rows of one text, which stay the same whatever is chosen or found in it."""

    def __init__(
        self, text: str, marks: Sequence[Mark], pages: Mapping[int, int], words: Mapping[int, str] | None = None
    ) -> None:
        """`pages`: start offset to page number; `words`: what is to be said of a page, by its number."""
        self.text, self._marks = text, marks
        self._order = sorted(range(len(marks)), key=lambda at: (marks[at].start, marks[at].end))
        self._reach = list(accumulate((marks[at].end for at in self._order), max))
        self._chosen = -1
        self._matches: Matches = Matches()
        self.rows: list[Row] = []
        self._starts: list[int] = []
        starts = sorted(pages)
        at = 0
        for start, end in paragraphs(text):
            while at < len(starts) and starts[at] <= start:
                number = pages[starts[at]]
                said = f", {words[number]}" if words and words.get(number) else ""
                self._starts.append(start)
                self.rows.append(Pen().put(f"── page {number}{said} ──", "dim").row())
                at += 1
            self._starts.append(start)
            self.rows.append(TextRow(self, start, end))

    def holds(self, mark: Mark) -> bool:
        """Whether the text at the place is what was quoted from it."""
        return self.text[mark.start : mark.end] == mark.quote

    def choose(self, at: int) -> None:
        """The place of this index (-1: none) is the chosen one."""
        self._chosen = at

    def show_matches(self, matches: Matches) -> None:
        """What was found is marked instead of the places, with one match chosen."""
        self._matches = matches

    def row_at(self, offset: int) -> int:
        """The index of the row that holds the character at `offset`; -1 when there is none."""
        return bisect_right(self._starts, offset) - 1

    def offset(self, row: int) -> int:
        """Where in the text the row at this index begins."""
        return self._starts[row] if 0 <= row < len(self._starts) else 0

    def column(self, row: int, offset: int) -> int:
        """Where in the row's text the character at `offset` is shown."""
        found = self.rows[row]
        return len(inert(self.text[found.start : min(offset, found.end)])) if isinstance(found, TextRow) else 0

    def spans(self, first: int, last: int) -> Iterator[Span]:
        """The marked parts of text[first:last], as they are shown there."""
        parts = self._matches.within(first, last) if self._matches.needle else list(self._marked(first, last))
        plain = self.text[first:last].isprintable()
        for start, end, style, target in parts:
            left, right = start - first, end - first
            if not plain:
                left, right = (len(inert(self.text[first:edge])) for edge in (start, end))
            if left < right:
                yield Span(left, right, style, target)

    def _marked(self, first: int, last: int) -> Iterator[Part]:
        marks, spans = self._marks, list[tuple[int, int, int]]()
        for at in range(bisect_right(self._reach, first), len(self._order)):
            mark = marks[self._order[at]]
            if mark.start >= last:
                break
            spans.append((max(mark.start, first), min(mark.end, last), self._order[at]))
        edges = sorted({edge for start, end, _ in spans if start < end for edge in (start, end)})
        for start, end in pairwise(edges):
            inside = {at for left, right, at in spans if left <= start and end <= right}
            if self._chosen in inside:
                yield start, end, "", CHOSEN
            elif inside:
                yield start, end, "mark", ""


def sentence_at(text: str, start: int, end: int) -> str:
    """The sentence around text[start:end], within its paragraph: at most so much that it can still be quoted."""
    first = max(text.rfind("\n\n", 0, start) + 1, start - SENTENCE)
    last = text.find("\n\n", end, end + SENTENCE)
    before = [first, *(at.end() for at in _ENDED.finditer(text, first, start))]
    after = _ENDED.search(text, end, last if last >= 0 else min(len(text), end + SENTENCE))
    return text[before[-1] : after.end() if after else (last if last >= 0 else end + SENTENCE)].strip()


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
