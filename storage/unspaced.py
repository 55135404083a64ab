"""Words in scripts written without spaces, as overlapping character bigrams.

A tokenizer that cuts at spaces sees a Chinese sentence as one word. The usual remedy is to index "東京都" as
東京 京都 都: a word of two or more characters is then a phrase of bigrams, and one character is the start of a bigram
(which is why the last one stands alone too). Korean has spaces, but its particles are glued to the words, so it is
treated the same.
"""

from __future__ import annotations

import re
import unicodedata

# Letters and marks of Thai, Lao, Tibetan, Myanmar, Hangul, Khmer, kana, bopomofo and Han; no punctuation.
_RUN = re.compile(
    "[\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u0f40-\u0f84\u0f88-\u0fbc\u1000-\u1049\u1050-\u109f"
    "\u1100-\u11ff\u1780-\u17d3\u17d7\u17dc\u17dd\u3005-\u3007\u3021-\u3029\u3041-\u3096\u309d-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9fe\uaa60-\uaa7f\uac00-\ud7a3"
    "\uf900-\ufaff\U00020000-\U0003ffff]+"
)

# Soft hyphens, Hebrew and Arabic points and the Arabic stretching stroke: written or left out at will.
_OPTIONAL = re.compile("[\u00ad\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]")
_NOT_TEXT = re.compile("[\x00\ud800-\udfff]")


def normalise(text: str) -> str:
    """How text is compared: compatibility forms folded (ligatures, full-width digits), optional signs dropped."""
    return _OPTIONAL.sub("", unicodedata.normalize("NFKC", _NOT_TEXT.sub(" ", text)))


def runs(text: str) -> list[str]:
    """The stretches of unspaced script in a normalised text."""
    return _RUN.findall(text)


def spaced(text: str) -> str:
    """A normalised text without them, so that the words between stand alone ("使用Python编程")."""
    return _RUN.sub(" ", text)


def bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


def grams(text: str) -> str:
    """What the bigram index stores for a normalised text; "" when it has no unspaced script."""
    return " ".join(gram for run in runs(text) for gram in [*bigrams(run), run[-1]])
