"""Rows of tables as text. A passage of a long table has to say what its columns are, so the header is repeated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from workstation.content import limits

# Tokens that a group of rows may have, with its heading and header: below the size of a passage (160), so that a group
# is a passage. A letter is about a quarter of a token, a figure or a sign two thirds.
_GROUP = 150
_LETTER, _OTHER = 0.25, 0.67
_WIDE = 70  # tokens; a header as long as this is not repeated: each cell names its column instead
_CELL = 32_767  # characters, as many as a spreadsheet's own programs allow
_LETTERS = re.compile(r"[^\W\d_]")
_NUMBER = re.compile(r"[\s$€£¥%+().,\d:/–—-]+(?:[eE][+-]?\d+)?|N/?A")
_UNICODE_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af]")


def row(cells: Iterable[str]) -> str:
    """| a | b |, each cell on one line."""
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "/") for cell in cells) + " |"


def tokens(text: str) -> float:
    """About how many tokens an embedder makes of it."""
    letters, wide = len(_LETTERS.findall(text)), len(_UNICODE_WIDE.findall(text))
    others = len(text) - letters - text.count(" ")
    return (letters - wide) * _LETTER + wide + others * _OTHER


class Table:
    """Writes rows in groups, each under a heading NAME, rows N to M with the header row on top.

    `room` are the characters that may be written; when they are used up, `cut` is true and rows are let go.
    """

    def __init__(self, name: str, room: int = limits.TEXT) -> None:
        self.name, self.room, self.cut = name, room, False

    def write(self, rows: Iterable[Sequence[str]]) -> Iterator[str]:
        """Blocks of text for the rows, which are counted from 1, empty ones too."""
        numbered = (
            (n, [cell[:_CELL] for cell in cells]) for n, cells in enumerate(rows, 1) if any(map(str.strip, cells))
        )
        before: list[tuple[int, list[str]]] = []
        header: list[str] | None = None
        for n, cells in numbered:
            if is_header(cells):
                header = _named(cells)
                break
            before.append((n, cells))
            if sum(1 for cell in cells if cell.strip()) > 1:
                break  # the first row of figures: there is no header
        if header is None:
            yield from self._rows(_chained(before, numbered), [])
            return
        for _, cells in before:  # a caption above the table
            yield from self._within(" ".join(cell for cell in cells if cell.strip()))
        if tokens(row(header)) > _WIDE:
            yield from self._records(numbered, header)
        else:
            yield from self._rows(numbered, header)

    def _rows(self, rows: Iterable[tuple[int, list[str]]], header: list[str]) -> Iterator[str]:
        top = [row(header)] if header else []
        fixed = tokens("\n".join(top)) + tokens(self.name) + 8
        group: list[str] = []
        first = last = 0
        size = fixed
        for n, cells in rows:
            line = row(_trimmed(cells, len(header)))
            cost = tokens(line)
            if group and size + cost > _GROUP:
                yield from self._within(self._group(first, last, [*top, *group]))
                if self.cut:
                    return
                group, size = [], fixed
            first, last = (n if not group else first), n
            group.append(line)
            size += cost
        if group:
            yield from self._within(self._group(first, last, [*top, *group]))

    def _records(self, rows: Iterable[tuple[int, list[str]]], header: list[str]) -> Iterator[str]:
        for n, cells in rows:
            pairs = zip(header + [""] * (len(cells) - len(header)), cells, strict=False)
            lines = [f"- {column}: {cell}" if column else f"- {cell}" for column, cell in pairs if cell.strip()]
            yield from self._within(self._group(n, n, [" ".join(line.split()) for line in lines]))
            if self.cut:
                return

    def _group(self, first: int, last: int, lines: list[str]) -> str:
        where = f"row {first}" if first == last else f"rows {first} to {last}"
        return f"## {self.name}, {where}\n\n" + "\n".join(lines)

    def _within(self, block: str) -> Iterator[str]:
        if len(block) > self.room:
            self.cut = True
            return
        self.room -= len(block) + 2
        yield block


def is_header(cells: Sequence[str]) -> bool:
    """Two or more cells, all of them words, none twice."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    return (
        len(filled) > 1
        and len(set(filled)) == len(filled)
        and not any(_NUMBER.fullmatch(cell) for cell in filled)
        and all(len(cell) <= 200 for cell in filled)
    )


def _named(cells: Sequence[str]) -> list[str]:
    while cells and not cells[-1].strip():
        cells = cells[:-1]
    return list(cells)


def _trimmed(cells: Sequence[str], width: int) -> list[str]:
    """Without the empty cells at the end that the header does not have either."""
    end = len(cells)
    while end > max(1, width) and not cells[end - 1].strip():
        end -= 1
    return list(cells[:end])


def _chained(
    before: list[tuple[int, list[str]]], rest: Iterable[tuple[int, list[str]]]
) -> Iterator[tuple[int, list[str]]]:
    yield from before
    yield from rest
