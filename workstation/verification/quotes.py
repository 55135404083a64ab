"""Quotations in a report's Markdown, and whether their words stand in a source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workstation.report.cite import CITATION, squash, unescape

# Opening mark -> what may close it.
_PAIRS = {"“": "”", "„": "“”", "”": "”", "«": "»", "»": "«", "「": "」", "『": "』", "‘": "’", '"': '"'}
_ALWAYS_OPEN = "“„«「『"  # the others are also apostrophes, inch marks or closing marks
TERMINATED = re.compile(r"[.!?。！？…؟۔।][\"'”’»」』)\]]*$")
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD_CHAR = re.compile(rf"[^\W{_UNSPACED}]")
_DIGIT_BEFORE, _DIGIT_AFTER = re.compile(r"(?:\d[.,:]?|(?<![^\W_])[-−–])$"), re.compile(r"[.,:]?\d")
_LONGEST_MARK = 4  # characters around a quote that can belong to a number


@dataclass(frozen=True, slots=True)
class Quotation:
    """markdown[start:end] with its marks; `words` is the quoted text as a reader sees it."""

    start: int
    end: int
    words: str

    @property
    def terminated(self) -> bool:
        """True when the quoted text ends a sentence."""
        return TERMINATED.search(self.words) is not None


def quotations(markdown: str) -> list[Quotation]:
    """The quotations of a block, left to right. An opening mark that nothing closes runs to the next citation."""
    return list(_scan(markdown))


def stands_in(quote: str, squashed: str) -> bool:
    """True when `quote` stands word for word in a text (given squashed): no word or number is cut at its ends."""
    words = squash(quote)
    at = squashed.find(words) if words else -1
    while at >= 0:
        if _whole(words, squashed, at):
            return True
        at = squashed.find(words, at + 1)
    return False


def _scan(text: str) -> Iterator[Quotation]:
    at = 0
    while at < len(text):
        if text[at] == "\\" and text[at + 1 : at + 2] != '"':
            at += 2
            continue
        close = _close(text, at) if text[at] in _PAIRS and _opens(text, at) else None
        if close is None:
            at += 1
            continue
        inner, end = close
        yield Quotation(at, end, unescape(text[at + 1 : inner].removesuffix("\\")).strip())
        at = end


def _opens(text: str, at: int) -> bool:
    if text[at] in _ALWAYS_OPEN:
        return True
    before, after = text[at - 1 : at].strip("\\"), text[at + 1 : at + 2]
    return not before.isalnum() and after.strip() != ""


def _close(text: str, start: int) -> tuple[int, int] | None:
    """Where the quoted text ends and where its closing mark ends."""
    mark = text[start]
    at = _find(text, start + 1, _PAIRS[mark], loose=mark in '‘"')
    if at is None and mark in _ALWAYS_OPEN:
        at = _find(text, start + 1, '"', loose=True)
    if at is not None:
        return at, at + 1
    if mark not in _ALWAYS_OPEN:
        return None
    cited = CITATION.search(text, start)
    end = cited.start() if cited else len(text)
    return end, end


def _find(text: str, at: int, marks: str, *, loose: bool) -> int | None:
    """The first of `marks`; `loose`: only where no letter follows, so that an apostrophe closes nothing."""
    while at < len(text):
        if text[at] == "\\" and text[at + 1 : at + 2] != '"':
            at += 2
            continue
        if text[at] in marks and not (loose and text[at + 1 : at + 2].isalnum()):
            return at
        at += 1
    return None


def _whole(words: str, text: str, at: int) -> bool:
    before, after = text[max(0, at - _LONGEST_MARK) : at], text[at + len(words) : at + len(words) + _LONGEST_MARK]
    if words[0].isdigit() and _DIGIT_BEFORE.search(before):
        return False
    if words[-1].isdigit() and _DIGIT_AFTER.match(after):
        return False
    return not (_joined(before[-1:], words[0]) or _joined(words[-1], after[:1]))


def _joined(left: str, right: str) -> bool:
    """True when two neighbouring characters belong to one word, in a script that puts spaces between words."""
    return bool(_WORD_CHAR.fullmatch(left) and _WORD_CHAR.fullmatch(right))
