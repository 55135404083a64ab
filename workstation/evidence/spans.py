"""The shortest verbatim spans that carry an answer: sentences, chosen by late interaction inside their passages.

A sentence is read with its passage: its tokens' vectors come from the pass over the whole passage, and its score is how
well it matches plus how well its passage does. (Counting the question's words that stand in it as well made it worse.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from storage.records import Locator
from workstation.reading.expected import expected, holds
from workstation.retrieval.candidates import Candidate, PassageTokens, Query
from workstation.retrieval.late_interaction import match, max_sim

SentenceSplitter = Callable[[str, str], Sequence[tuple[int, int]]]

# Measured with multilingual-e5-small on XQuAD (582 questions, 48 articles) and SQuAD 2.0 (300 answerable, 16 articles).
# A quote that scores far below the lead is about something else. Answers in any of the quotes, and quotes an answer, at
# .8: .990, 3.8 | .977, 4.4. (With the question's own words in the score: no cut .990, 5.0; .8 .986, 3.6; .9 .959, 2.0.)
QUOTE_SHARE = 0.8
# Where other versions of an answer are looked for, more is read: figures, names and denials tell what they say.
WIDE_SHARE = 0.5
# What a sentence gains that says a date or a quantity where one is asked for. Answers in the lead, XQuAD, 0, .05, .08,
# .12: .919, .928, .928, .926; SQuAD 2.0: .903, .903, .907, .903. (Names where persons or places are asked for gained
# nothing.)
FITTING = 0.08
# The lead quote takes in the sentence beside it when that one scores almost the same: an answer often stands in the
# sentence after the one that names its subject. Answers in the lead, and words a quote, XQuAD, share and most words:
# .88, 80 .909, 31; .85, 80 .911, 32; .82, 80 .911, 33; .85, 100 .919, 33. SQuAD 2.0: .903 at each of them.
JOIN_SHARE = 0.85
JOIN_WORDS = 100


@dataclass(frozen=True, slots=True)
class Span:
    """A verbatim quote: `quote` equals the source text at locator.start:locator.end."""

    candidate: Candidate
    quote: str
    locator: Locator
    score: float


@dataclass(frozen=True, slots=True)
class _Sentence:
    candidate: Candidate
    place: int  # its number among the sentences of its passage
    start: int
    end: int
    score: float


def find_spans(
    query: Query,
    candidates: Sequence[Candidate],
    tokens: dict[int, PassageTokens],
    split: SentenceSplitter,
    most: int,
    share: float = QUOTE_SHARE,
) -> list[Span]:
    """The best `most` spans of `candidates` for a question, best first; headings are never quoted. share: of the
    lead's score that the others must reach."""
    found = [s for c in candidates for s in _sentences(query, c, tokens[c.passage.id], split)]
    ranked = sorted(found, key=lambda s: -s.score)
    if not ranked:
        return []
    lead = _joined(ranked[0], found)
    rest = [s for s in ranked if s not in lead and s.score >= share * ranked[0].score]
    return [_span(lead), *(_span([s]) for s in rest[: most - 1])]


def _sentences(
    query: Query, candidate: Candidate, tokens: PassageTokens, split: SentenceSplitter
) -> Iterator[_Sentence]:
    text = candidate.passage.text
    wanted = expected(query.text, query.language)
    wanted = wanted if wanted and wanted.kind in ("date", "quantity") else None
    for place, (start, end) in enumerate(split(text, candidate.passage.language)):
        if is_heading(text[start:end]):
            continue
        inside = tokens.between(start, end)
        own = match(max_sim(query.tokens, query.weights, inside.vectors), query.weights)
        fits = wanted and holds(text[start:end], wanted, query.text, candidate.passage.language)
        yield _Sentence(candidate, place, start, end, own + (candidate.match or 0.0) + (FITTING if fits else 0.0))


def is_heading(sentence: str) -> bool:
    """A Markdown heading line names what follows; it claims nothing."""
    return sentence.lstrip().startswith("#") and "\n" not in sentence.strip()


def _joined(best: _Sentence, sentences: Sequence[_Sentence]) -> list[_Sentence]:
    """The best sentence, with the better of its neighbours when that one scores nearly as much."""
    beside = [
        s
        for s in sentences
        if s.candidate is best.candidate
        and abs(s.place - best.place) == 1
        and s.score >= JOIN_SHARE * best.score
        and len(s.candidate.passage.text[min(s.start, best.start) : max(s.end, best.end)].split()) <= JOIN_WORDS
    ]
    return sorted([best, *([max(beside, key=lambda s: s.score)] if beside else [])], key=lambda s: s.start)


def _span(sentences: Sequence[_Sentence]) -> Span:
    candidate, start, end = sentences[0].candidate, sentences[0].start, sentences[-1].end
    passage = candidate.passage
    return Span(candidate, passage.text[start:end], passage.place(start, end), max(s.score for s in sentences))
