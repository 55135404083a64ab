"""Which other sources answer a question differently, read from figures, names and denials: without a model.

A source speaks against an answer when its sentences that answer the same question state another value of the kind that
is asked for, another name, or a denial where the answer affirms. One that states the answer's own value anywhere in
those sentences agrees with it, whatever else it says.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from workstation.evidence.spans import Span
from workstation.memory.events import DisagreementKind
from workstation.reading.expected import Amount, amounts, expected, fits, holds, stem, times
from workstation.reading.names import folded, names_of
from workstation.reading.words import words_of
from workstation.retrieval.lexical import query_terms

# Measured on tests/data/dissent (its dev half), with multilingual-e5-small.
SHARE = 0.5  # of the best sentence's score that one must reach to be read as an answer to the same question
DENIAL_WORDS = 0.5  # of the question's telling words, that a denial must repeat: a "not" alone denies nothing of it
DEED = 0.15  # what a sentence gains for a word of the question that is no name
NAMES_UNMARKED = frozenset({"de", "lb", "zh", "ja", "ko", "th", "ar", "fa", "he", "hi"})
MOST_WEAK = (
    3  # figures in a sentence that names neither the unit nor what is counted: a list of numbers answers nothing
)


@dataclass(frozen=True, slots=True)
class Against:
    """A sentence that speaks against another one, and how."""

    span: Span
    kind: DisagreementKind


@dataclass(frozen=True, slots=True)
class Dated:
    """When a source is from, as far as it says so (ISO 8601, or its beginning), and what it is called."""

    date: str | None
    title: str


class Comparison:
    """One question and the sentences that may answer it, best first. text_of: the whole text of a sentence's source."""

    def __init__(self, question: str, language: str, found: Sequence[Span], text_of: Callable[[Span], str]) -> None:
        self._text_of = text_of
        self._question, self._language = question, language
        self._wanted = expected(question, language)
        self._names = frozenset(names_of(question, language))
        words = {stem(w) for w in query_terms(question, language)}
        self._words = words
        self._deed = words - {stem(name) for name in self._names}
        top = max((span.score for span in found), default=0.0)
        self._found = [span for span in found if span.score >= SHARE * top]

    def reference(self, leads: Callable[[Span], bool] = lambda span: False) -> Span | None:
        """The best sentence that holds the kind of answer that is asked for, or the best one where no kind is; before
        all others one that `leads` the answer which is given."""
        answers = [span for span in self._found if self._wanted is None or self._answers(span)]
        return max(answers, key=lambda span: (leads(span), self._closeness(span)), default=None)

    def against(self, reference: Span) -> Iterator[Against]:
        """What speaks against `reference`, at most one sentence a source."""
        by_source: dict[int, list[Span]] = {}
        for span in self._found:
            by_source.setdefault(span.candidate.passage.source, []).append(span)
        by_source.pop(reference.candidate.passage.source, None)
        subject = self._subject(reference)
        for spans in by_source.values():
            if not self._speaks_of(subject, spans[0]):
                continue
            chosen = self._other_answer(reference, spans) or self._denial(reference, spans)
            if chosen:
                yield chosen

    def beside(self, reference: Span, known: Collection[int]) -> Iterator[Span]:
        """What other sources say that touches the question, best first, one sentence a source: those that speak of the
        same and are not `known`. Whether they agree is for the reader to see."""
        subject, seen = self._subject(reference), {reference.candidate.passage.source, *known}
        for span in sorted(self._found, key=self._closeness, reverse=True):
            source = span.candidate.passage.source
            if source not in seen and self._speaks_of(subject, span):
                seen.add(source)
                yield span

    def _other_answer(self, reference: Span, spans: Sequence[Span]) -> Against | None:
        """The closest of the answers, when none of them is the reference's own."""
        if self._wanted is None or not self._answers(reference):
            return None
        answers, said = [span for span in spans if self._answers(span)], self._said(reference)
        others = [(span, other) for span in answers if (other := _comparable(self._said(span), said))]
        if not others or any(_equal(a, b) for _, other in others for a in said for b in other):
            return None
        closest = max((span for span, _ in others), key=self._closeness)
        return Against(closest, "other_figure" if self._wanted.kind in ("date", "quantity") else "other_name")

    def _denial(self, reference: Span, spans: Sequence[Span]) -> Against | None:
        if self._denies(reference):
            return None
        needed = DENIAL_WORDS * len(self._words)
        return next((Against(s, "denial") for s in spans if self._denies(s) and len(self._shared(s)) >= needed), None)

    def _answers(self, span: Span) -> bool:
        """Whether a sentence holds the kind of answer that is asked for. Dates and names stand in every second
        sentence: one that answers speaks of what was done as well."""
        wanted, language = self._wanted, span.candidate.passage.language
        if wanted is None or not holds(span.quote, wanted, self._question, language):
            return False
        if wanted.kind == "quantity":
            said = amounts(span.quote, wanted, language)
            return fits(span.quote, wanted, language) or len(said) <= MOST_WEAK
        return bool(self._shared(span) & self._deed) or language != self._language

    def _said(self, span: Span) -> frozenset[object]:
        """What the sentence answers, without what the question says itself."""
        wanted, language = self._wanted, span.candidate.passage.language
        assert wanted is not None
        if wanted.kind == "date":
            return frozenset(times(span.quote, language)) - frozenset(times(self._question, self._language))
        if wanted.kind == "quantity":
            asked = amounts(self._question, wanted, self._language)
            return frozenset(amounts(span.quote, wanted, language)) - frozenset(asked)
        return frozenset(names_of(span.quote, language)) - self._names

    def _subject(self, reference: Span) -> set[str]:
        """What another source must speak of as well: the question's names. Where they cannot be told by a capital
        letter, its words that are in the title of the reference's source."""
        if self._names or self._language not in NAMES_UNMARKED:
            return {stem(name) for name in self._names}
        title = query_terms(reference.candidate.passage.title, self._language)
        return {folded(word) for word in self._words & {stem(w) for w in title}}

    def _speaks_of(self, subject: set[str], span: Span) -> bool:
        """Whether a sentence's source names the subject, or the better half of it: "Vashlin" is Teodor Vashlin."""
        text = folded(self._text_of(span))
        return 2 * sum(word in text for word in subject) >= len(subject)

    def _closeness(self, span: Span) -> float:
        """How well a sentence answers: its score, and more for each word of what was done or asked for."""
        return span.score * (1 + DEED * len(self._shared(span) & self._deed))

    def _shared(self, span: Span) -> set[str]:
        return self._words & {stem(w) for w in query_terms(span.quote, span.candidate.passage.language)}

    def _denies(self, span: Span) -> bool:
        return words_of(span.candidate.passage.language).denial.search(span.quote) is not None


def aged(kind: DisagreementKind, lead: Dated, other: Dated, language: str) -> DisagreementKind:
    """older_version or newer_version where both are dated and their titles say that they are about one thing."""
    if not lead.date or not other.date or lead.date == other.date:
        return kind
    one, two = (set(query_terms(d.title, language)) for d in (lead, other))
    if 2 * len(one & two) < max(len(one), len(two), 1):
        return kind
    return "older_version" if other.date < lead.date else "newer_version"


def _comparable(found: frozenset[object], said: frozenset[object]) -> frozenset[object]:
    """Without values in units that the other statement does not use: metres say nothing about minutes."""
    units = {value.unit for value in said if isinstance(value, Amount)}
    return frozenset(v for v in found if not isinstance(v, Amount) or v.unit in units)


def _equal(one: object, other: object) -> bool:
    if isinstance(one, Amount) and isinstance(other, Amount):
        return one.equals(other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return one[0] == other[0] and all(not a or not b or a & b for a, b in zip(one[1:], other[1:], strict=True))
    return one == other
