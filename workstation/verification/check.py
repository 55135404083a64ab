"""The check of a report, from its text alone: against the log, and against the stored versions of what it cites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from workstation.memory.events import Check
from workstation.memory.staleness import stale
from workstation.memory.state import LedgerEntry, ResearchState
from workstation.reading.names import names_in, uncarried_names
from workstation.reading.numbers import uncarried
from workstation.verification import coverage, support
from workstation.verification.blocks import Block, parse
from workstation.verification.failures import Kind, failure, shown
from workstation.verification.ledger import check_list
from workstation.verification.sentences import Sentence, Splitter, sentences
from workstation.verification.stored import Stored, TextOf


@dataclass(frozen=True, slots=True)
class Checked:
    """A sentence of the report with what was found. A cited sentence can be located and still not be supported."""

    text: str
    section: str
    line: int
    numbers: tuple[int, ...]
    is_quotation: bool
    located: bool
    supported: bool
    unverified: bool
    failures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """`check` is what the log keeps. cited, missing and altered are numbers of sources."""

    check: Check
    sentences: tuple[Checked, ...]
    cited: tuple[int, ...]
    missing: tuple[int, ...]
    altered: tuple[int, ...]

    @property
    def ok(self) -> bool:
        return self.check.ok


def check_report(
    report_text: str,
    state: ResearchState,
    text_of: TextOf,
    *,
    file_failures: Iterable[str] = (),
    calculated: Sequence[str] = (),
    split: Splitter | None = None,
) -> Verification:
    """Checks every sentence and every source of a report.

    text_of: (source, version) -> stored text, None when that version is not stored.
    file_failures: what `ledger.check_file` says of sources.json. calculated: texts of logged calculations.
    """
    parsed = parse(report_text, state)
    stored = Stored(state, text_of)
    checked = _check_blocks(parsed.blocks, state, stored, tuple(calculated), split)
    cited = dict(parsed.cited)
    for sentence in checked:
        for number in sentence.numbers:
            cited.setdefault(number, sentence.line)
    entries = [entry for n in cited if (entry := state.entry(n))]
    failures = [
        *check_list(parsed.listed, cited, state),
        *file_failures,
        *_sources(entries, stored),
        *(f for c in checked for f in c.failures),
        *_stale(state),
        *_coverage(checked),
    ]
    return Verification(
        check=_count(checked, failures),
        sentences=checked,
        cited=tuple(cited),
        missing=tuple(x.number for x in entries if stored.missing(x.number)),
        altered=tuple(x.number for x in entries if not stored.missing(x.number) and stored.lost(x.number)),
    )


def check_prose(
    text: str, state: ResearchState, text_of: TextOf, *, calculated: Sequence[str] = (), split: Splitter | None = None
) -> tuple[Checked, ...]:
    """The sentences of a paragraph that is not in a report yet, each checked as it would be there."""
    return _check_blocks(parse(text, state).blocks, state, Stored(state, text_of), tuple(calculated), split)


def _check_blocks(
    blocks: Sequence[Block], state: ResearchState, stored: Stored, calculated: tuple[str, ...], split: Splitter | None
) -> tuple[Checked, ...]:
    found = [(block, s) for block in blocks for s in sentences(block.text, state.language, split)]
    known = names_in([*(n.quote for n in state.notes), *(s.prose for _, s in found)])
    reader = _Reader(state, stored, known, calculated)
    return tuple(reader.read(block, sentence) for block, sentence in found)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Checks one sentence at a time."""

    state: ResearchState
    stored: Stored
    known: frozenset[str]
    calculated: tuple[str, ...]

    def read(self, block: Block, sentence: Sentence) -> Checked:
        numbers = [n for n in sentence.numbers if self.state.entry(n) is not None]
        failures = list(self._quotes(sentence, numbers)) if numbers else []
        evidence = [quote for n in numbers for quote in self.stored.evidence(n)]
        located = bool(numbers) and not failures and (bool(sentence.quotes) or all(map(self.stored.evidence, numbers)))
        if numbers and not sentence.is_quotation and not sentence.unverified:
            failures += self._prose(sentence, evidence if failures else [*evidence, *sentence.quotes], numbers)
        return Checked(
            text=sentence.text,
            section=block.section,
            line=block.line,
            numbers=sentence.numbers,
            is_quotation=sentence.is_quotation,
            located=located and len(numbers) == len(sentence.numbers),
            supported=located and not failures and self._supported(sentence, evidence, numbers),
            unverified=sentence.unverified,
            failures=tuple(f"{f} (line {block.line})" for f in failures),
        )

    def _quotes(self, sentence: Sentence, numbers: list[int]) -> Iterator[str]:
        """Each quotation must stand in one of the cited sources."""
        for quote in sentence.quotes:
            if not any(self.stored.holds(n, quote) for n in numbers):
                yield failure(Kind.QUOTE, f"“{shown(quote)}” {_cited(numbers)}")

    def _prose(self, sentence: Sentence, evidence: list[str], numbers: list[int]) -> Iterator[str]:
        """Figures and names must stand in the quotes; a title or heading may name what its quotes speak of."""
        for value in uncarried(sentence.prose, [*evidence, *self.calculated]):
            yield failure(Kind.VALUE, f"{value} {_cited(numbers)} in: {shown(sentence.text)}")
        titles = [text for n in numbers for text in self._titles(n)]
        language = self.state.language
        for name in uncarried_names(sentence.prose, [*evidence, *titles, *self.calculated], language, self.known):
            yield failure(Kind.NAME, f"{name} {_cited(numbers)} in: {shown(sentence.text)}")

    def _titles(self, number: int) -> Iterator[str]:
        entry = self.state.entry(number)
        if entry is not None:
            yield entry.title
            yield from (place.heading for place in entry.places if place.heading)

    def _supported(self, sentence: Sentence, evidence: list[str], numbers: list[int]) -> bool:
        if sentence.is_quotation:
            return True
        return support.supported(sentence.text, [*evidence, *sentence.quotes], self.state.language, len(numbers))


