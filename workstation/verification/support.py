"""Does the evidence carry a sentence? A small scorer over words, without a model. Verbatim quotes need no score.

score: the share of the sentence's content words (by stem) that stand in the evidence; half of it where one denies and
the other does not, or one speaks of more and the other of less.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from workstation.reading.words import words_of

# Chosen for few false passes: a sentence that is not passed is shown as a quote instead, which loses nothing.
# At 0.6, sentence against gold evidence of public sets (tests/workstation/verification/test_support_quality.py):
#   SciFact dev   91 supporting pairs: recall .16. Wrongly passed: 2 % of 48 contradictions, 2 % of 89 other sentences
#                 of the same abstract, 8 % of the 89 nearest ones, 5 % of 63 claims without evidence. Precision .54.
#   SciFact train 616 pairs: recall .17; 11 % of 341 contradictions, 2 %, 10 % and 3 % of the others. Precision .50.
#   WiCE dev      38 supported claims: recall .61; 24 % of 58 partly supported, none of 15 unsupported. Precision .62.
#                 With the check of figures and names, as in a report: recall .40, precision .83.
# Limits: it sees words, not meaning. Paraphrase in other words is missed, and roles turned round (who beat whom), a
# contradiction in other words, or a part of a sentence that the quote does not carry can pass. Sentence and evidence in
# different languages share few words and do not pass.
THRESHOLD = 0.6
MISMATCH_FACTOR = 0.5

_WORD = re.compile(r"[^\W_]+(?:['’.,][^\W_]+)*")
_STEM = 6  # letters: long enough to tell words apart, short enough to drop endings in most languages
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]+")


def supported(sentence: str, evidence: Sequence[str], language: str = "en", sources: int = 1) -> bool:
    return best_score(sentence, evidence, language, sources) >= THRESHOLD


def best_score(sentence: str, evidence: Sequence[str], language: str = "en", sources: int = 1) -> float:
    """The score against the best quote, or against the best two (or one a source): a sentence may join two quotes."""
    ranked = sorted(evidence, key=lambda quote: -score(sentence, quote, language))
    joined = " ".join(ranked[: max(2, sources)])
    return max((score(sentence, quote, language) for quote in (*ranked[:1], joined)), default=0.0)


def score(sentence: str, evidence: str, language: str = "en") -> float:
    """How much of `sentence` stands in `evidence`, from 0 to 1. language: that of the sentence."""
    wanted, have = content(sentence, language), content(evidence, language)
    if not wanted:
        return 0.0
    factor = MISMATCH_FACTOR if denial_differs(sentence, evidence, language) else 1.0
    factor *= MISMATCH_FACTOR if direction_differs(sentence, evidence, language) else 1.0
    return factor * len(wanted & have) / len(wanted)


def content(text: str, language: str) -> frozenset[str]:
    """The stems of a text's content words; in scripts without spaces, its pairs of characters."""
    text = unicodedata.normalize("NFKC", text).casefold()
    pairs = {run[i : i + 2] for run in _UNSPACED.findall(text) for i in range(max(1, len(run) - 1))}
    words = _WORD.findall(_UNSPACED.sub(" ", text))
    return frozenset(pairs | {_stem(word) for word in words if word not in words_of(language).function})


def denial_differs(one: str, other: str, language: str) -> bool:
    denial = words_of(language).denial
    return (denial.search(one) is None) != (denial.search(other) is None)


def direction_differs(one: str, other: str, language: str) -> bool:
    """True when one text speaks only of more and the other only of less."""
    return {_direction(one, language), _direction(other, language)} == {1, -1}


def _direction(text: str, language: str) -> int:
    words = words_of(language)
    return (words.more.search(text) is not None) - (words.less.search(text) is not None)


def _stem(word: str) -> str:
    bare = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    if len(bare) <= _STEM:
        return bare[:-1] if len(bare) > 3 and bare.endswith("s") else bare
    return bare[:_STEM]
