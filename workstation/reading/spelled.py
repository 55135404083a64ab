"""Number words as figures: "twenty-four days" becomes "24 days"."""

from __future__ import annotations

import re

LANGUAGES = frozenset({"en", "fr", "es", "pt", "de", "it", "nl", "da"})
_CENTURY = re.compile(r"\b(1[0-9]|20) (\d{2})\b(?! ?[%\w])")  # "eighteen ninety-four" comes out in two parts


def with_digits(text: str, language: str) -> str:
    """`text` with its cardinal numbers from thirteen on, and those before a noun, in figures; other languages as is."""
    if language not in LANGUAGES or not re.search(r"[^\W\d_]{3}", text):
        return text
    from text_to_num import alpha2digit  # 2 ms

    try:
        return _CENTURY.sub(r"\1\2", str(alpha2digit(text, language)))
    except Exception:  # a parser of free text: what it cannot read stays as it stands
        return text
