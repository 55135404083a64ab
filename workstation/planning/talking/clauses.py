"""One line of text read in one language, clause by clause: what is commanded, and what is not understood."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cache

from workstation.planning.talking.closed import (
    BARRIER,
    LINES_OF,
    MOST_LINES,
    NUMBERS,
    Command,
    closed,
    unique,
    verb_first,
)
from workstation.planning.talking.spans import QUOTES, SOFT, Spoken
from workstation.planning.talking.words import BESIDE, PLAIN, SURE, Form, Lexicon, Token

TOPICS = {"add": "cover", "leave": "leave_out", "cut": "leave_out"}
TOO_WORDS = 4  # "Moldova too" adds Moldova; "I think that this is fine too" adds nothing
LONGEST = 300  # characters of a topic, or of a line's new words
REACH = 8  # clauses in which the tail of "leave ... out" is looked for
HARD = r"[;!?](?=\s|$)|[؛؟；！？。]|(?<=[^\W\d]{3})\.(?=\s|$)"
WEAK = r",(?=\s|$)|[，،…()（）\[\]—]|\.(?=\s|$)|(?<=\D\s)[-–](?=\s)|(?<=\s)[-–](?=\s\D)"
LISTED = "、"  # stands between the parts of a list, as "and" does
CLOSING = '?!…？！؟)）"”»」』'
COUNTED = re.compile(r"(?<!\S)\d{1,2}(?!\S)")  # a line's number, which weak forms cannot have in a topic
ASKED = re.compile(r"\s?[?？؟]")
COLON = re.compile(r"\s*[:：]\s*")
POINT = re.compile(r"[.)]\s+|\s+[-–—]\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch between two joints; before it stands a full stop or nothing (`hard`), or "and" (`joined`)."""

    start: int
    end: int
    hard: bool
    joined: bool


Open = tuple[Command, int]  # a command with words of its own, and the piece after it


