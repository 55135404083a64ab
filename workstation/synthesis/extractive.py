"""The writer that needs no model: paragraphs made of quotes, each with its number."""

from __future__ import annotations

from workstation.memory.events import ParagraphWritten
from workstation.memory.state import Need, Note, ResearchState
from workstation.report.cite import quote_sentence

ANSWER_QUOTES = 3  # the opening says the most telling things only; the findings hold the rest
NOTHING = "The library holds nothing that answers this question."


def paragraphs(state: ResearchState) -> list[ParagraphWritten]:
    """The report's paragraphs in reading order: the answer, then the findings of each sub-question."""
    answer = _answer(state)
    findings = [_finding(state, n) for n in state.needs if state.facts(n.question.id)]
    return [answer, *findings]


def _answer(state: ResearchState) -> ParagraphWritten:
    """The best quotes on the question itself, or the best on any part of it; no quote twice."""
    main = list(state.facts(state.needs[0].question.id)) if state.needs else []
    others = [n for t in state.theses for n in [state.note(t.notes[0])] if n is not None]
    chosen = _distinct(main or others)[:ANSWER_QUOTES]
    if not chosen:
        return ParagraphWritten(id="answer", section="answer", text=f"{NOTHING}")
    return ParagraphWritten(id="answer", section="answer", text=_text(chosen), notes=tuple(n.id for n in chosen))


def _finding(state: ResearchState, need: Need) -> ParagraphWritten:
    notes = _distinct(list(state.facts(need.question.id)))
    id = need.question.id
    return ParagraphWritten(
        id=f"finding-{id}", section="finding", need=id, text=_text(notes), notes=tuple(n.id for n in notes)
    )


def _text(notes: list[Note]) -> str:
    return "\n\n".join(quote_sentence(n.quote, n.number) for n in notes)


def _distinct(notes: list[Note]) -> list[Note]:
    """Notes without those whose quote says the same words as an earlier one."""
    seen: set[str] = set()
    kept = []
    for note in notes:
        words = " ".join(note.quote.casefold().split())
        if words not in seen:
            kept.append(note)
            seen.add(words)
    return kept
