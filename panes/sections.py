"""How the report pane is divided: the sections in their order, under the headings that report.md has as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from panes.rows import Pen, Row, blank
from workstation.core.messages import text
from workstation.memory.state import Paragraph, ResearchState
from workstation.report.document import KEY_POINTS, document

T = TypeVar("T")

if TYPE_CHECKING:
    from panes.following import Snapshot

ORDER = ("answer", "finding", "disagreement", "unsettled")
HEADINGS = {"answer": "answer", "finding": "findings", "disagreement": "disagreements", "unsettled": "unsettled"}
"""Of a paragraph's section, as keys of the messages."""
GATHERING = ("gather", "theses")


def order(paragraph: Paragraph, state: ResearchState) -> tuple[int, int]:
    """The answer first, then the findings in the order of the plan, then what is disputed and what stays open."""
    places = {need.question.id: index for index, need in enumerate(state.needs)}
    section = paragraph.section if paragraph.section in ORDER else "finding"
    return ORDER.index(section), places.get(paragraph.need, len(places))


def title(paragraph: Paragraph, state: ResearchState) -> str:
    """What stands above a paragraph, in the run's language: for a finding, the sub-question that it answers."""
    questions = {need.question.id: need.question.text for need in state.needs}
    if paragraph.section == "finding" and paragraph.need in questions:
        return questions[paragraph.need]
    return text(HEADINGS.get(paragraph.section, "findings"), state.language)


def named(key: str, state: ResearchState) -> str:
    """A heading of our own, in the run's language."""
    return text(key, state.language)


def is_finding(paragraph: Paragraph) -> bool:
    return paragraph.section not in ORDER or paragraph.section == "finding"


def blocks(paragraph: str) -> list[str]:
    """The blocks of Markdown that a paragraph of the log holds."""
    return [block for block in paragraph.split("\n\n") if block.strip()] or [""]


def compared(state: ResearchState) -> list[tuple[str, Paragraph]]:
    """The things that a comparison is about, each with the paragraph that says the first thing of it."""
    if state.format != "comparison":
        return []
    options = [(n.question.option, n.question.id) for n in state.needs if n.question.option]
    first = {p.need: p for p in reversed(state.paragraphs) if p.section == "finding"}
    return [(option, first[need]) for option, need in options if need in first]


def points(blocks: Sequence[Sequence[T]]) -> list[T]:
    """A brief's points out of the blocks of each finding: the first of each, then the second ones, as report.md has
    them."""
    deepest = max(map(len, blocks), default=0)
    return [found[at] for at in range(deepest) for found in blocks if at < len(found)][:KEY_POINTS]


def draft(rows: list[Row], state: ResearchState) -> list[Row]:
    """What is not in the report yet: the evidence so far while it is gathered, then the paragraph that is written."""
    if state.stage in GATHERING:
        return [Pen().put("Draft: what the evidence says so far", "warn").row(), blank(), *rows]
    return [*rows, Pen().put("being written ...", "dim").row()]


def below(snapshot: Snapshot) -> list[Row]:
    """What stands below the paragraphs: in a finished report what could not be settled, and where it stood before."""
    state, rows = snapshot.state, list[Row]()
    if state.ended and (unsettled := document(state).unsettled):
        if not any(paragraph.section == "unsettled" for paragraph in state.paragraphs):
            rows += [Pen().put(text("unsettled", state.language), "heading").row(), blank()]
        for item in unsettled:
            rows.append(Pen().put("- ", "dim").put(item.question).put(f" — {item.reason}", "dim").row(hang=2))
        rows.append(blank())
    if snapshot.versions:
        rows.append(Pen().put(f"Earlier versions: {', '.join(snapshot.versions)}", "dim").row())
    return rows
