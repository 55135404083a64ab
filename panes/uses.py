"""From a source back to every claim that uses it: sentences of the report that cite it, quotes taken from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from panes import markdown, sections, wording
from panes.citations import CitationWriter, numbers_of
from panes.rows import Pen, Row, blank
from workstation.memory.state import ResearchState


@dataclass(frozen=True, slots=True)
class Use:
    """One claim. `key` is the citation's target in the report, or the id of the note in the evidence."""

    pane: Literal["report", "evidence"]
    key: str
    text: str
    word: str
    style: str

    @property
    def id(self) -> str:
        return f"{self.pane}:{self.key}"


def uses_of(state: ResearchState, number: int) -> list[Use]:
    """In the order of the report, then in that of the evidence."""
    return [*_cited(state, number), *_noted(state, number)]


def _cited(state: ResearchState, number: int) -> Iterator[Use]:
    for paragraph in sorted(state.paragraphs, key=lambda p: sections.order(p, state)):
        writer = CitationWriter(paragraph.id, numbers_of(paragraph, state))
        markdown.rows(paragraph.text, writer)
        where = sections.title(paragraph, state)
        for citation in writer.found:
            if citation.number == number:
                yield Use("report", citation.target, citation.sentence, where, "dim")


def _noted(state: ResearchState, number: int) -> Iterator[Use]:
    for note in state.notes:
        if note.number == number:
            _, word, style = wording.NOTES[note.kind]
            yield Use("evidence", note.id, f"“{note.quote}”", word, style)


def rows_of(uses: list[Use]) -> list[Row]:
    """Each use as a row that can be chosen, below a heading that says where it stands."""
    rows: list[Row] = []
    pane = ""
    for use in uses:
        if use.pane != pane:
            rows += [blank()] if rows else []
            count = sum(other.pane == use.pane for other in uses)
            title = (
                f"In the report: cited {wording.count(count, 'time')}"
                if use.pane == "report"
                else (f"In the evidence: {wording.count(count, 'quote')}")
            )
            rows.append(Pen().put(title, "heading").row())
            pane = use.pane
        rows.append(Pen().put(use.text).put("  ").put(use.word, use.style).row(use.id, hang=2))
    return rows
