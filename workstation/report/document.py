"""What a report says, in reading order and without any markup of its own: made from the state, rendered elsewhere."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from workstation.memory.events import Check, Format
from workstation.memory.staleness import stale
from workstation.memory.state import LedgerEntry, Need, Paragraph, ResearchState
from workstation.report.catalogue import phrase
from workstation.report.cite import numbers_in

KEY_POINTS = 7  # a brief has a bottom line and five to seven points

# A line of # or an underline of = or - makes a heading, < starts HTML.
_NO_PROSE = re.compile(r"^( {0,3})(?=#|(?:=+|-+)[ \t]*$)|(?<!\\)(?=<[a-zA-Z/!?])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found for one sub-question of the plan; `number` is its place in the plan, from 1."""

    number: int
    question: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A sub-question that is not fully answered, and why."""

    question: str
    reason: str


@dataclass(frozen=True, slots=True)
class Document:
    """Paragraphs are Markdown, written by the writer; all else is plain text. `statement` speaks of the run itself;
    `compared` are the things that a comparison is about, each with the first thing that is said of it. outdated: how
    many paragraphs rest on evidence that was changed since, and `stale` the blocks with which these begin, each behind
    its section, or its finding's question."""

    format: Format
    language: str
    title: str
    question: str
    answer: tuple[str, ...]
    statement: str
    compared: tuple[tuple[str, str], ...]
    findings: tuple[Finding, ...]
    disagreements: tuple[str, ...]
    unsettled: tuple[Unsettled, ...]
    unsettled_paragraphs: tuple[str, ...]
    check: Check | None
    cited: tuple[LedgerEntry, ...]
    uncited: tuple[LedgerEntry, ...]
    outdated: int = 0
    stale: frozenset[tuple[str, str]] = frozenset()


def document(state: ResearchState) -> Document:
    """The report of a run as far as it has come."""
    answer, findings, open_ends = _texts(state, "answer"), _findings(state), _texts(state, "unsettled")
    disagreements = _texts(state, "disagreement")
    found = key_points(findings) if state.format == "brief" else tuple(p for f in findings for p in f.paragraphs)
    cited = {n for p in (*answer, *found, *disagreements, *open_ends) for n in numbers_in(p)}
    outdated = stale(state).paragraphs
    ledger = sorted(state.ledger, key=lambda entry: entry.number)
    return Document(
        format=state.format,
        language=state.language,
        title=state.title or state.restated or state.question,
        question=state.restated or state.question,
        answer=answer,
        statement=_statement(state),
        compared=_compared(state) if state.format == "comparison" else (),
        findings=findings,
        disagreements=disagreements,
        unsettled=_unsettled(state),
        unsettled_paragraphs=open_ends,
        check=state.check,
        cited=tuple(x for x in ledger if x.number in cited),
        uncited=tuple(x for x in ledger if x.number not in cited),
        outdated=len(outdated),
        stale=frozenset(_beginnings(state, outdated)),
    )


def _beginnings(state: ResearchState, paragraphs: Container[str]) -> Iterator[tuple[str, str]]:
    questions = {n.question.id: n.question.text for n in state.needs}
    for paragraph in (p for p in state.paragraphs if p.id in paragraphs):
        place = questions.get(paragraph.need, "") if paragraph.section == "finding" else paragraph.section
        yield from ((place, block) for block in _blocks([paragraph])[:1])


def key_points(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """A brief's points: the first paragraph of each finding, then the second ones while there is room."""
    deepest = max((len(f.paragraphs) for f in findings), default=0)
    points = [f.paragraphs[i] for i in range(deepest) for f in findings if i < len(f.paragraphs)]
    return tuple(points[:KEY_POINTS])


def _compared(state: ResearchState) -> tuple[tuple[str, str], ...]:
    options = [(n.question.option, _texts(state, "finding", n.question.id)) for n in state.needs if n.question.option]
    return tuple((name, texts[0]) for name, texts in options if texts)


def _texts(state: ResearchState, section: str, need: str | None = None) -> tuple[str, ...]:
    """The blocks of a section's paragraphs; a paragraph may hold several."""
    return _blocks(p for p in state.paragraphs if p.section == section and need in (None, p.need))


def _blocks(paragraphs: Iterable[Paragraph]) -> tuple[str, ...]:
    return tuple(_as_prose(b.strip()) for p in paragraphs for b in p.text.split("\n\n") if b.strip())


def _as_prose(block: str) -> str:
    """A writer's block without anything that would make it a heading or HTML."""
    return _NO_PROSE.sub(r"\1\\", block)


def _findings(state: ResearchState) -> tuple[Finding, ...]:
    known = {n.question.id for n in state.needs}
    loose = Finding(0, "", _blocks(p for p in state.paragraphs if p.section == "finding" and p.need not in known))
    numbered = enumerate(state.needs, start=1)
    found = (Finding(i, n.question.text, _texts(state, "finding", n.question.id)) for i, n in numbered)
    return tuple(f for f in (loose, *found) if f.paragraphs)


def _unsettled(state: ResearchState) -> tuple[Unsettled, ...]:
    return tuple(Unsettled(n.question.text, _reason(n, state)) for n in state.needs if n.status != "answered")


def _reason(need: Need, state: ResearchState) -> str:
    if need.status == "open":
        return phrase("stopped" if state.enough else "not_reached", state.language)
    return phrase(need.cause, state.language) if need.cause else need.reason or need.status


def _statement(state: ResearchState) -> str:
    facts = state.facts()
    if not facts and _texts(state, "answer"):
        return ""
    if facts:
        answered = sum(n.status == "answered" for n in state.needs)
        sources = len({entry.voice for n in facts if (entry := state.entry(n.number))})
        return phrase("confidence", state.language, answered, len(state.needs), len(facts), sources)
    return phrase("nothing_found" if state.ended else "no_answer_yet", state.language)
