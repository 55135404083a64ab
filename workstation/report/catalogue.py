"""The headings and statements of a report in its language, and how they are recognised again.

A text that is checked is recognised by these words in any language, so a report can be verified wherever it was made.
"""

from __future__ import annotations

import re
from functools import cache

from workstation.core import messages


def heading(key: str, language: str) -> str:
    return messages.text(key, language)


def phrase(key: str, language: str, *numbers: int) -> str:
    return messages.text(key, language, *numbers)


def is_heading(key: str, text: str) -> bool:
    """True when `text` is the heading `key` in any language, whatever its case."""
    return _flat(text).casefold() in _headings(key)


def is_phrase(key: str, text: str) -> bool:
    """True when `text` is the statement `key` in any language, with any numbers."""
    return _statement(key).fullmatch(_flat(text)) is not None


@cache
def _headings(key: str) -> frozenset[str]:
    return frozenset(_flat(words).casefold() for words in messages.every(key))


@cache
def _statement(key: str) -> re.Pattern[str]:
    return re.compile("|".join(_pattern(_flat(words)) for words in messages.every(key)))


def _pattern(words: str) -> str:
    return r"\d+".join(re.escape(part) for part in words.split("{}"))


def _flat(text: str) -> str:
    """`text` with single spaces; a no-break space counts as one."""
    return " ".join(text.split())
