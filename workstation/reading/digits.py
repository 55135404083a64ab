"""Decimal digits of every script as ASCII, so that one set of patterns reads them all."""

from __future__ import annotations

import unicodedata

_MARKS = str.maketrans({"٫": ".", "٬": ",", "％": "%", "٪": "%", "．": ".", "，": ",", "−": "-", "：": ":", "／": "/"})


def ascii_digits(text: str) -> str:
    """`text` with the same length, its digits and number marks as ASCII."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text).translate(_MARKS)
