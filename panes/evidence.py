"""The evidence pane: quotes with their addresses, below the sub-question that they were found for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial

from panes import wording
from panes.keymap import bindings
from panes.messages import NoteOpened, WhyAsked
from panes.rows import Pen, Row, blank
from panes.run_view import Snapshot
from panes.widgets.pane import Pane, empty
from panes.widgets.row_list import RowList
from workstation.memory.state import Need, Note, ResearchState, Search

INDENT = 2  # the sign and a space
DRAWN = ("notes", "searches", "needs", "disagreements")
"""The parts of a run that are drawn here."""


class EvidencePane(Pane):
    """Every kind of evidence is told apart by sign and word. Choosing a quote opens its source."""

    BINDINGS = bindings("evidence")

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self._made: dict[str, tuple[object, Row]] = {}
        self._against: dict[str, str] = {}
        self._state: ResearchState | None = None

    def show(self, snapshot: Snapshot) -> None:
        state, before, self._state = snapshot.state, self._state, snapshot.state
        if before and all(getattr(before, part) is getattr(state, part) for part in DRAWN):
            return
        self._against = _against(state)
        notes: dict[str, list[Note]] = defaultdict(list)
        for note in state.notes:
            notes[note.need].append(note)
        barren: dict[str, list[Search]] = defaultdict(list)
        for search in state.searches:
            if not search.kept or not search.covered:
                barren[search.need].append(search)
        rows: list[Row] = []
        for need in state.needs:
            id = need.question.id
            if notes[id] or barren[id]:
                rows += self._group(need, notes.pop(id, []), barren[id], first=not rows)
        for stray in notes.values():  # found for a sub-question that is in the plan no more
            rows += [self._note(note) for note in stray]
        nothing = empty("No evidence yet", "Quotes stand here as they are found, each with its source and place.")
        self.set_rows(rows or nothing)
        self.entitle(_counted(state))

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.post_message(NoteOpened(event.key))

    def action_why(self) -> None:
        if self.cursor:
            self.post_message(WhyAsked(self.cursor))

    def _group(self, need: Need, notes: list[Note], barren: list[Search], *, first: bool) -> list[Row]:
        rows = [] if first else [self._keep("gap " + need.question.id, None, blank)]
        rows.append(self._keep("need " + need.question.id, need, partial(_heading, need)))
        rows += [self._note(note) for note in notes]
        rows += [self._keep(f"search {s.need} {s.angle} {s.query}", None, partial(_barren, s)) for s in barren]
        return rows

    def _note(self, note: Note) -> Row:
        against = self._against.get(note.id, "")
        return self._keep(f"note {note.id} {against}", note, partial(_quote, note, against))

    def _keep(self, key: str, value: object, make: Callable[[], Row]) -> Row:
        made = self._made.get(key)
        if made is None or made[0] is not value:
            made = self._made[key] = (value, make())
        return made[1]


def _heading(need: Need) -> Row:
    sign = wording.NEED_SIGNS[need.status]
    return Pen().put(sign, wording.NEED_STYLES[need.status]).put(" ").put(need.question.text, "heading").row(hang=4)


def _against(state: ResearchState) -> dict[str, str]:
    """What each note that speaks against others is to them, by its id: other figure, against [1]."""
    found: dict[str, list[str]] = defaultdict(list)
    for disagreement in state.disagreements:
        if lead := state.note(disagreement.against):
            words = f"{wording.DISAGREEMENTS[disagreement.kind]}, against [{lead.number}]"
            found[disagreement.note] += [words] if words not in found[disagreement.note] else []
    return {id: "; ".join(words) for id, words in found.items()}


def _quote(note: Note, against: str) -> Row:
    sign, word, style = wording.NOTES[note.kind]
    pen = Pen().put(sign, style).put(" ").put(f"[{note.number}]", "cite").put(" ")
    pen.put(f"“{note.quote}”").put("  ").put(word, style)
    if note.reason:
        pen.put(f": {note.reason}")
    if against:
        pen.put("  ").put(against, "warn")
    if where := wording.place(note.place):
        pen.put(f", {where}", "dim")
    return pen.row(note.id, hang=INDENT)


def _barren(search: Search) -> Row:
    sign, word, style = wording.EMPTY_SEARCH
    found = "nothing found" if not search.found else f"{wording.count(search.found, 'passage')} seen, none close enough"
    pen = Pen().put(sign, style).put(" ").put(f"{word}: ", style).put(f"“{search.query}”", style)
    return pen.put(f"  {found}", style).row(hang=INDENT)


def _counted(state: ResearchState) -> str:
    kinds = [note.kind for note in state.notes]
    parts = [
        (kinds.count("fact"), "fact", "facts"),
        (kinds.count("hypothesis"), "hypothesis", "hypotheses"),
        (kinds.count("extraction_error"), "error", "errors"),
        (kinds.count(None), "unchecked", "unchecked"),
    ]
    return ", ".join(f"{n:,} {one if n == 1 else many}" for n, one, many in parts if n)
