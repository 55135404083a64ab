"""The words that people use towards a plan, per language, and what stands at a place of a text in those words.

The tables are in words.toml. Text is compared in a folded form of the same length: lower case, without accents,
full-width and Arabic digits as ASCII, so that a span of the folded text is a span of the text.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any

SURE, PLAIN, BESIDE, NEVER = 2, 1, 0, -1  # "!phrase", "phrase", "?phrase"; "drop X", which a question may well say
MARKS = {"!": SURE, "?": BESIDE}
OPEN = ("add", "leave", "cut", "rewrite")  # kinds with a topic
WEAK = frozenset(
    {"fill", "frame", "polite", "too", "and", "line", "not", "nay", "if", "range", "to", "particle", "other", "number"}
)
COMMANDS = 3  # so that "add die Rolle der Frau" is English
SPECIAL = frozenset({"and", "numbers", *OPEN})

CJK = "\u3005-\u30ff\u3400-\u9fff"
WORD = re.compile(rf"[{CJK}]|[^\W{CJK}]+")
LETTER = re.compile(rf"[^\W{CJK}]")
DIGITS = re.compile(
    rf"(\d{{1,2}})(?:\s?[-–—~〜～－]\s?(\d{{1,2}}))?"
    r"(?:st|nd|rd|th|er|re|e|eme|ere|te|ten|ter|a|o|ª|º|-?[ияюеоаухмг]{1,2})?"
    rf"(?![^\W{CJK}]|[.,]\d|[%°$€£])"
)
SCRIPTS = {
    "zh": "[\u3400-\u9fff]",
    "ja": "[\u3040-\u30ff\u3400-\u9fff]",
    "ru": "[\u0400-\u04ff]",
    "ar": "[\u0600-\u06ff]",
}


def _folded(code: int) -> str:
    """One character, folded to one character."""
    char = chr(code)
    if 0xFF01 <= code <= 0xFF5E:
        char = chr(code - 0xFEE0)
    base = unicodedata.normalize("NFD", char)[0].lower()
    base = str(unicodedata.digit(base)) if base.isdigit() and code >= 0x660 else base
    return base if len(base) == 1 else char


FOLDS = {code: _folded(code) for code in (*range(0x41, 0x5B), *range(0xC0, 0x700))}
FOLDS |= {code: _folded(code) for code in range(0xFF01, 0xFF5F) if chr(code).isalnum()}
FOLDS |= str.maketrans({"’": "'", "‘": "'", "ى": "ي", "ة": "ه", "œ": "œ", "‑": "-"})


def fold(text: str) -> str:
    """The text as it is compared; each character stands where it stood."""
    return text.translate(FOLDS)


@dataclass(frozen=True, slots=True)
class Form:
    """How a topic is asked for or left out: a phrase before it, with `tail` after it if that is needed."""

    kind: str
    level: int
    tail: str = ""


@dataclass(slots=True)
class Entry:
    """All that one phrase can mean: kinds with their levels, numbers, forms that it opens."""

    phrase: str
    kinds: dict[str, int] = field(default_factory=dict)
    numbers: tuple[int, ...] = ()
    forms: list[Form] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Token:
    """A known phrase, or a number, at text[start:end]."""

    start: int
    end: int
    kinds: Mapping[str, int]
    numbers: tuple[int, ...] = ()
    forms: tuple[Form, ...] = ()


NUMBER: Mapping[str, int] = {"number": SURE}


class Lexicon:
    """One language's words."""

    def __init__(self, language: str, table: Mapping[str, Any]) -> None:
        self.language = language
        self._entries: dict[str, Entry] = {}
        tails: dict[str, Form] = {}
        for kind, listed in table.items():
            if kind not in SPECIAL:
                for phrase, level in _phrases(listed):
                    self._entry(phrase).kinds[kind] = level
        for value, listed in enumerate(table["numbers"], 1):
            for phrase, _ in _phrases(listed):
                self._entry(phrase).numbers = (value,)
                self._entry(phrase).kinds["number"] = PLAIN
        for kind in OPEN:
            for pattern, level in _phrases(table.get(kind, "")):
                self._form(kind, pattern, level if kind != "cut" else NEVER, tails)
        for phrase, level in _phrases(table["too"]):
            self._entry(phrase).forms.append(Form("add", level))
        joins = [phrase for phrase, _ in _phrases(table["and"])]
        self.glued = tuple(join[:-1] for join in joins if join.endswith("-"))
        for join in joins:
            self._entry(join.rstrip("-")).kinds["and"] = PLAIN
        self.joint = "|".join(_joint(join) for join in sorted(joins, key=len, reverse=True))
        self.unbroken = "|".join(
            _joint(phrase) for phrase in self._entries if re.search(rf".(?:{self.joint}).", phrase)
        )
        self.tails = tuple(sorted(tails.items(), key=lambda item: -len(item[0])))
        self.polite = self._longest("polite")
        self.trails = self._longest("polite", "too")
        self.too = tuple(t for t in self._longest("too") if not re.match(f"[{CJK}]", t))
        self.particles = self._longest("particle")
        self.nots = self._longest("not")
        self._starts: dict[str, list[Entry]] = {}
        for entry in sorted(self._entries.values(), key=lambda e: -len(e.phrase)):
            if word := WORD.match(entry.phrase):
                self._starts.setdefault(word[0], []).append(entry)

    def _entry(self, phrase: str) -> Entry:
        return self._entries.setdefault(phrase, Entry(phrase))

    def _form(self, kind: str, pattern: str, level: int, tails: dict[str, Form]) -> None:
        """A pattern `head`, `head ... tail` or `... tail`; without a topic the same words may act on numbers."""
        head, _, tail = (part.strip() for part in pattern.partition("..."))
        if head:
            self._entry(head).forms.append(Form(kind, level, tail))
        else:
            tails.setdefault(tail, Form(kind, level))
        if kind in ("cut", "leave"):
            alone = "cut?" if level == BESIDE else "cut"  # "without 3" drops a line, "without dropping 3" does not
            for phrase, mark in ((head, "cut<" if tail else alone), (tail, "cut>" if head else alone)):
                if phrase:
                    self._entry(phrase).kinds[mark] = PLAIN

    def _longest(self, *kinds: str) -> tuple[str, ...]:
        found = {e.phrase for e in self._entries.values() if any(kind in e.kinds for kind in kinds)}
        return tuple(sorted(found, key=lambda phrase: (-len(phrase), phrase)))

    def at(self, folded: str, place: int) -> Token | None:
        """The longest known phrase, or the number, that begins at a place where a word begins."""
        token = self._known(folded, place)
        if token is None and self.glued and folded.startswith(self.glued, place):
            token = self._known(folded, place + 1)
            return token and replace(token, start=place)
        return token

    def _known(self, folded: str, place: int) -> Token | None:
        if digits := DIGITS.match(folded, place):
            first, last = int(digits[1]), int(digits[2] or digits[1])
            return Token(place, digits.end(), NUMBER, tuple(range(first, last + 1)))
        word = WORD.match(folded, place)
        if word is None:
            return None
        for entry in self._starts.get(word[0], ()):
            end = place + len(entry.phrase)
            if folded.startswith(entry.phrase, place) and word_ends(folded, end):
                if entry.numbers and re.match(r"-\w", folded[end : end + 2]):
                    continue  # "two-sided"
                return Token(place, end, entry.kinds, entry.numbers, tuple(entry.forms))
        return None

    def familiarity(self, folded: str) -> int:
        """How much of a text is in the language's words, by characters; words that command count for more."""
        weight, place = 0, 0
        while found := WORD.search(folded, place):
            token = self.at(folded, found.start())
            place = token.end if token else found.end()
            if token:
                commands = any(kind not in WEAK and level > BESIDE for kind, level in token.kinds.items())
                commands = commands or any(form.level > BESIDE or form.level == NEVER for form in token.forms)
                weight += (token.end - token.start) * (COMMANDS if commands else 1)
        return weight

    def tokens(self, folded: str, start: int, end: int) -> Iterator[Token | None]:
        """What stands in folded[start:end], word by word; None, and no more, at the first unknown word."""
        place = start
        while place < end:
            if not folded[place].isalnum():
                place += 1
                continue
            token = self.at(folded, place)
            yield token if token and token.end <= end else None
            if token is None or token.end > end:
                return
            place = token.end