class Clauses:
    """A text, from `start` to `end`, in one language; `lines` is how many lines the plan has, 0 if unknown."""

    def __init__(self, spoken: Spoken, lines: int = 0, start: int = 0, end: int | None = None) -> None:
        self.spoken, self.folded, self.lexicon, self.lines = spoken, spoken.folded, spoken.lexicon, lines
        self.end = len(self.folded) if end is None else end
        self.pieces = self._pieces(start)
        count = len(self.pieces)
        self.bags = [self.spoken.bag(piece.start, piece.end) for piece in self.pieces]
        self.closed = [self._closed(n) for n in range(count)]
        self._ends = [self.spoken.trimmed(piece.start, piece.end, self.lexicon.trails) for piece in self.pieces]
        self.opened: list[Open | None] = [None] * count
        self._stops = [count] * count  # the piece before which a topic ends that begins in this one
        for n in reversed(range(count)):
            if n + 1 < count:
                stopped = self.pieces[n + 1].hard or self._begins(n + 1)
                self._stops[n] = n + 1 if stopped else self._stops[n + 1]
            if self.closed[n] is None:
                self.opened[n] = self._reworded(n) or self._headed(n) or self._tailed(n)
            elif self._only_numbers(n):
                self.opened[n] = self._reworded(n)

    def read(self) -> tuple[list[Command], list[tuple[int, int]]]:
        """The commands in order, and the spans that were not understood."""
        found: list[Command] = []
        unknown: list[tuple[int, int]] = []  # pieces: first, and after the last
        n = 0
        while n < len(self.pieces):
            after, commands = self._next(n)
            if commands and commands[0].kind == NUMBERS:
                if found and found[-1].kind in LINES_OF and not self.pieces[n].hard:
                    found[-1] = replace(found[-1], numbers=unique(found[-1].numbers + commands[0].numbers))
                    commands = ()
                else:
                    commands = None
            if commands is None:
                adjoins = bool(unknown) and unknown[-1][1] == n
                unknown[-1 if adjoins else len(unknown) :] = [(unknown[-1][0] if adjoins else n, after)]
            else:
                found += [self._reached_back(command, n, unknown) for command in commands]
            n = after
        return found, [self._span(first, after) for first, after in unknown]

    def _next(self, n: int) -> tuple[int, tuple[Command, ...] | None]:
        """What begins with piece n, or None if it is not understood; and the piece after it."""
        if opened := self.opened[n]:
            return opened[1], (opened[0],)
        group, commands, after = self.bags[n], self.closed[n], n + 1
        if not group or not commands:
            return after, commands
        kind = commands[0].kind
        takes = kind in LINES_OF and verb_first(group)  # "drop 2, 4": numbers may follow; "2 and 4 weg": a verb may
        while after < min(len(self.pieces), n + MOST_LINES) and not self.pieces[after].hard:
            more, said = self.bags[after], self.closed[after]
            if not more or not said or self.opened[after]:
                break
            waits = kind == NUMBERS and said[0].kind in (NUMBERS, *LINES_OF)
            if not waits and not (takes and said[0].kind == NUMBERS):
                break
            kind = said[0].kind if waits else kind
            group, after = [*group, BARRIER, *more], after + 1
        commands = closed(group, self.lines) if after > n + 1 else commands
        alone = commands and commands[0].kind == "merge" and len(commands[0].numbers) < 2
        return after, None if alone else commands

    def _pieces(self, start: int) -> list[Piece]:
        found: list[Piece] = []
        hard, joined, at = True, False, start
        matches = joints(self.lexicon).finditer(self.spoken.masked, start, self.end)
        ends = [(m.start(), m.end(), m["hard"], m["join"]) for m in matches if m["unbroken"] is None]
        for stop, next_at, is_hard, is_join in [*ends, (self.end, self.end, None, None)]:
            if self.spoken.says_something(at, stop):
                text = self.folded[at:stop]
                begin = at + len(text) - len(text.lstrip())
                found.append(Piece(begin, begin + len(text.strip()), hard, joined))
                hard = joined = False
            hard, joined, at = hard or is_hard is not None, joined or is_join is not None, next_at
        return found

    def _closed(self, n: int) -> tuple[Command, ...] | None:
        """What the piece says in known words; "should I start?" approves nothing, "can we start?" does."""
        bag = self.bags[n]
        said = None if bag is None else closed(bag, self.lines)
        asks = ASKED.match(self.folded, self.pieces[n].end) and not any("polite" in token.kinds for token in bag or ())
        return None if asks and said and any(command.kind == "approve" for command in said) else said

    def _only_numbers(self, n: int) -> bool:
        said = self.closed[n]
        return bool(said) and said is not None and said[0].kind == NUMBERS

    def _begins(self, n: int) -> bool:
        """Whether piece n begins something else, and is no more of the topic before it."""
        if opened := self.opened[n]:
            return opened[0].level != BESIDE or not self.pieces[n].joined
        said = self.closed[n]
        return (
            bool(said)
            and said is not None
            and not self._only_numbers(n)
            and (not self.pieces[n].joined or said[0].level == SURE)
        )

    def _headed(self, n: int) -> Open | None:
        """A topic with words before it: "also cover Moldova and Ukraine", "leave prices out"."""
        heads: list[Token] = []
        for token in self.lexicon.tokens(self.folded, self.pieces[n].start, self.pieces[n].end):
            if token is None:
                break
            if token.forms:
                heads.append(token)
            if SOFT.isdisjoint(token.kinds):
                break
        for head in reversed(heads):
            for form in sorted(head.forms, key=lambda form: -len(form.tail)):
                if found := self._topic(n, self.spoken.past(head.end, self.end, "polite", "too"), form):
                    return found
        return None

    def _topic(self, n: int, start: int, form: Form) -> Open | None:
        if not form.tail:
            return self._named(form, start, self.pieces[self._stops[n] - 1].end, self._stops[n])
        for last in range(n, min(n + REACH, len(self.pieces))):
            if last > n and self.pieces[last].hard:
                break
            if self.spoken.ends_with(form.tail, start, self._ends[last]):
                return self._named(form, start, self._ends[last] - len(form.tail), last + 1)
        return None

    def _tailed(self, n: int) -> Open | None:
        """A topic with words after it: "Preise weglassen", "Moldova too"."""
        start = self._courtesy(n)
        end = self._ends[n]
        for tail, form in self.lexicon.tails:
            counted = form.kind in ("cut", "leave") and COUNTED.search(self.folded, start, end)
            if not counted and self.spoken.ends_with(tail, start, end):
                named = self._rewritten if form.kind == "rewrite" else self._named
                if found := named(form, start, end - len(tail), n + 1):
                    return found
        for too in self.lexicon.too:
            if self.spoken.ends_with(too, start, self.pieces[n].end) and self.spoken.words(start, end) <= TOO_WORDS:
                return self._named(Form("add", PLAIN), start, end, n + 1)
        return None

    def _courtesy(self, n: int) -> int:
        return self.spoken.past(self.pieces[n].start, self.pieces[n].end, "polite", "too", "and")

    def _named(self, form: Form, start: int, end: int, after: int) -> Open | None:
        counted = form.level == BESIDE and COUNTED.search(self.folded, start, end)
        if end - start > LONGEST or counted:
            return None
        trails = self.lexicon.trails + self.lexicon.particles
        start, end = self.spoken.whole(start, self.spoken.trimmed(start, end, trails))
        if form.kind not in TOPICS or not self.spoken.is_topic(start, end, of_lines=form.kind != "add"):
            return None
        return Command(TOPICS[form.kind], form.level, text=(start, end)), after

    def _reworded(self, n: int) -> Open | None:
        """A line's number and its new words: "change 2 to: When did it end?", "2: When did it end?"."""
        line, changes, place = 0, False, self.pieces[n].start
        for token in self.lexicon.tokens(self.folded, place, self.pieces[n].end):
            if token is None or (line and COLON.search(self.folded, place, token.start)):
                break
            if line and "to" in token.kinds and (changes or token.kinds["to"] == SURE):
                return self._words(n, line, self.spoken.past(token.end, self.end), "to")
            if not line and len(token.numbers) == 1:
                line = token.numbers[0]
            elif "change" in token.kinds:
                changes = True
            elif SOFT.isdisjoint(token.kinds):
                break
            place = token.end
        if line and (colon := COLON.match(self.folded, place)):
            return self._words(n, line, colon.end(), "to" if changes else ":")
        if line and (point := POINT.match(self.folded, place)):
            return self._words(n, line, point.end(), ".")
        return None

    def _rewritten(self, form: Form, start: int, end: int, after: int) -> Open | None:
        """A line's new words between its number and the verb: "2を「…」に変更して"."""
        number = self.lexicon.at(self.folded, start)
        if number is None or len(number.numbers) != 1 or not self._is_line(number.numbers[0]):
            return None
        words = self.spoken.past(number.end, end, "line")
        particle = self.lexicon.at(self.folded, words)
        start, end = self.spoken.whole(particle.end if particle and "particle" in particle.kinds else words, end)
        told = self.spoken.says_something(start, end) and particle is not None
        return (Command("reword", SURE, number.numbers, (start, end)), after) if told else None

    def _is_line(self, number: int) -> bool:
        return 1 <= number <= (self.lines or MOST_LINES)

    def _words(self, n: int, line: int, start: int, mark: str) -> Open | None:
        """A line's new words: to the closing quotation mark, the question mark, or the next command. After "to" they
        may be any, after a colon several, after "2." only a question."""
        reach = min(self.end, start + LONGEST)
        close = QUOTES.get(self.folded[start : start + 1], "")
        stop = re.compile(f"[{close}]" if close else "[?？؟;；]").search(self.folded, start + 1, reach)
        if close and stop:
            span, after = (start + 1, stop.start()), self._piece_at(stop.end())
        elif stop and stop[0] not in ";；":
            span, after = (start, stop.end()), self._piece_at(stop.end())
        else:
            after = self._stops[n]
            span = (start, self.spoken.trimmed(start, self.pieces[after - 1].end, self.lexicon.polite))
        asks = self.folded[span[1] - 1] in "?？؟"
        several = asks or bool(close) or self.spoken.words(*span) > 1
        if not self._is_line(line) or span[1] - span[0] > LONGEST or not self.spoken.says_something(*span):
            return None
        fits = mark == "to" or (several if mark == ":" else asks)
        return (Command("reword", SURE, (line,), span), after) if fits else None

    def _piece_at(self, place: int) -> int:
        return bisect_left(self.pieces, place, key=lambda piece: piece.start)

    def _reached_back(self, command: Command, n: int, unknown: list[tuple[int, int]]) -> Command:
        """The whole topic where the words for it come last: "Preise und Steuern weglassen"."""
        if not command.text[1] or command.text[0] != self._courtesy(n) or not unknown or unknown[-1][1] != n:
            return command
        first, start = unknown.pop()[0], n
        while start > first and self.pieces[start].joined:
            start -= 1
        if first < start:
            unknown.append((first, start))
        return replace(command, text=(self._courtesy(start), command.text[1]))

    def _span(self, first: int, after: int) -> tuple[int, int]:
        end = self.pieces[after - 1].end
        while end < self.end and self.folded[end] in CLOSING:
            end += 1
        return self.pieces[first].start, end


@cache
def joints(lexicon: Lexicon) -> re.Pattern[str]:
    """What stands between clauses in a language, and the phrases that contain such a word ("short and sweet")."""
    unbroken = lexicon.unbroken or "(?!)"
    return re.compile(rf"(?P<unbroken>{unbroken})|(?P<hard>{HARD})|(?P<join>{LISTED}|{lexicon.joint})|{WEAK}")
