"""The words that the program itself puts into a report, by key and language; what is missing falls back to English.

A text that is checked is recognised by these words in any language, so a report can be verified wherever it was made.
"""

from __future__ import annotations

import re

HEADINGS: dict[str, dict[str, str]] = {
    "en": {
        "answer": "Answer",
        "key_points": "Key points",
        "findings": "Findings",
        "unsettled": "What could not be settled",
        "verification": "Verification",
        "sources": "Sources",
        "uncited": "Read, but not cited",
    },
}

# Statements about the search or the run, never about the world. {} stands for a number.
PHRASES: dict[str, dict[str, str]] = {
    "en": {
        "unverified": "unverified",
        "nothing_found": "The library holds nothing that answers this question.",
        "no_answer_yet": "Nothing has been written yet.",
        "confidence": "How sure: {} of {} sub-questions answered; checked quotes: {}, sources: {}.",
        "verdict": "{} sentences: {} cited, {} located, {} supported, {} marked unverified",
        "unchecked": "Not checked yet.",
        "pages": "p.",
        "version": "version",
    },
}


def heading(key: str, language: str) -> str:
    return HEADINGS.get(language, HEADINGS["en"]).get(key, HEADINGS["en"][key])


def phrase(key: str, language: str, *numbers: int) -> str:
    return PHRASES.get(language, PHRASES["en"]).get(key, PHRASES["en"][key]).format(*numbers)


def is_heading(key: str, text: str) -> bool:
    """True when `text` is the heading `key` in any language, whatever its case."""
    shown = " ".join(text.split()).casefold()
    return any(shown == words[key].casefold() for words in HEADINGS.values() if key in words)


def is_phrase(key: str, text: str) -> bool:
    """True when `text` is the statement `key` in any language, with any numbers."""
    shown = " ".join(text.split())
    return any(re.fullmatch(_pattern(words[key]), shown) for words in PHRASES.values() if key in words)


def _pattern(words: str) -> str:
    return r"\d+".join(re.escape(part) for part in words.split("{}"))
