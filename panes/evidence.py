"""The evidence pane: quotes with their addresses, below the sub-question that they were found for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial

from panes import wording
from panes.keymap import bindings, shown
from panes.messages import NoteJudged, NoteOpened, WhyAsked
from panes.rows import LazyRow, Pen, Row, blank
from panes.run_view import Snapshot
from panes.sifting import FILTERS, SORTS, Filter, Group, Sort, sifted
from panes.widgets.pane import Pane, empty
from panes.widgets.row_list import RowList
from workstation.memory.state import LedgerEntry, Need, Note, ResearchState, Search

INDENT = 2  # the sign and a space
NONE: dict[Filter, str] = {"rejected": "Nothing is rejected", "errors": "No extraction errors"}
BESIDE = 30
"""About how many characters a quote's number, word and place take beside it."""
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
        self._rejected: frozenset[str] = frozenset()
        self._filter: Filter = "all"
        self._sort: Sort = "sub-question"

    def show(self, snapshot: Snapshot) -> None:
        state, before, self._state = snapshot.state, self._state, snapshot.state
        if before and all(getattr(before, part) is getattr(state, part) for part in DRAWN):
            return
        self._against = _against(state)
        self._rejected = frozenset(note.id for note in state.notes if note.kind == "rejected")
        self._draw(state)

    def reset(self) -> None:
        """For another run: all of its evidence, in the order of its plan."""
        super().reset()
        self._state, self._filter, self._sort = None, "all", "sub-question"
        self._made.clear()

    @property
    def on_rejected(self) -> bool:
        """Whether the cursor stands on a rejected quote."""
        return self.cursor in self._rejected

    def uncover(self, note: str) -> None:
        """Shows all kinds, where the filter hides a note that is gone to."""
        if self._state and self._filter != "all" and not any(row.key == note for row in self.rows):
            self._filter = "all"
            self._draw(self._state)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.post_message(NoteOpened(event.key))

    def action_why(self) -> None:
        self.post_message(WhyAsked(self.cursor))

    def action_filter(self) -> None:
        self._filter = FILTERS[(FILTERS.index(self._filter) + 1) % len(FILTERS)]
        if self._state:
            self._draw(self._state)

    def action_sort(self) -> None:
        self._sort = SORTS[(SORTS.index(self._sort) + 1) % len(SORTS)]
        if self._state:
            self._draw(self._state)

    def action_reject(self) -> None:
        self.post_message(NoteJudged(self.cursor, "reject"))

    def action_correct(self) -> None:
        self.post_message(NoteJudged(self.cursor, "correct"))

    def _draw(self, state: ResearchState) -> None:
        rows: list[Row] = []
        headings = self._headings(state)
        for group in sifted(state, self._filter, self._sort):
            if rows:
                rows.append(self._keep("gap " + group.key, None, blank))
            rows += headings(group)
            rows += [self._note(note) for note in group.notes]
            rows += [
                self._keep(f"search {s.need} {s.angle} {s.query}", None, partial(_barren, s)) for s in group.searches
            ]
        if not rows and (state.notes or state.searches):
            rows = empty(NONE.get(self._filter, f"No {self._filter}"))
        if rows and (self._filter, self._sort) != ("all", "sub-question"):
            rows = [self._keep(f"sifted {self._filter} {self._sort}", None, self._sifted), *rows]
        nothing = empty("No evidence yet", "Quotes stand here as they are found, each with its source and place.")
        self.set_rows(rows or nothing)
        self.entitle(self._title_of(state))

    def _headings(self, state: ResearchState) -> Callable[[Group], list[Row]]:
        """What stands above a group: nothing where all stand in one list."""
        needs = {need.question.id: need for need in state.needs}
        ledger = {str(entry.number): entry for entry in state.ledger}

        def heading(group: Group) -> list[Row]:
            key, kind = group.key, self._sort
            if kind == "sub-question" and (need := needs.get(key)):
                return [self._keep("need " + key, need, partial(_heading, need))]
            if kind == "source" and (entry := ledger.get(key)):
                return [self._keep("source " + key, None, partial(_source, entry))]
            if kind == "date" and group.notes:
                return [self._keep("date " + key, None, partial(_date, key))]
            return []

        return heading

    def _sifted(self) -> Row:
        """What is shown, for a pane without a title, and how to change that."""
        kinds = "All kinds" if self._filter == "all" else f"{self._filter} only".capitalize()
        pen = Pen().put(f"{kinds}, by {self._sort}   ", "strong").put(shown("evidence.filter"), "key")
        return pen.put(": next kind, ", "dim").put(shown("evidence.sort"), "key").put(": next order", "dim").row()

    def _title_of(self, state: ResearchState) -> str:
        counted = _counted(state) if self._filter == "all" else f"{self._filter} only"
        return f"{counted} · by {self._sort}" if counted else ""

    def _note(self, note: Note) -> Row:
        against = self._against.get(note.id, "")
        score = _score(note) if self._sort == "how sure" else ""
        make = partial(_quote, note, against, score)
        key = f"note {note.id} {against} {score}"
        return self._keep(key, note, lambda: LazyRow(make, note.id, INDENT, len(note.quote) + BESIDE))

    def _keep(self, key: str, value: object, make: Callable[[], Row]) -> Row:
        made = self._made.get(key)
        if made is None or made[0] is not value:
            made = self._made[key] = (value, make())
        return made[1]


def _heading(need: Need) -> Row:
    sign = wording.NEED_SIGNS[need.status]
    return Pen().put(sign, wording.NEED_STYLES[need.status]).put(" ").put(need.question.text, "heading").row(hang=4)


def _source(entry: LedgerEntry) -> Row:
    return Pen().put(f"[{entry.number}] ", "cite").put(entry.title or entry.path, "heading").row(hang=4)


def _date(date: str) -> Row:
    return Pen().put(date or "Undated", "heading").row()


def _score(note: Note) -> str:
    if note.rerank is not None:
        return f"rerank {note.rerank:.2f}"
    return f"cosine {note.cosine:.2f}" if note.cosine is not None else "found by its words"


def _against(state: ResearchState) -> dict[str, str]:
    """What each note that speaks against others is to them, by its id: other figure, against [1]."""
    found: dict[str, list[str]] = defaultdict(list)
    for disagreement in state.disputes():
        if lead := state.note(disagreement.against):
            words = f"{wording.DISAGREEMENTS[disagreement.kind]}, against [{lead.number}]"
            found[disagreement.note] += [words] if words not in found[disagreement.note] else []
    return {id: "; ".join(words) for id, words in found.items()}


def _quote(note: Note, against: str, score: str) -> Row:
    sign, word, style = wording.NOTES[note.kind]
    pen = Pen().put(sign, style).put(" ").put(f"[{note.number}]", "cite").put(" ")
    pen.put(f"“{note.quote}”", "dim" if note.kind == "rejected" else "").put("  ").put(word, style)
    if note.reason:
        pen.put(f": {note.reason}")
    if note.corrected:
        pen.put(", ").put("corrected", "warn")
    if against:
        pen.put("  ").put(against, "warn")
    for part in filter(None, (score, wording.place(note.place))):
        pen.put(f", {part}", "dim")
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
        (kinds.count("rejected"), "rejected", "rejected"),
        (kinds.count(None), "unchecked", "unchecked"),
    ]
    return ", ".join(f"{n:,} {one if n == 1 else many}" for n, one, many in parts if n)
