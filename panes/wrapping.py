"""Breaking one line of text into screen lines: at spaces where there are some, between wide characters elsewhere."""

from __future__ import annotations

import re
from functools import cache

from rich.cells import cell_len, get_character_cell_size

NARROWEST = 8
"""Below this many cells a line holds less than a word; text is then cut by the terminal's edge instead."""

# Characters that are surely one cell wide: the common alphabets, typographic quotes and dashes, control pictures.
_ONE_CELL = re.compile("[ -~\xa0-\xac\xae-\u02ff\u0370-\u0482\u2010-\u2027\u2030-\u203a\u2400-\u2426]*")


def wrap(text: str, width: int, hang: int = 0) -> list[tuple[int, int]]:
    """The ranges text[start:end] that stand on one line each; lines after the first are `hang` cells shorter.

    Spaces at a break belong to no line. There is always at least one line.
    """
    room, later = max(width, NARROWEST), max(width - hang, NARROWEST)
    one_cell = text.isascii() or _ONE_CELL.fullmatch(text) is not None
    if one_cell and len(text) <= room:
        return [(0, len(text))]
    if one_cell and text[0] != " ":
        return _wrapped(text, room, later)
    lines: list[tuple[int, int]] = []
    start = 0
    while True:
        end = min(len(text), start + room) if one_cell else _fit(text, start, room)
        if end >= len(text):
            lines.append((start, len(text)))
            return lines
        end = _break(text, start, end, one_cell)
        lines.append((start, end))
        start = end
        while start < len(text) and text[start] == " ":
            start += 1
        if start >= len(text):
            return lines
        room = later


def _wrapped(text: str, first: int, later: int) -> list[tuple[int, int]]:
    """The same for text of one-cell characters that does not begin with a space, at the speed of the pattern engine:
    long texts are wrapped by the megabyte."""
    begun = _line(first).match(text)
    assert begun is not None
    return [begun.span(), *(line.span() for line in _line(later).finditer(text, begun.end()))]


@cache
def _line(room: int) -> re.Pattern[str]:
    """As much as fits, up to a space or the end; a word that is longer than the line is broken."""
    return re.compile(rf"[^ ].{{0,{room - 1}}}(?= |\Z)|[^ ].{{0,{room - 1}}}", re.DOTALL)


def cut(text: str, width: int) -> str:
    """`text` in at most `width` cells, with an ellipsis where something was left out."""
    if len(text) * 2 <= width or cell_len(text) <= width:
        return text
    return text[: _fit(text, 0, width - 1, least=0)] + "…" if width > 0 else ""


def pad(text: str, width: int, *, right: bool = False) -> str:
    """`text` in exactly `width` cells, cut or filled up with spaces; `right` moves it to the right edge."""
    text = cut(text, width)
    space = " " * (width - cell_len(text))
    return space + text if right else text + space


def _break(text: str, start: int, end: int, one_cell: bool) -> int:
    """Where to break a line that could reach as far as `end`."""
    if text[end] == " ":
        return end
    if not one_cell and (_wide(text[end]) or _wide(text[end - 1])):
        return end
    space = text.rfind(" ", start, end)
    return space if space > start and text[start:space].strip() else end


def _fit(text: str, start: int, room: int, least: int = 1) -> int:
    """The greatest end for which text[start:end] takes at most `room` cells; `least` characters are taken anyway."""
    used = 0
    for index in range(start, len(text)):
        used += get_character_cell_size(text[index])
        if used > room:
            return max(index, start + least)
    return len(text)


def _wide(char: str) -> bool:
    return get_character_cell_size(char) == 2
