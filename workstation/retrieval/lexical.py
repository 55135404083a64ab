"""The words of a question that are worth looking up, and the grams that stand in for them in scripts without spaces."""

from __future__ import annotations

import re

from workstation.retrieval.stop_words import stop_words

WORD = re.compile(r"\d+(?:[.,]\d+)+|\w+(?:['’]\w+)*", re.UNICODE)
# Scripts written without spaces: Thai, Lao, Tibetan, Myanmar, Khmer, kana, CJK with its extensions.
UNSPACED = re.compile(
    r"[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def query_terms(text: str, language: str) -> tuple[str, ...]:
    """The question's words without its language's stop words; all of them if nothing else is left. No word twice."""
    words = list(dict.fromkeys(w.casefold() for w in WORD.findall(UNSPACED.sub(" ", text))))
    stops = stop_words(language)
    return tuple([w for w in words if w not in stops] or words)
