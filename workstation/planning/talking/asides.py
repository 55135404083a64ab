"""Wishes about the work inside a question: which clauses they are, and the question without them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from workstation.planning.talking.clauses import Clauses
from workstation.planning.talking.closed import Command
from workstation.planning.talking.spans import LOOKS, SOFT, Spoken
from workstation.planning.talking.words import BESIDE, PLAIN, SURE

LONGEST = 200  # characters of a wish; a longer clause is about the world
PART_WORDS = 3  # of a further part in "leave out prices, taxes and fees"
EDGE = 40  # clauses at each end of a text in which wishes are looked for: the middle of a long text is pasted
PARTS = 5  # of such a list
DELIMITER = re.compile(
    r"(?:\s*(?:[;,:.!?…](?=[\s)\]!?.…]|$)|[()\[\]—]|(?<=\s)[-–](?=\s)|[，、；：。！？（）؛،؟]|\n))+\s*"
)
STOP = re.compile("[.!?…。！？؟]")
ASKS = re.compile("[?？؟]")
MIDDLE = re.compile("[;:；：؛]")
BRACKET = re.compile(r"[()\[\]（）]")


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch between two marks, with the mark after it."""

    start: int
    end: int
    mark: str

    @property
    def stops(self) -> bool:
        """Whether the sentence ends here."""
        return not self.mark or bool(STOP.search(self.mark))

    @property
    def parts(self) -> bool:
        """Whether more than a comma stands here."""
        return self.stops or bool(MIDDLE.search(self.mark) or BRACKET.search(self.mark))


@dataclass(frozen=True, slots=True)
class Wish:
    """Clauses first..last, which say something about the work if they are meant so."""

    first: int
    last: int
    commands: tuple[Command, ...]

    @property
    def level(self) -> int:
        """How unmistakable the least clear of the commands is."""
        return min(command.level for command in self.commands)

    @property
    def shape(self) -> bool:
        """Whether it names depth or format."""
        return any(command.kind in LOOKS for command in self.commands)


