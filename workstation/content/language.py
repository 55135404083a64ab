"""Which language a document or a question is in.

Script and function words settle most texts at once; the classifier (py3langid, 1.2 s to load, 0.1 ms a text) is asked
for the rest.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import Any

from workstation.content.scripts import dominant, scripts

UNKNOWN = "und"

_SAMPLE = 4000  # characters; more changes no answer
_SHORT = 60  # letters; below, the classifier's first choice is right for 89-99 % of XQuAD questions, votes are better
_LEAST = 4  # letters of an alphabet; "NFL" is in no language
_TERSE = 16  # letters; below, without one function word, the classifier guesses ("hello" is Finnish to it)

# Scripts that several widely read languages share: the classifier decides, and the script's first language stands in
# when it answers in another script. Its labels for varieties are folded into the written language.
_SHARED = {
    "ar": ("ar", "fa", "ur", "ps", "ug", "ku"),
    "ru": ("ru", "uk", "be", "bg", "sr", "mk", "kk", "ky", "mn", "tg", "tt"),
}
_SHARED_HINDI = ("hi", "mr", "ne", "sa")
_VARIETY = {"arz": "ar", "ary": "ar", "wuu": "zh", "yue": "zh", "nn": "no", "uzs": "uz", "sdh": "ku", "grc": "el"}

# Among short texts the languages with few readers are nearly always mistakes.
_COMMON_CODES = (
    "en de fr es it pt nl sv da no pl cs ro tr vi hu fi id ru uk bg fa ur ar hi mr ne ja ko zh th el he sk hr sr sl et "
    "lt lv ca bn ta te sw"
)
_COMMON = frozenset(_COMMON_CODES.split())
_MARGIN = 1.5  # by how much the first must lead the second
_DENSE = 0.25  # of the words of a longer text: with fewer function words it may be a related language without a list

_WORD = re.compile(r"[^\s\d!-&(-/:-@\[-`{-~।॥؟،؛“”„«»…]+")


def detect(text: str, hint: str | None = None, classify: bool = True) -> str:
    """Two-letter code (ISO 639-1) of the language of `text`, or "und" when there is too little to tell.

    `hint` is what the document says of itself: it decides for short texts, unless the script contradicts it. Without
    `classify` the classifier is never loaded, and what script and function words leave open is "und".
    """
    sample = text[:_SAMPLE]
    found = scripts(sample)
    letters = sum(found.values())
    if not letters:
        return UNKNOWN
    script = dominant(found)
    if script in ("ar", "ru", "hi", ""):
        return _shared(sample, script, letters, hint, classify)
    return script


def _shared(sample: str, script: str, letters: int, hint: str | None, classify: bool) -> str:
    family = _SHARED_HINDI if script == "hi" else _SHARED.get(script)
    if hint and letters < _SHORT and (family is None or hint in family):
        return hint
    if letters < _LEAST:
        return script or UNKNOWN
    if voted := _vote(sample, family, dense=letters >= _SHORT):
        return voted
    if letters < _TERSE or not classify:
        return script or UNKNOWN
    ranked = _ranked(sample)
    if family:
        return next((language for language in ranked[:3] if language in family), script)
    if letters < _SHORT:
        ranked = [language for language in ranked[:8] if language in _COMMON] or ranked
    return ranked[0] if ranked else UNKNOWN


def _vote(sample: str, family: tuple[str, ...] | None, dense: bool) -> str | None:
    """The language with clearly the most function words and letters of its own, each weighted by how few share it.
    `dense`: a good part of the words must be function words of that language."""
    words, letters = _clues()
    votes: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    lower = sample.lower()
    spoken = [word.strip("'’¿¡") for word in _WORD.findall(lower)]
    for languages in (*(words.get(word, ()) for word in spoken), *(letters.get(letter, ()) for letter in set(lower))):
        for language in languages:
            if family is None or language in family:
                votes[language] += 12 // len(languages)
                hits[language] += 1
    first, second = [*votes.most_common(2), ("", 0), ("", 0)][:2]
    clear = first[1] > _MARGIN * second[1] and (not dense or hits[first[0]] >= _DENSE * len(spoken))
    return first[0] if clear else None


@cache
def _clues() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Which languages a word, and which a letter, speaks for."""
    words: dict[str, tuple[str, ...]] = {}
    letters: dict[str, tuple[str, ...]] = {}
    text = files("workstation.content").joinpath("function_words.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("="):
            letters[line[1]] = tuple(line[2:].split())
        elif not line.startswith("#"):
            language, _, listed = line.partition(":")
            for word in listed.split():
                words[word] = (*words.get(word, ()), language)
    return words, letters


def _ranked(sample: str) -> list[str]:
    """Two-letter codes, likeliest first; nothing when the classifier finds no feature in the text."""
    rank = _classifier().rank(sample)
    if len(rank) > 1 and rank[0][1] == rank[1][1]:
        return []
    return [code for label, _ in rank[:12] if len(code := _VARIETY.get(label, label)) == 2]


@cache
def _classifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # 0.3 s to import, 0.9 s to load, 50 MB

    return LanguageIdentifier.from_model_file(MODEL_FILE)
