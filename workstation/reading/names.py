"""Proper names in a sentence, by their capital letters, and which of them its evidence does not carry.

Scripts without case have no such sign and are skipped, and so are single capitalised words in German, where every noun
has a capital. A name is not compared with evidence that is in another script.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from workstation.reading.dates import dates

# An apostrophe before a capital separates words (d'Angleterre), else it joins them.
_WORD = re.compile(r"[^\W\d_]+(?:(?:[.\-‐‑]|['’](?![A-ZÀ-Þ]))[^\W\d_]+)*")
_BREAK = re.compile(r"[:!?\n]")  # after these a capital says nothing; a full stop inside a sentence is an abbreviation
_INITIAL = re.compile(r"[^\W\d_]\.\s*\w")  # John F. Kennedy, z. B. hier
_POSSESSIVE = re.compile(r"['’]s?$")
_NOUNS_CAPITALISED = frozenset({"de", "lb", "als", "bar", "gsw"})
# Languages whose names change at the end: Moskva, Moskve, Moskvoj.
_INFLECTED = "ru uk be bg mk sr hr bs sl cs sk pl lt lv et fi hu tr az kk el ro is la hy ka sq eu"
_INFLECTING = frozenset(_INFLECTED.split())
_NOT_NAMES = frozenset({"i", "i'm", "i'd", "i'll", "i've"})
_ENDING = 3  # letters that case endings may change
_SUFFIX = 2  # letters that a plural or genitive adds elsewhere


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    first: bool  # begins a sentence or clause, so its capital says nothing

    @property
    def capital(self) -> bool:
        return self.text[0].isupper() or self.text[0].istitle()

    @property
    def marked(self) -> bool:
        """Two capitals (NATO, McDonald) say name wherever the word stands."""
        return sum(char.isupper() for char in self.text) > 1

    @property
    def capital_or_marked(self) -> bool:
        return self.capital or self.marked


def uncarried_names(
    sentence: str, evidence: Iterable[str], language: str, known: frozenset[str] = frozenset()
) -> list[str]:
    """The names of `sentence` of which some word stands in none of the `evidence` texts.

    known: words that are names elsewhere in the run (`names_in`), to recognise one that begins a sentence.
    """
    words = {_normal(word) for text in evidence for word in _words(text)}
    scripts = {_script(word) for word in words}
    missing = []
    for token in _names(sentence, language, known):
        normal = _normal(token.text)
        if _script(normal) in scripts and not _carried(normal, words, language):
            missing.append(token.text)
    return list(dict.fromkeys(missing))


def names_of(sentence: str, language: str) -> list[str]:
    """The words of `sentence` that are names by their capital letters, in a form in which they can be compared."""
    return [_normal(token.text) for token in _names(sentence, language, frozenset())]


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """Words that stand with a capital inside sentences of `texts`, and nowhere without one."""
    capital: set[str] = set()
    small: set[str] = set()
    for text in texts:
        for token in _tokens(text):
            if token.capital and not token.first:
                capital.add(_normal(token.text))
            elif not token.capital:
                small.add(_normal(token.text))
    return frozenset(capital - small)


def _names(sentence: str, language: str, known: frozenset[str]) -> list[_Token]:
    for date in dates(sentence):  # the names of months are read there
        sentence = sentence[: date.start] + "-" * (date.end - date.start) + sentence[date.end :]
    tokens = _tokens(sentence)
    nouns = language in _NOUNS_CAPITALISED
    return [
        token
        for i, token in enumerate(tokens)
        if token.capital_or_marked and token.text.casefold() not in _NOT_NAMES
        if token.marked
        or (token.first and _normal(token.text) in known)
        or (not token.first and (not nouns or _in_sequence(tokens, i)))
    ]


def _in_sequence(tokens: list[_Token], at: int) -> bool:
    near = [tokens[i] for i in (at - 1, at + 1) if 0 <= i < len(tokens)]
    return any(token.capital and not token.first for token in near)


def _tokens(text: str) -> list[_Token]:
    found = [m for m in _WORD.finditer(text) if not _INITIAL.match(text, m.start())]
    ends = [0, *(m.end() for m in found)]
    return [
        _Token(m[0], end == 0 or _BREAK.search(text, end, m.start()) is not None)
        for end, m in zip(ends, found, strict=False)
    ]


def _words(text: str) -> Iterable[str]:
    for found in _WORD.finditer(text):
        yield found[0]
        yield from re.split(r"['’.\-‐‑]", found[0])


def folded(text: str) -> str:
    """The text without case and accents."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in bare if not unicodedata.combining(char))


def _normal(word: str) -> str:
    """The word without case, marks and possessive ending."""
    return folded(_POSSESSIVE.sub("", word))


def _carried(name: str, words: set[str], language: str) -> bool:
    if name in words or all(_like(part, words, language) for part in re.split(r"[.\-‐‑]", name) if part):
        return True
    return _like(name, words, language)


def _like(name: str, words: set[str], language: str) -> bool:
    return name in words or any(_same(name, word, language) for word in words)


def _same(name: str, word: str, language: str) -> bool:
    shorter, longer = sorted((name, word), key=len)
    if len(shorter) < 4:
        return False
    if language in _INFLECTING:
        stem = max(3, len(longer) - _ENDING)
        return len(longer) - len(shorter) <= _ENDING and name[:stem] == word[:stem]
    return len(longer) - len(shorter) <= _SUFFIX and longer.startswith(shorter)


def _script(word: str) -> str:
    return unicodedata.name(word[0], "").split(" ")[0] if word else ""
