"""The writer that needs no model: paragraphs made of quotes, each with its number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from workstation.memory.events import ParagraphWritten
from workstation.memory.state import Note, ResearchState
from workstation.report.catalogue import phrase
from workstation.report.cite import quote_sentence

ANSWER_QUOTES = 3  # the opening says the most telling things only; the findings hold the rest


def paragraphs(state: ResearchState) -> list[ParagraphWritten]:
    """The report's paragraphs in reading order: the answer, the findings of each sub-question, the disagreements."""
    return [_answer(state), *_findings(state), *_disagreements(state)]


def _answer(state: ResearchState) -> ParagraphWritten:
    """The leading quote of each part of the question, then the next ones; without any, those of the other
    sub-questions. What a newer version says stands before what it replaces."""
    direct = [_newest_first(list(state.facts(n.question.id)), state) for n in state.needs if n.question.direct]
    others = [list(state.facts(n.question.id))[:1] for n in state.needs if not n.question.counter]
    chosen = _distinct(_by_turns(direct) or _by_turns(others))[:ANSWER_QUOTES]
    if not chosen:
        return ParagraphWritten(id="answer", section="answer", text=phrase("nothing_found", state.language))
    return ParagraphWritten(id="answer", section="answer", text=_text(chosen), notes=tuple(n.id for n in chosen))


def _findings(state: ResearchState) -> Iterator[ParagraphWritten]:
    """Each sub-question's quotes, without those that stand under an earlier one; its leading quote always stands."""
    shown: list[Note] = []
    disputed = {id for d in state.disputes() for id in (d.note, d.against)}
    for need in state.needs:
        facts = [note for note in state.facts(need.question.id) if note.id not in disputed]
        if need.question.counter:
            yield from _beside(need.question.id, _distinct([*shown, *facts])[len(_distinct(shown)) :], state)
            continue
        if not facts:
            continue
        fresh = _distinct([*shown, *facts])[len(_distinct(shown)) :]
        notes = fresh if facts[0] in fresh else [facts[0], *fresh]
        shown += notes
        id = need.question.id
        yield ParagraphWritten(
            id=f"finding-{id}", section="finding", need=id, text=_text(notes), notes=tuple(n.id for n in notes)
        )


def _beside(need: str, notes: list[Note], state: ResearchState) -> Iterator[ParagraphWritten]:
    """What other sources say on the question, without a word on whether they agree."""
    if notes:
        lead = phrase("beside", state.language)
        text = "\n".join(f"- {lead} {quote_sentence(n.quote, n.number)}" for n in notes)
        ids = tuple(n.id for n in notes)
        yield ParagraphWritten(id=f"finding-{need}", section="finding", need=need, text=text, notes=ids)


def _disagreements(state: ResearchState) -> Iterator[ParagraphWritten]:
    """Each answer that something speaks against, with all that does."""
    standing = state.disputes()
    for against in dict.fromkeys(d.against for d in standing):
        found = [d for d in standing if d.against == against]
        lead = state.note(against)
        pairs = [(d, note) for d in found if (note := state.note(d.note)) is not None and note.kind == "fact"]
        if lead is None or not pairs:
            continue
        lines = (f"- {phrase(d.kind, state.language)} {quote_sentence(n.quote, n.number)}" for d, n in pairs)
        yield ParagraphWritten(
            id=f"disagreement-{against}",
            section="disagreement",
            need=found[0].need,
            text="\n\n".join([quote_sentence(lead.quote, lead.number), "\n".join(lines)]),
            notes=(lead.id, *(n.id for _, n in pairs)),
        )


def _newest_first(facts: list[Note], state: ResearchState) -> list[Note]:
    newer = [d.note for d in state.disputes() if d.kind == "newer_version" and facts and d.against == facts[0].id]
    return [note for id in newer if (note := state.note(id)) is not None] + facts


def _text(notes: Iterable[Note]) -> str:
    return "\n\n".join(quote_sentence(n.quote, n.number) for n in notes)


def _by_turns(lists: list[list[Note]]) -> list[Note]:
    """The first of each list, then the second of each, and so on."""
    return [note for turn in zip_longest(*lists) for note in turn if note is not None]


def _distinct(notes: Iterable[Note]) -> list[Note]:
    """Notes without those whose words stand in an earlier one."""
    kept: list[Note] = []
    said: list[str] = []
    for note in notes:
        words = " ".join(note.quote.casefold().split())
        if not any(words in earlier for earlier in said):
            kept.append(note)
            said.append(words)
    return kept
