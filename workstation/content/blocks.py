"""The shape of a text: headings, paragraphs, list items, table rows and code, each an exact span.

Works on Markdown, on text that readers wrote in its manner, and on plain text, where an isolated short line that does
not end like a sentence is taken for a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

HEADING, PARAGRAPH, ITEM, ROW, CODE = "heading", "paragraph", "item", "row", "code"

_ATX = re.compile(r" {0,3}(#{1,6})\s+\S")
_SETEXT = re.compile(r" {0,3}(=+|-{3,})\s*$")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_ITEM = re.compile(r"\s*(?:[-*+•‣◦▪■□●○·–➢✓]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|\([A-Z]\))\s+(?=\S)")
_NUMBER = r"[-–—(]*[$€£¥%]?\s?\(?[\d.,:/]*\d[\d.,:/]*\)?%?\)?|[—–-]|N/?A"
# A row of a table in running text: it ends with two or more figures, or its cells stand apart.
_ROW = re.compile(rf".*(?:\t.*\t|\S\s{{3,}}\S.*\s{{3,}}\S|\.{{4,}}\s*\S+\s*$)|.*\s(?:{_NUMBER})\s+(?:{_NUMBER})\s*$")
_NUMBERED = re.compile(
    r"(?:\d+(?:\.\d+)*\.?|[A-Z]\.|[IVXLC]+\.|(?:Item|Part|Chapter|Section|Appendix)\s+[\dIVXA-Z]+[A-Z]?[.:]?)\s+\S"
)
_SENTENCE_END = re.compile(r"""[.!?…。！？।؟:;,：；，、][)\]"'”’»」』）]*$""")
_WRAPPED = 45  # columns; a line of prose at least this long was broken by the page, not by its author
_UNWRAPPED = 200  # no page is this wide: such a line is a paragraph of its own
_SMALL_WORD = 4  # letters; English headings leave "with" and "of" in lower case
_WORD = re.compile(r"[^\W\d_]+")
_CONTENTS = re.compile(r"^.{25,}\D \d{1,3}$")  # ends with the number of a page
_MAY_END = ")]}\"'”’»」』）"
_HEADING_COLUMNS = 4  # shorter lines are boxes to tick and heads of columns
_HEADING_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class Block:
    """text[start:end] without surrounding white space; `level` is 1 to 6 for headings, 0 otherwise."""

    start: int
    end: int
    kind: str
    level: int = 0


def blocks(text: str, *, markdown: bool = True) -> list[Block]:
    """Blocks in order; together they cover all that is not white space. Without `markdown`, # and === mark nothing."""
    found = list(_marked(text, markdown))
    if any(block.kind == HEADING for block in found):
        return found
    return _plain_headings(text, found)


def is_item(line: str) -> bool:
    return _ITEM.match(line) is not None


def marker_width(item: str) -> int:
    """Characters of a list item before its own text."""
    found = _ITEM.match(item)
    return found.end() if found else 0


def is_row(line: str) -> bool:
    return line.lstrip()[:1] == "|" or (len(line) < 400 and _ROW.match(line) is not None)


def ends_sentence(line: str) -> bool:
    """Does the line end with punctuation, as a sentence or clause does and a heading does not?"""
    return _SENTENCE_END.search(line.rstrip()) is not None


def is_titular(line: str) -> bool:
    """Could this line be a heading, by its looks: short, begun with a capital or a figure, and not ended like a
    sentence, an entry in a table of contents or a box to tick? A colon may end it when its words are capitalised."""
    if "\n" in line or len(line) > _HEADING_CHARACTERS or width(line) < _HEADING_COLUMNS:
        return False
    if is_row(line) or _CONTENTS.search(line) or (is_item(line) and not _NUMBERED.match(line)):
        return False
    first = next((character for character in line if character.isalpha()), "")
    if not first or first.islower():
        return False
    if ends_sentence(line):
        return line[-1] in ":：" and capitalised(line)
    return line[-1].isalnum() or line[-1] in _MAY_END


def capitalised(line: str) -> bool:
    """Do all longer words begin with a capital, as in an English heading?"""
    words = [word for word in _WORD.findall(line) if len(word) > _SMALL_WORD]
    return bool(words) and all(word[0].isupper() for word in words)


def width(line: str) -> int:
    """Columns: East Asian characters take two."""
    return (
        len(line) + sum(1 for character in line if "\u2e80" <= character <= "\uffdc")
        if not line.isascii()
        else len(line)
    )


def _marked(text: str, markdown: bool) -> Iterator[Block]:
    """One pass over the lines; `current` is the paragraph or item that may go on."""
    current: Block | None = None
    last = ""
    fence: str | None = None
    for start, end in _lines(text):
        line = text[start:end]
        if not line.strip():
            if current:
                yield current
            current = None
            continue
        block = Block(start + len(line) - len(line.lstrip()), start + len(line.rstrip()), PARAGRAPH)
        mark = _FENCE.match(line) if markdown else None
        if fence or mark:
            if current:
                yield current
                current = None
            if mark and (fence is None or mark.group(1) == fence):
                fence = None if fence else mark.group(1)
            yield replace(block, kind=CODE)
        elif (
            markdown
            and current
            and current.kind == PARAGRAPH
            and "\n" not in text[current.start : current.end]
            and _SETEXT.match(line)
        ):
            level = 1 if line.lstrip()[0] == "=" else 2
            yield Block(current.start, block.end, HEADING, level)
            current = None
        elif markdown and current is None and (found := _ATX.match(line)):  # below text it is a comment in code
            yield replace(block, kind=HEADING, level=len(found.group(1)))
        elif is_row(line) and not (current and _continues(last, line)):
            if current:
                yield current
                current = None
            yield replace(block, kind=ROW)
        elif current and not is_item(line) and (_continues(last, line) or (current.kind == ITEM and line[0].isspace())):
            current = replace(current, end=block.end)
        else:
            if current:
                yield current
            current = replace(block, kind=ITEM) if is_item(line) else block
        last = line
    if current:
        yield current


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _continues(last: str, line: str) -> bool:
    """Was the newline between the two put there by wrapping?"""
    if line.lstrip()[0].islower():
        return True
    columns = width(last)
    if columns > _UNWRAPPED or line[0].isspace():
        return columns >= _WRAPPED and not ends_sentence(last)
    return columns >= _WRAPPED and not is_row(last)


def _plain_headings(text: str, found: list[Block]) -> list[Block]:
    """Single-line paragraphs that stand alone, are short and have no closing punctuation become headings of level 6,
    when prose, a list or a table comes next."""
    for index, block in enumerate(found[:-1]):
        after = found[index + 1]
        alone = text[block.end : after.start].count("\n") > 1 and (
            index == 0 or text[found[index - 1].end : block.start].count("\n") > 1
        )
        if alone and block.kind in (PARAGRAPH, ITEM) and is_titular(text[block.start : block.end]):
            found[index] = replace(block, kind=HEADING, level=6)
    return found
