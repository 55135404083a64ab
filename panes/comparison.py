"""Two runs side by side: what was asked and planned, what both or one of them read, how they were checked, and what
they answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from panes import markdown, sections, tables, wording
from panes.rows import Pen, Row, blank
from workstation.memory.state import ResearchState

SIDE_BY_SIDE = 100
"""From so many columns on the answers stand beside each other."""


def rows(one: ResearchState, two: ResearchState, width: int) -> list[Row]:
    """All that is compared, as wide as `width`."""
    return [
        *_part("The runs", _figures(one, two, width)),
        *_part("The plans", _lists(_plan(one), _plan(two))),
        *_part("The sources", _lists(_sources(one), _sources(two))),
        *_part("The answers", _answers(one, two, width)),
    ]


def _part(title: str, found: Iterator[Row]) -> list[Row]:
    return [Pen().put(title, "heading").row(), *found, blank()]


def _figures(one: ResearchState, two: ResearchState, width: int) -> Iterator[Row]:
    pairs = zip(_facts(one), _facts(two), strict=True)
    cells = [[Pen().put(text, "strong").row() for text in ("", "Run 1", "Run 2")]]
    for (name, a), (_, b) in pairs:
        differs = "strong" if a != b else ""
        cells.append([Pen().put(name, "dim").row(), *(Pen().put(text, differs).row() for text in (a, b))])
    return tables.rows(cells, width)


def _facts(state: ResearchState) -> list[tuple[str, str]]:
    kinds = [note.kind for note in state.notes]
    check = state.check
    return [
        ("Question", state.restated or state.question),
        ("Asked for", f"{state.depth} {state.format}"),
        ("Outcome", wording.OUTCOMES[state.ended.outcome][0].lower() if state.ended else "not ended"),
        ("Settled", f"{sum(n.status == 'answered' for n in state.needs)} of {len(state.needs)} sub-questions"),
        ("Facts", f"{kinds.count('fact')} of {wording.count(len(kinds), 'quote')}"),
        ("Sources", str(len(state.ledger))),
        ("Check", wording.check(check) if check else "not checked"),
        ("Failures", str(len(check.failures)) if check else "-"),
        ("Time", wording.clock(state.ended.seconds if state.ended else state.worked)),
    ]


def _plan(state: ResearchState) -> dict[str, str]:
    """The lines of the plan, each with how it stands."""
    return {need.question.text: wording.NEED_WORDS[need.status] for need in state.needs}


def _sources(state: ResearchState) -> dict[str, str]:
    """The sources, each with the number that the run gave it."""
    named = ((f"{entry.title}  {entry.path}" if entry.title else entry.path, entry.number) for entry in state.ledger)
    return {name: f"[{number}]" for name, number in named}


def _lists(one: dict[str, str], two: dict[str, str]) -> Iterator[Row]:
    """What only the first has, what only the second has, and what both have."""
    for where, keys in (
        ("Only in run 1", [key for key in one if key not in two]),
        ("Only in run 2", [key for key in two if key not in one]),
        ("In both", [key for key in one if key in two]),
    ):
        if keys:
            yield Pen().put(f"{where}: {len(keys)}", "strong").row()
        for key in keys:
            said = list(dict.fromkeys(side[key] for side in (one, two) if key in side))
            yield Pen().put("- ", "dim").put(key).put("  ").put(" / ".join(said), "dim").row(hang=2)


def _answers(one: ResearchState, two: ResearchState, width: int) -> Iterator[Row]:
    first, second = _answer(one), _answer(two)
    if width >= SIDE_BY_SIDE:
        half = (width - len(tables.RULE)) // 2
        head = [Pen().put(pad, "strong").row() for pad in ("Run 1".ljust(half), "Run 2".ljust(half))]
        body = [[a or blank(), b or blank()] for a, b in zip_longest(first, second)]
        yield from tables.rows([head, *body], width)
        return
    for title, answer in (("Run 1", first), ("Run 2", second)):
        yield Pen().put(title, "strong").row()
        yield from answer


def _answer(state: ResearchState) -> Sequence[Row]:
    paragraphs = sorted((p for p in state.paragraphs if p.section == "answer"), key=lambda p: sections.order(p, state))
    nothing = [Pen().put("No answer was written.", "dim").row()]
    return [row for p in paragraphs for row in markdown.rows(p.text)] or nothing
