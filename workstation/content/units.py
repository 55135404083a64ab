"""The smallest pieces that a passage is made of, each counted once."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from workstation.content.blocks import HEADING, PARAGRAPH, Block, blocks
from workstation.content.sentences import block_sentences

# Longer than any sentence within the token limit in any script (e5 reads about 4 characters a token, numbers 1.5), and
# short enough to count cheaply.
_UNIT_CHARACTERS = 2000
_GAPS = (" ", "\n", "\t", "。", "、", "，", ",", ";", "|", "/", "-")


@dataclass(frozen=True, slots=True)
class Unit:
    """text[start:end], `tokens` long. `kind` is its block's. `opens`: it is the first of a paragraph, a list or a
    table. `glue` names the break before it: sentence, item, row, code or force. `new_page`: a page begins between it
    and its predecessor."""

    start: int
    end: int
    tokens: int
    kind: str
    opens: bool
    glue: str
    new_page: bool = False


def units(
    text: str,
    count_tokens: Callable[[str], int],
    maximum: int,
    page_starts: Sequence[int] = (),
    language: str = "und",
    *,
    markdown: bool = True,
) -> list[Unit]:
    """Sentences, rows, items and headings in order; what is longer than `maximum` tokens is cut by force."""
    parts: list[Unit] = []
    previous: Block | None = None
    for block in blocks(text, markdown=markdown):
        opens = _opens(text, previous, block)
        for span in block_sentences(text, block, language):
            glue = "sentence" if block.kind == PARAGRAPH or span.start > block.start else block.kind
            pieces = _within(text, span.start, span.end, count_tokens, maximum)
            for number, (start, end, tokens) in enumerate(pieces):
                first = number == 0 and span.start == block.start
                fresh = _page(page_starts, start) != _page(page_starts, parts[-1].start) if parts else False
                parts.append(Unit(start, end, tokens, block.kind, opens and first, "force" if number else glue, fresh))
        previous = block
    return parts


def _opens(text: str, previous: Block | None, block: Block) -> bool:
    """Does a paragraph, list or table begin here? What stands directly below a line belongs to it, as a table does to
    its caption; so does what a colon announces, and the next item of a list with empty lines in it."""
    if previous is None or block.kind == HEADING:
        return True
    if text[previous.end - 1] in ":：" or text.count("\n", previous.end, block.start) < 2:
        return False
    return previous.kind != block.kind or block.kind == PARAGRAPH


def _page(page_starts: Sequence[int], offset: int) -> int:
    return bisect_right(page_starts, offset)


def _within(
    text: str, start: int, end: int, count_tokens: Callable[[str], int], maximum: int
) -> Iterator[tuple[int, int, int]]:
    """text[start:end] in pieces of at most `maximum` tokens (a single character may have more), halved at a gap near
    the middle until they fit."""
    pending = [(start, end)]
    while pending:
        start, end = pending.pop()
        if end - start <= _UNIT_CHARACTERS:
            tokens = count_tokens(text[start:end])
            if tokens <= maximum or end - start < 2:
                yield start, end, tokens
                continue
        middle = _gap(text, start, end)
        left, right = _strip(text, start, middle), _strip(text, middle, end)
        pending.extend(half for half in (right, left) if half[0] < half[1])


def _gap(text: str, start: int, end: int) -> int:
    """Where to cut: behind the gap nearest to the middle, within a quarter of the length; else in the middle."""
    middle, reach = (start + end) // 2, max(1, (end - start) // 4)
    for gap in _GAPS:
        before = text.rfind(gap, middle - reach, middle)
        after = text.find(gap, middle, min(middle + reach, end - 1))
        near = [found + 1 for found in (before, after) if found >= start]
        if near:
            return min(near, key=lambda place: abs(place - middle))
    while middle + 1 < end and unicodedata.combining(text[middle]):
        middle += 1
    return middle


def _strip(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
