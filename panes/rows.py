"""What a pane draws: rows of inert text with styled spans, some of which are targets. A `Pen` writes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from rich.segment import Segment
from rich.style import Style

from panes.wrapping import cut, wrap
from workstation.core.text import printable


@dataclass(frozen=True, slots=True)
class Span:
    """row.text[start:end] in a named style. A span with a `target` can be gone to."""

    start: int
    end: int
    style: str
    target: str = ""


class Row:
    """One row: a line of text that is wrapped to the pane's width (or cut, when `folds` is false).

    A row with a `key` can be chosen. A pane with many rows keeps those of what has not changed, to be cheap to compare.
    """

    __slots__ = ("_lines", "_spans", "_text", "_width", "folds", "hang", "key")

    def __init__(self, text: str, spans: tuple[Span, ...], key: str, hang: int, folds: bool) -> None:
        self._text, self._spans, self.key, self.hang, self.folds = text, spans, key, hang, folds
        self._width, self._lines = -1, [(0, 0)]

    @property
    def text(self) -> str:
        return self._text

    @property
    def spans(self) -> tuple[Span, ...]:
        """In order, and apart from each other."""
        return self._spans

    def same(self, other: Row) -> bool:
        """Whether the other row looks the same and does the same."""
        return self is other or (self.text, self.spans, self.key, self.hang, self.folds) == (
            other.text,
            other.spans,
            other.key,
            other.hang,
            other.folds,
        )

    @property
    def size(self) -> int:
        """About how many characters it has."""
        return len(self._text)

    def measured(self, width: int) -> bool:
        """Whether it is known how many lines it takes at `width`."""
        return self._width == width

    def height(self, width: int) -> int:
        """How many lines it takes at `width`: about so many, where that would have to be found out."""
        if self._width == width:
            return len(self._lines)
        return max(1, -(-self.size // max(1, width - self.hang))) if self.folds else 1

    def lines(self, width: int) -> list[tuple[int, int]]:
        """The ranges of `text` that stand on one screen line each, at `width` cells."""
        if self._width != width:
            self._width = width
            self._lines = wrap(self.text, width, self.hang) if self.folds else [(0, len(self.text))]
        return self._lines

    def segments(self, line: int, width: int, style: Callable[[Span | None], Style]) -> list[Segment]:
        """The screen line number `line` of this row, styled; `style` gives a span's style, or the plain one."""
        start, end = self.lines(width)[line]
        if not self.folds:
            return self._cut(width, style)
        found = [Segment(" " * self.hang, style(None))] if line and self.hang else []
        return found + self._painted(start, end, style)

    def _cut(self, width: int, style: Callable[[Span | None], Style]) -> list[Segment]:
        shown = cut(self.text, width)
        if shown == self.text:
            return self._painted(0, len(shown), style)
        return [*self._painted(0, len(shown) - 1, style), Segment("…", style(None))]

    def _painted(self, start: int, end: int, style: Callable[[Span | None], Style]) -> list[Segment]:
        found: list[Segment] = []
        text, at = self.text, start
        for span in self.spans:
            if span.end <= at or span.start >= end:
                continue
            left, right = max(span.start, at), min(span.end, end)
            if left > at:
                found.append(Segment(text[at:left], style(None)))
            found.append(Segment(text[left:right], style(span)))
            at = right
        if at < end:
            found.append(Segment(text[at:end], style(None)))
        return found


class LazyRow(Row):
    """A row that is written when it is drawn or measured: of 100,000 rows most are never seen. `size` is about how
    many characters it will have."""

    __slots__ = ("_made", "_make", "_size")

    def __init__(self, make: Callable[[], Row], key: str, hang: int, size: int) -> None:
        super().__init__("", (), key, hang, True)
        self._make, self._size = make, size
        self._made: Row | None = None

    @property
    def _row(self) -> Row:
        if self._made is None:
            self._made = self._make()
        return self._made

    @property
    def text(self) -> str:
        return self._row.text

    @property
    def spans(self) -> tuple[Span, ...]:
        return self._row.spans

    @property
    def size(self) -> int:
        return self._size

    def same(self, other: Row) -> bool:
        return self is other


class Pen:
    """Writes one row piece by piece. Every piece becomes inert text here, whatever it holds."""

    def __init__(self) -> None:
        self._text = ""
        self._spans: list[Span] = []

    def put(self, text: str, style: str = "", target: str = "") -> Self:
        text = inert(text)
        if text and (style or target):
            self._spans.append(Span(len(self._text), len(self._text) + len(text), style, target))
        self._text += text
        return self

    def row(self, key: str = "", hang: int = 0, *, folds: bool = True) -> Row:
        return Row(self._text, tuple(self._spans), key, hang, folds)

    @property
    def width(self) -> int:
        """How many characters have been written."""
        return len(self._text)


def inert(text: str) -> str:
    """`text` for one line of the screen: line breaks and tabs are spaces, everything active is made visible."""
    if text.isprintable():  # and so without anything active
        return text
    for blank in ("\r\n", "\n", "\t"):
        text = text.replace(blank, " ")
    return text if text.isprintable() else printable(text, keep="")


def blank() -> Row:
    return Row("", (), "", 0, True)