class Asides:
    """A text taken apart with the words of one language."""

    def __init__(self, spoken: Spoken) -> None:
        self.spoken = spoken
        self.clauses = clauses_of(spoken.masked)
        self.wishes = self._wishes()
        self._asked = self._stretches()
        self._asks = any(self._asked)
        meant = {wish for wish in self.wishes if self._alone(wish)}
        for one, other in [*pairwise(self.wishes), *pairwise(self.wishes[::-1])]:
            if one in meant and self._beside(one, other):
                meant.add(other)
        self.meant = [wish for wish in self.wishes if wish in meant]
        self._beside_it = [(wish.first, wish.last) for wish in self.meant]
        self._beside_it += [*self._label(), *self._instructions()]

    @property
    def length(self) -> int:
        """How many characters are no part of the question."""
        return sum(self.clauses[last].end - self.clauses[first].start for first, last in self._beside_it)

    def question(self, text: str) -> str:
        """The text without the wishes, and without the marks and the "and" that only held them."""
        kept: list[Clause] = []
        ends = {n: last for first, last in self._beside_it for n in range(first, last + 1)}
        for n, clause in enumerate(self.clauses):
            if n not in ends:
                kept.append(self._without_join(clause, first=not kept and n > 0))
            elif kept and n == ends[n]:
                kept[-1] = replace(kept[-1], mark=_joined(kept[-1].mark, clause.mark))
        if self.meant and all(self._is_courtesy(clause) for clause in kept):
            return ""
        lead = "" if ends and kept[0].start != self.clauses[0].start else text[: kept[0].start] if kept else text
        return lead + "".join(text[clause.start : clause.end] + clause.mark for clause in kept)

    def _label(self) -> list[tuple[int, int]]:
        """The "Q:" or "Question:" that forms put before a question."""
        if len(self.clauses) < 2 or not self.clauses[0].mark.strip().startswith((":", "：")):
            return []
        start, end = self.clauses[0].start, self.clauses[0].end
        token = self.spoken.lexicon.at(self.spoken.folded, start)
        named = token is not None and token.end == end and "line" in token.kinds
        return [(0, 0)] if named or self.spoken.folded[start:end] == "q" else []

    def _instructions(self) -> list[tuple[int, int]]:
        """Sentences after the question that say how to answer: "If there are several, list them all." What they speak
        of stands in no document, and would be searched for."""
        found: list[tuple[int, int]] = []
        wished = {n for wish in self.meant for n in range(wish.first, wish.last + 1)}
        for first in range(1, len(self.clauses)):
            if not ASKS.search(self.clauses[first - 1].mark) and not (found and found[-1][1] == first - 1):
                continue
            last = next((n for n in range(first, len(self.clauses)) if self.clauses[n].stops), first)
            told = last > first and self._opens_with(first, "if") and not ASKS.search(self.clauses[last].mark)
            if told and wished.isdisjoint(range(first, last + 1)):
                found.append((first, last))
        return found

    def _wishes(self) -> list[Wish]:
        """Clauses that can be wishes, with the courtesy after them and the further parts of a list."""
        found: list[Wish] = []
        n = 0
        while n < len(self.clauses):
            if n >= EDGE:
                n = max(n, len(self.clauses) - EDGE)
            last = n
            if commands := self._commands(n, n):
                while not self.clauses[last].parts and self._is_polite(last + 1):
                    last += 1
                if last > n:
                    commands = tuple(replace(c, level=SURE) if c.kind in LOOKS else c for c in commands)
                if commands[-1].kind == "leave_out" and (part := self._last_part(n)):
                    listed = self._commands(n, part)
                    commands, last = (listed, part) if listed else (commands, last)
                found.append(Wish(n, last, commands))
            n = last + 1
        return found

    def _stretches(self) -> list[bool]:
        """For each clause, whether the stretch around it, from full stop or colon to the next, is more than wishes."""
        wished = {n for wish in self.wishes for n in range(wish.first, wish.last + 1)}
        more: list[bool] = []
        stretch: list[bool] = []
        for n, clause in enumerate(self.clauses):
            stretch.append(n not in wished)
            if clause.parts:
                more += [any(stretch)] * len(stretch)
                stretch = []
        return more + [any(stretch)] * len(stretch)

    def _commands(self, first: int, last: int) -> tuple[Command, ...]:
        """What clauses say about the work, if they say nothing else."""
        start, end = self.clauses[first].start, self.clauses[last].end
        known = self.spoken.past(start, end, *SOFT) > start or self.spoken.lexicon.at(self.spoken.folded, start)
        if end - start > LONGEST or not (known or self.spoken.has_tail(start, end)):
            return ()
        commands, unknown = Clauses(self.spoken, 0, start, end).read()
        fit = all(c.kind in (*LOOKS, "leave_out") and c.level >= BESIDE for c in commands)
        return tuple(commands) if fit and not unknown else ()

    def _last_part(self, n: int) -> int:
        """The clause with the last part of a list "prices, taxes and fees" that begins in clause n, or 0."""
        for last in range(n + 1, min(n + PARTS, len(self.clauses))):
            clause = self.clauses[last]
            if self.clauses[last - 1].parts or self._commands(last, last):
                return 0
            if self.spoken.words(clause.start, clause.end) > PART_WORDS:
                return 0
            if self._says(last, last, "and"):
                return last if clause.parts and not ASKS.search(clause.mark) else 0
        return 0

    def _alone(self, wish: Wish) -> bool:
        """Whether a clause is meant as a wish by its own form and place."""
        asks = bool(ASKS.search(self.clauses[wish.last].mark))
        if asks and (not wish.first or self.clauses[wish.first - 1].stops):
            return False  # "In depth?", "Skip lunch?"
        if wish.shape:
            sure = any(command.level == SURE for command in wish.commands if command.kind in LOOKS)
            return sure or (wish.first > 0 and self._asks and not self._asked[wish.first])
        with_and = self._opens_with(wish.first, "and")
        if wish.level >= PLAIN and self._says(wish.first, wish.last, "polite") and not (asks and with_and):
            return True
        if self._is_apart(wish):
            return wish.level == SURE or (wish.level == PLAIN and self._asks)
        return wish.level == SURE and not with_and and (not wish.first or self._follows_a_question(wish))

    def _beside(self, known: Wish, wish: Wish) -> bool:
        """Whether a clause is meant as a wish because it stands beside one."""
        if wish.first != known.last + 1 and wish.last != known.first - 1:
            return False
        if wish.shape:
            after = wish.first > known.first
            return self.clauses[wish.last].parts if after else not wish.first or self.clauses[wish.first - 1].parts
        return wish.level >= PLAIN or wish.first > 0

    def _is_apart(self, wish: Wish) -> bool:
        """Whether more than a comma stands on both sides."""
        return self.clauses[wish.last].parts and (not wish.first or self.clauses[wish.first - 1].parts)

    def _follows_a_question(self, wish: Wish) -> bool:
        """Whether it is the second of a sentence's two clauses, and the first can be a question by itself."""
        second = wish.first < 2 or self.clauses[wish.first - 2].stops
        return second and self.clauses[wish.last].stops and not self._opens_with(wish.first - 1, "if")

    def _is_polite(self, n: int) -> bool:
        if n >= len(self.clauses):
            return False
        tokens = self.spoken.bag(self.clauses[n].start, self.clauses[n].end)
        return bool(tokens) and all("polite" in token.kinds for token in tokens or ())

    def _is_courtesy(self, clause: Clause) -> bool:
        tokens = self.spoken.bag(clause.start, clause.end)
        return tokens is not None and all(not SOFT.isdisjoint(token.kinds) for token in tokens)

    def _opens_with(self, n: int, kind: str) -> bool:
        token = self.spoken.lexicon.at(self.spoken.folded, self.clauses[n].start)
        return token is not None and kind in token.kinds

    def _says(self, first: int, last: int, kind: str) -> bool:
        start, end = self.clauses[first].start, self.clauses[last].end
        places = (start + word.start() for word in re.finditer(r"\S+", self.spoken.folded[start:end]))
        tokens = (self.spoken.lexicon.at(self.spoken.folded, place) for place in places)
        return any(token is not None and kind in token.kinds for token in tokens)

    def _without_join(self, clause: Clause, *, first: bool) -> Clause:
        """The question's first clause without the "and" that held it to a wish."""
        if not first:
            return clause
        start = self.spoken.past(clause.start, clause.end, "and")
        return replace(clause, start=start) if start < clause.end else clause


def clauses_of(masked: str) -> list[Clause]:
    """The text at its marks; quotations stay whole."""
    found: list[Clause] = []
    at = 0
    for mark in DELIMITER.finditer(masked):
        if mark.start() > at:
            found.append(Clause(at, mark.start(), mark[0]))
        at = mark.end()
    return [*found, Clause(at, len(masked), "")] if at < len(masked) else found


def _joined(before: str, after: str) -> str:
    """The mark where a wish stood between two marks: the stronger one, and no comma or bracket of the wish's own."""
    if STOP.search(before):
        return BRACKET.sub("", before)
    if not after or STOP.search(after):
        return BRACKET.sub("", after)
    middle = before if MIDDLE.search(before) else after if MIDDLE.search(after) else " "
    return BRACKET.sub("", middle)
