"""Spans of one text in one language: which words stand in them, where a topic begins and ends."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workstation.planning.talking.words import Lexicon, Token, word_ends

SOFT = frozenset({"fill", "frame", "polite", "too", "and", "line"})  # words that by themselves command nothing
NUMERIC = frozenset({"number", "first", "last", "before_last"})
LOOKS = ("quick", "thorough", "deep", "report", "brief", "comparison")
NO_TOPIC = SOFT | NUMERIC | {"approve", "choose", "cut", "merge", "top", "change", *LOOKS}
MARKS = " ,;.:!?…，、。；：！？،؛؟-–—"
QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»", "「": "」", "『": "』", "'": "'"}
CLOSING = "”»」』"
BRACKETS = {"(": ")", "（": "）", "[": "]"}
QUOTED = re.compile("|".join(f"{o}[^{o}{c}\n]{{1,300}}[{c}]" for o, c in QUOTES.items() if o != "'"))


def mask(folded: str) -> str:
    """The text, at the same length, without the marks inside quotations: they end no clause."""
    return QUOTED.sub(lambda quoted: "x" * len(quoted[0]), folded)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A folded text with the words of one language; `masked` is the text with what is quoted made one word."""

    folded: str
    masked: str
    lexicon: Lexicon

    def bag(self, start: int, end: int) -> list[Token] | None:
        """The tokens of a span whose words are all known."""
        tokens: list[Token] = []
        for token in self.lexicon.tokens(self.folded, start, end):
            if token is None:
                return None
            tokens.append(token)
        return tokens

    def says_something(self, start: int, end: int) -> bool:
        """Whether there is a letter or a digit."""
        return any(char.isalnum() for char in self.folded[start:end])

    def ends_with(self, phrase: str, start: int, end: int) -> bool:
        """Whether the span's last words are the phrase."""
        at = end - len(phrase)
        return at >= start and self.folded.startswith(phrase, at) and word_ends(self.folded, at)

    def trimmed(self, start: int, end: int, trails: tuple[str, ...] = ()) -> int:
        """Where the span ends without marks and without trailing words ("please", "too")."""
        while True:
            while end > start and self.folded[end - 1] in MARKS:
                end -= 1
            trail = next((t for t in trails if self.ends_with(t, start, end)), None)
            if trail is None:
                return end
            end -= len(trail)

    def past(self, start: int, end: int, *kinds: str) -> int:
        """Where the span begins without leading marks and words of these kinds."""
        place = start
        for token in self.lexicon.tokens(self.folded, start, end):
            if token is None or not any(kind in token.kinds for kind in kinds):
                break
            place = token.end
        while place < end and self.folded[place] in MARKS + CLOSING:
            place += 1
        return place

    def whole(self, start: int, end: int) -> tuple[int, int]:
        """The span without quotation marks around it, and with the bracket that it opened."""
        text = self.folded[start:end]
        if len(text) > 2 and text[-1] in QUOTES.get(text[0], ""):
            return start + 1, end - 1
        for opening, closing in BRACKETS.items():
            if text.count(opening) > text.count(closing) and self.folded[end : end + 1] == closing:
                return start, end + 1
        return start, end

    def is_topic(self, start: int, end: int, *, of_lines: bool) -> bool:
        """Whether the words can name a topic: not only "it" and "that", nothing negated, and no line's number where
        lines can be meant (`of_lines`)."""
        if not self.says_something(start, end) or any(self.ends_with(no, start, end) for no in self.lexicon.nots):
            return False
        numbered = False
        for token in self.lexicon.tokens(self.folded, start, end):
            if token is None:
                break
            if "not" in token.kinds or (numbered and "line" in token.kinds):
                return False  # "everything but 2", "the third question about taxes"
            if of_lines and not NUMERIC.isdisjoint(token.kinds):
                if self.folded[token.start].isdigit():
                    return False
                numbered = True
            elif "fill" not in token.kinds:
                break
        tokens = self.bag(start, end)
        return tokens is None or any(NO_TOPIC.isdisjoint(token.kinds) for token in tokens)

    def has_tail(self, start: int, end: int) -> bool:
        """Whether the span may end with the words that follow a topic."""
        end = self.trimmed(start, end, self.lexicon.trails)
        return any(self.ends_with(tail, start, end) for tail, _ in self.lexicon.tails)

    def words(self, start: int, end: int) -> int:
        """How many words, by white space."""
        return len(re.findall(r"\S+", self.folded[start:end]))
