"""The script of a text, by the language that stands for it."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache

# Prefixes of Unicode character names; where a prefix is the beginning of another, the longer one comes first.
_SCRIPTS: tuple[tuple[str, str], ...] = (
    ("HIRAGANA", "ja"),
    ("KATAKANA", "ja"),
    ("HANGUL", "ko"),
    ("CJK", "zh"),
    ("THAI", "th"),
    ("LAO", "lo"),
    ("KHMER", "km"),
    ("MYANMAR", "my"),
    ("GREEK", "el"),
    ("HEBREW", "he"),
    ("ARMENIAN", "hy"),
    ("GEORGIAN", "ka"),
    ("DEVANAGARI", "hi"),
    ("BENGALI", "bn"),
    ("GURMUKHI", "pa"),
    ("GUJARATI", "gu"),
    ("TAMIL", "ta"),
    ("TELUGU", "te"),
    ("KANNADA", "kn"),
    ("MALAYALAM", "ml"),
    ("SINHALA", "si"),
    ("ETHIOPIC", "am"),
    ("ARABIC", "ar"),
    ("CYRILLIC", "ru"),
    ("LATIN", ""),
)
# A Han or Hangul letter is half a word, and Latin names stand in texts of every script.
_WEIGHTS = {"zh": 4, "ja": 4, "ko": 4, "": 1}
_OTHERS = 2


def scripts(sample: str) -> Counter[str]:
    """How many letters of each script there are; "" is Latin."""
    scripts: Counter[str] = Counter()
    for character, count in Counter(sample).items():
        if (script := _script(character)) is not None:
            scripts[script] += count
    return scripts


@cache
def _script(character: str) -> str | None:
    """The language that stands for the character's script ("" is Latin), or None for what is no letter."""
    if not character.isalpha():
        return None
    name = unicodedata.name(character, "")
    return next((language for prefix, language in _SCRIPTS if name.startswith(prefix)), None)


def dominant(scripts: Counter[str]) -> str:
    """The script that the text is in; kana decide between Japanese and Chinese."""
    weights = Counter({script: count * _WEIGHTS.get(script, _OTHERS) for script, count in scripts.items()})
    if weights["ja"] and weights["ja"] * 10 > weights["zh"]:
        weights["ja"] += weights.pop("zh", 0)
    return weights.most_common(1)[0][0]