def word_ends(folded: str, end: int) -> bool:
    """Whether one word may end here and another begin: the letters on both sides are not of the same word."""
    return not (0 < end < len(folded) and LETTER.match(folded, end) and LETTER.match(folded, end - 1))


def _phrases(listed: str) -> list[tuple[str, int]]:
    """The phrases of a table's row, folded, with their levels."""
    cells = [fold(" ".join(cell.split())) for cell in listed.split("|")]
    return [(cell.lstrip("!?"), MARKS.get(cell[0], PLAIN)) for cell in cells if cell]


def _joint(join: str) -> str:
    """A pattern for a word that joins clauses."""
    if join.endswith("-"):
        return rf"(?<=\s){re.escape(join[:-1])}(?=\w\w)"
    escaped = re.escape(join)
    return escaped if re.match(f"[{CJK}]", join) else rf"\b{escaped}\b"


@cache
def lexicons() -> tuple[Lexicon, ...]:
    """All languages, English first: it wins where two understand a text alike."""
    text = resources.files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
    return tuple(Lexicon(language, table) for language, table in tomllib.loads(text).items())


def lexicons_for(folded: str) -> tuple[Lexicon, ...]:
    """The languages whose script the text has."""
    latin = re.search("[a-z]", folded)
    scripts = {language for language, pattern in SCRIPTS.items() if re.search(pattern, folded)}
    return (
        tuple(x for x in lexicons() if x.language in scripts or (latin and x.language not in SCRIPTS)) or lexicons()[:1]
    )
