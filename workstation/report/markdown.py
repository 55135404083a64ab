"""report.md: a document as Markdown. Verification reads this text back, so each piece has one shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workstation.memory.events import Check
from workstation.memory.state import ResearchState
from workstation.report.catalogue import heading, phrase
from workstation.report.cite import escape, flat
from workstation.report.document import Document, document, key_points
from workstation.report.sources import source_line


def render_report(state: ResearchState) -> str:
    """The text of report.md for a state, in the format that was asked for."""
    return render(document(state))


def render(doc: Document) -> str:
    return "\n\n".join(block for block in _blocks(doc) if block) + "\n"


def verdict(check: Check, language: str) -> str:
    """The printed line: 52 sentences: 41 cited, 41 located, 38 supported, 3 marked unverified"""
    counts = (check.sentences, check.cited, check.located, check.supported, check.unverified)
    return phrase("verdict", language, *counts)


def unsettled_lines(doc: Document) -> list[str]:
    """What could not be settled, a list item each: words about the run, not claims about the world."""
    return [f"- {escape(u.question)} — {escape(u.reason)}" for u in doc.unsettled]


def _blocks(doc: Document) -> Iterator[str]:
    yield f"# {escape(doc.title)}"
    yield f"> {escape(doc.question)}"
    yield from _outdated(doc)
    yield f"## {heading('answer', doc.language)}"
    yield from _marked(doc, doc.answer, "answer")
    yield doc.statement
    yield from _table(doc)
    yield from _points(doc) if doc.format == "brief" else _findings(doc)
    if doc.disagreements:
        yield f"## {heading('disagreements', doc.language)}"
        yield from _marked(doc, doc.disagreements, "disagreement")
    if doc.unsettled or doc.unsettled_paragraphs:
        yield f"## {heading('unsettled', doc.language)}"
        yield from _marked(doc, doc.unsettled_paragraphs, "unsettled")
        yield "\n".join(unsettled_lines(doc))
    yield f"## {heading('verification', doc.language)}"
    yield from _verification(doc)
    yield f"## {heading('sources', doc.language)}"
    yield "\n".join(f"- {source_line(entry, doc.language)}" for entry in doc.cited)
    if doc.uncited:
        yield f"### {heading('uncited', doc.language)}"
        yield "\n".join(f"- {source_line(entry, doc.language)}" for entry in doc.uncited)


def _outdated(doc: Document) -> Iterator[str]:
    """That a part of the report does not hold as it is, and how many paragraphs that are."""
    if doc.outdated:
        yield phrase("stale_report", doc.language, doc.outdated)


def _marked(doc: Document, blocks: Iterable[str], *places: str) -> Iterator[str]:
    """The blocks of a section or a question; where a stale paragraph begins, a line before it says so."""
    for block in blocks:
        if any((place, block) in doc.stale for place in places):
            yield phrase("stale_paragraph", doc.language)
        yield block


def _table(doc: Document) -> Iterator[str]:
    """One row for each of the things that are compared. A quote is one line, and holds no bare pipe."""
    if doc.compared:
        yield f"## {heading('comparison', doc.language)}"
        rows = (f"| {escape(name)} | {flat(text)} |" for name, text in doc.compared)
        yield "\n".join(["| | |", "|---|---|", *rows])


def _findings(doc: Document) -> Iterator[str]:
    if doc.findings:
        yield f"## {heading('findings', doc.language)}"
    for finding in doc.findings:
        if finding.question:
            yield f"### {finding.number}. {escape(finding.question)}"
        yield from _marked(doc, finding.paragraphs, finding.question)


def _points(doc: Document) -> Iterator[str]:
    points = key_points(doc.findings)
    if points:
        yield f"## {heading('key_points', doc.language)}"
        yield "\n".join(f"- {point}" for point in _marked(doc, points, *(f.question for f in doc.findings)))


def _verification(doc: Document) -> Iterator[str]:
    if doc.check is None:
        yield phrase("unchecked", doc.language)
        return
    yield verdict(doc.check, doc.language)
    yield from _outdated(doc)
    if doc.check.failures:
        yield "\n".join(f"- {escape(failure)}" for failure in doc.check.failures)
