"""What is copied from a run: a quote with its address, a reference, a sub-question, a paragraph, the whole report.

Each gives the text and what it is called in the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from panes import wording
from workstation.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workstation.memory.state import LedgerEntry, Need, Note, Paragraph, ResearchState

Copy = tuple[str, str]


def quote(note: Note, state: ResearchState) -> Copy:
    """A quote with its address: “The tower was sound.” — The Bell Rock, page 12, /papers/bell-rock.pdf"""
    entry = state.entry(note.number)
    where = wording.place(note.place)
    address = (entry.title, where, entry.path) if entry else (where,)
    return f"“{one_line(note.quote)}” — {_listed(address)}", f"quote [{note.number}]"


def reference(entry: LedgerEntry) -> Copy:
    """A source as it is referred to: title, date, kind, path."""
    return _listed((entry.title, entry.date, entry.kind, entry.path)), f"source [{entry.number}]"


def question(need: Need, number: int) -> Copy:
    return need.question.text, f"sub-question {number}"


def paragraph(found: Paragraph, state: ResearchState) -> Copy:
    """A paragraph of the report with the sources that it cites."""
    notes = [note for note in state.notes if note.id in found.notes]
    numbers = sorted({note.number for note in notes})
    cited = [entry for number in numbers if (entry := state.entry(number))]
    sources = "\n".join(f"[{entry.number}] {reference(entry)[0]}" for entry in cited)
    return "\n\n".join(filter(None, (found.text.strip(), sources))), "paragraph"


def report(state: ResearchState) -> Copy:
    """The report as report.md holds it, as far as it is written."""
    from workstation.report.markdown import render_report

    return render_report(state), "report"


def _listed(parts: Iterable[str | None]) -> str:
    """What is known, each once, on a line: the heading of a place may be the title."""
    return one_line(", ".join(dict.fromkeys(part for part in parts if part)))
