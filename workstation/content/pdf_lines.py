"""From the lines of a PDF page to paragraphs: hyphens at line ends, wrapped lines, headings, rows of tables."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from workstation.content.blocks import capitalised, ends_sentence, is_item, is_row, is_titular, width

_LEAST_WIDTH = 30  # columns; narrower columns of text are not set
_FULL = 0.75  # of the page's usual line: a line this long was broken by the margin
_HEADING = 0.6  # of the usual line: a longer one is prose
_CLAUSE_ENDS = ",;:，；：、"
_HYPHENS = "-\u2010\u2011\u00ad"
_BULLETS = str.maketrans(dict.fromkeys("\uf0b7\uf0a7\uf0d8\uf076\uf0fc\uf02d\uf06e\uf0a8\uf071▪●", "•"))
_GONE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff\ufeff\u00ad]")
# Ligatures and Arabic presentation forms are shapes; search and reading want the letters.
_SHAPES = re.compile("[\ufb00-\ufb06\ufb13-\ufb17\ufb50-\ufdff\ufe70-\ufefc]+")
_RULE = re.compile(r"_{4,}|^\s*[-–—=~*.·]{4,}\s*$")  # drawn with characters
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*")


def tidy(raw: str) -> list[str]:
    """A page's lines, NFC, with letters for ligatures, single blanks, and without controls and private-use glyphs."""
    text = _SHAPES.sub(lambda found: unicodedata.normalize("NFKC", found.group()), raw.translate(_BULLETS))
    lines = (" ".join(_RULE.sub(" ", _GONE.sub("", line)).split()) for line in text.replace("\r", "\n").split("\n"))
    return [unicodedata.normalize("NFC", line) for line in lines]


def vocabulary(lines: Iterable[str]) -> frozenset[str]:
    """The words of a document that are not broken at a line's end, in lower case."""
    words: set[str] = set()
    for line in lines:
        words.update(_WORD.findall(line.lower().rstrip(_HYPHENS)))
    return frozenset(words)


def paragraphs(lines: list[str], words: frozenset[str]) -> str:
    """The lines as text: one line a paragraph, heading, item or row; paragraphs and headings apart by an empty line."""
    full = [line for line in lines if line]
    usual = _usual_width(full)
    spaced = _spaced(lines)
    headings = [_is_heading(full, index, usual) for index in range(len(full))]
    text: list[str] = full[:1]
    for index in range(1, len(full)):
        last, line = full[index - 1], full[index]
        gap = _gap(last, line, usual, index in spaced)
        if headings[index] or headings[index - 1]:
            gap = "\n\n"
        elif gap == " " and last[-1] in _HYPHENS and line[0].islower():
            text[-1], gap = _joined(text[-1], line, words), ""
        text += gap, line
    return "".join(text)


def _spaced(lines: list[str]) -> frozenset[int]:
    """Which of the non-empty lines stand behind an empty one; none when the file puts one behind nearly every line."""
    behind: set[int] = set()
    count = 0
    for index, line in enumerate(lines):
        if line:
            if index and not lines[index - 1]:
                behind.add(count)
            count += 1
    return frozenset(behind) if 3 * len(behind) < count else frozenset()


def _usual_width(lines: list[str]) -> int:
    """The ninth decile of the widths: nearly every full line of prose has it."""
    widths = sorted(width(line) for line in lines if line)
    return max(_LEAST_WIDTH, widths[len(widths) * 9 // 10]) if widths else _LEAST_WIDTH


def _gap(last: str, line: str, usual: int, spaced: bool) -> str:
    """What stands between two lines: a blank within a paragraph, one newline between rows and short lines, an empty
    line between paragraphs."""
    if is_item(line) or is_row(last):
        return "\n"
    if line[0].islower() and not ends_sentence(last):
        return " "
    if last[-1] in _HYPHENS and last[-2:-1].isalpha() and line[0].isalnum():
        return ""
    if spaced:
        return "\n\n"
    if is_row(line):
        return "\n"
    if width(last) >= _FULL * usual:
        return " "
    return "\n\n" if ends_sentence(last) and last[-1] not in _CLAUSE_ENDS else "\n"


def _joined(before: str, line: str, words: frozenset[str]) -> str:
    """`before` without its closing hyphen, unless the document writes the word with it elsewhere and never without."""
    head, tail = _WORD.findall(before[-80:].rstrip(_HYPHENS)), _WORD.match(line)
    if head and tail:
        first, second = head[-1].lower(), tail.group().lower()
        if f"{first}-{second}" in words and first + second not in words:
            return before
    return before.rstrip(_HYPHENS)


def _is_heading(lines: list[str], index: int, usual: int) -> bool:
    """A short line without closing punctuation that begins with a capital or a figure, does not continue a line, and
    stands before prose; before a list, and with a colon, when its words are capitalised."""
    line = lines[index]
    if index + 1 == len(lines) or width(line) > _HEADING * usual or not is_titular(line):
        return False
    before, after = lines[index - 1] if index else "", lines[index + 1]
    continues = before and not ends_sentence(before) and width(before) >= _FULL * usual
    if continues or after[0].islower():
        return False
    if is_item(after):
        return capitalised(line)
    return width(after) >= _FULL * usual and not is_row(after)