def _sources(entries: Iterable[LedgerEntry], stored: Stored) -> Iterator[str]:
    for entry in entries:
        if stored.missing(entry.number):
            yield failure(Kind.MISSING, f"[{entry.number}] {shown(entry.title)}")
        elif lost := stored.lost(entry.number):
            yield failure(
                Kind.ALTERED, f"[{entry.number}] {shown(entry.title)}: not where it was noted: “{shown(lost[0].quote)}”"
            )


def _stale(state: ResearchState) -> Iterator[str]:
    """What was written from evidence that a person rejected or corrected since is not checked, whatever it quotes."""
    if outdated := stale(state).paragraphs:
        count = f"{len(outdated)} of {len(state.paragraphs)} paragraphs rest on what was rejected or corrected"
        yield failure(Kind.STALE, f"{count}; they are written again by: flori continue FOLDER")


def _coverage(checked: Sequence[Checked]) -> Iterator[str]:
    covered = sum(bool(c.numbers) or c.unverified for c in checked)
    if not coverage.enough(covered, len(checked)):
        yield failure(Kind.COVERAGE, f"{covered} of {len(checked)} carry a citation or are marked unverified")


def _count(checked: Sequence[Checked], failures: Iterable[str]) -> Check:
    return Check(
        sentences=len(checked),
        cited=sum(bool(c.numbers) for c in checked),
        located=sum(c.located for c in checked),
        supported=sum(c.supported for c in checked),
        unverified=sum(c.unverified for c in checked),
        failures=tuple(dict.fromkeys(failures)),
    )


def _cited(numbers: Iterable[int]) -> str:
    return "[" + ", ".join(map(str, numbers)) + "]"
