"""Sentence spans with exact character offsets, in any language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from workstation.content.blocks import CODE, HEADING, ROW, Block, blocks, marker_width


class Span(NamedTuple):
    """text[start:end]"""

    start: int
    end: int


# In these languages a full stop after a figure makes an ordinal ("am 3. Mai", "die 2. Auflage").
_ORDINAL_CODES = "de da no nb nn fi cs sk hu et lv sl hr sr bs is tr pl"
_ORDINALS = frozenset(_ORDINAL_CODES.split())
_ORDINAL = re.compile(r"(?:^|\s)\d{1,2}\.$")
_LONE_NUMBER = re.compile(r"\W*(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)]$")
_CLOSING = re.compile(r"""^[\s)\]"'”’»」』）.!?…]+$|^\s*\[\d+\]$""")
# Thai, Lao, Khmer and Burmese put a blank between clauses and no mark at the end of a sentence.
_BLANK_ENDS = frozenset(["th", "lo", "km", "my"])
_CLAUSE_CHARACTERS = 80  # about a spoken sentence in Thai


def sentences(text: str, language: str = "und", *, markdown: bool = True) -> list[Span]:
    """Spans in order, without overlap, that cover all that is not white space. A heading, a table row and a line of
    code are one span each."""
    return [span for block in blocks(text, markdown=markdown) for span in block_sentences(text, block, language)]


def block_sentences(text: str, block: Block, language: str = "und") -> list[Span]:
    """The sentences of one block; a line break inside it counts as a blank."""
    if block.kind in (HEADING, ROW, CODE):
        return [Span(block.start, block.end)]
    ends = _boundaries(text[block.start : block.end].replace("\n", " "), language)
    return list(_trimmed(text, block.start, [block.start + end for end in ends]))


def _boundaries(passage: str, language: str) -> list[int]:
    """Ends of the sentences of one paragraph, the last one its length."""
    if language in _BLANK_ENDS:
        return _clauses(passage)
    ends: list[int] = []
    start = 0
    for end in _pieces(passage, 0, language):
        if ends and _CLOSING.match(passage[ends[-1] : end]):
            ends[-1] = end
        elif not _dangling(passage[start:end].strip(), language) or end == len(passage):
            ends.append(end)
        else:
            continue
        start = end
    if not ends or ends[-1] < len(passage):
        ends.append(len(passage))
    return ends


def _pieces(passage: str, offset: int, language: str) -> Iterator[int]:
    """Where sentencex ends the sentences of passage[offset:]. It does not look inside a piece that begins like a list
    item, so that is asked for again without its mark."""
    from sentencex import get_sentence_boundaries  # 2 ms

    for found in get_sentence_boundaries(language, passage[offset:]):
        start, end = offset + int(found["start_index"]), offset + int(found["end_index"])
        if mark := marker_width(passage[start:end]):
            yield from _pieces(passage[:end], start + mark, language)
        else:
            yield end


def _dangling(piece: str, language: str) -> bool:
    """Is this a list number or an ordinal that belongs to what follows?"""
    return _LONE_NUMBER.match(piece) is not None or (language in _ORDINALS and _ORDINAL.search(piece) is not None)


def _clauses(passage: str) -> list[int]:
    ends: list[int] = []
    start = 0
    for gap in re.finditer(r"\s+", passage):
        if gap.end() - start >= _CLAUSE_CHARACTERS:
            ends.append(gap.end())
            start = gap.end()
    if start < len(passage):
        ends.append(len(passage))
    return ends


def _trimmed(text: str, start: int, stops: list[int]) -> Iterator[Span]:
    for stop in stops:
        piece = text[start:stop]
        if piece.strip():
            yield Span(start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()))
        start = stop
