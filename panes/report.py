"""The report pane: paragraphs as they are written, the check below them, and citations that can be gone along."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from panes import markdown, sections, wording
from panes.citations import Citation, CitationWriter, evidence_of, numbers_of
from panes.keymap import bindings
from panes.messages import CitationFollowed
from panes.rows import Pen, Row, blank, inert
from panes.run_view import Snapshot
from panes.widgets.bars import Bar
from panes.widgets.kept import Kept
from panes.widgets.pane import Titled, empty
from workstation.memory.state import Paragraph, ResearchState

DRAFT = "draft"
"""The paragraph that the citations of the draft belong to."""

Made = tuple[Paragraph, frozenset[int], list[Row], list[Citation]]


class ReportText(Titled):
    """The text with a cursor that goes from citation to citation."""

    BINDINGS = bindings("report")

    class CitationReached(Message):
        """The cursor stands on another citation, or on none."""

        def __init__(self, citation: Citation | None) -> None:
            super().__init__()
            self.citation = citation

    def __init__(self) -> None:
        super().__init__("report")
        self._citations: list[Citation] = []
        self._chosen = ""

    @property
    def citation(self) -> Citation | None:
        """The citation under the cursor."""
        return next((c for c in self._citations if c.target == self._chosen), None)

    def set_text(self, rows: list[Row], citations: list[Citation]) -> None:
        self._citations = citations
        self.set_rows(rows)
        if self._chosen and self.citation is None:
            self._choose("")

    def is_target(self, target: str) -> bool:
        return target == self._chosen

    def action_cite(self, by: int) -> None:
        """Goes to the next citation or the one before; the first time, to the first one in sight."""
        if not self._citations:
            return
        at = next((i for i, c in enumerate(self._citations) if c.target == self._chosen), None)
        if at is None:
            order = self._citations if by > 0 else self._citations[::-1]
            top, end = self.scroll_offset.y, self.scroll_offset.y + self.size.height
            goal = next((c for c in order if top <= self.line_of(c.target) < end), order[0])
        else:
            goal = self._citations[(at + by) % len(self._citations)]
        self._choose(goal.target)

    def action_follow(self) -> None:
        if self.citation is None:
            self.action_cite(1)
        else:
            self.post_message(CitationFollowed(self.citation))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        target = self.target_at(offset.x, offset.y) if offset else ""
        if target and target == self._chosen:
            self.action_follow()
        elif target:
            self._choose(target)

    def _choose(self, target: str) -> None:
        before, self._chosen = self._chosen, target
        for changed in filter(None, (before, target)):
            self.draw_row(self.row_at(self.line_of(changed)))
        if target:
            line = self.line_of(target)
            self.show_lines(line, line, context=2)
        self.post_message(self.CitationReached(self.citation))


class FoldingBar(Bar):
    """A bar whose text may take more than one line."""

    FOLDS = True


class ReportPane(Vertical, Kept):
    """The report of a run, as far as it is written."""

    BLANK = True

    def __init__(self) -> None:
        super().__init__(id="report-pane")
        self._made: dict[str, Made] = {}
        self._draft: tuple[str, frozenset[int], list[Row], list[Citation]] = ("", frozenset(), [], [])
        self._state = ResearchState()

    def compose(self) -> ComposeResult:
        yield ReportText()
        yield FoldingBar("peek")
        yield FoldingBar("check")

    def show(self, snapshot: Snapshot) -> None:
        state = self._state = snapshot.state
        self._made = {p.id: self._paragraph(p, state) for p in state.paragraphs}
        rows, citations = self._text(state)
        if snapshot.draft:
            drafted, found = self._drafted(snapshot.draft, state)
            rows += sections.draft(drafted, state)
            citations += found
        rows += sections.below(snapshot) if rows else []
        self.query_one(ReportText).set_text(rows or _waiting(snapshot), citations)
        self.set_class(not rows, "-empty")
        self._show_check(state)

    @property
    def citation(self) -> Citation | None:
        """The citation under the cursor."""
        return self.query_one(ReportText).citation

    def in_sight(self) -> Paragraph | None:
        """The first paragraph of which something is in sight."""
        view = self.query_one(ReportText)
        owner = {id(row): paragraph for paragraph, _, made, _ in self._made.values() for row in made if row.text}
        shown = view.rows[max(0, view.row_at(view.scroll_offset.y)) :]
        return next((owner[id(row)] for row in shown if id(row) in owner), None)

    def on_report_text_citation_reached(self, event: ReportText.CitationReached) -> None:
        event.stop()
        peek = self.query_one("#peek", Bar)
        peek.display = event.citation is not None
        if event.citation:
            peek.put(Content(_quoted(event.citation, self._state)))

    def _text(self, state: ResearchState) -> tuple[list[Row], list[Citation]]:
        rows: list[Row] = []
        citations: list[Citation] = []
        heading = ""
        for paragraph, _, made, found in sorted(self._made.values(), key=lambda m: sections.order(m[0], state)):
            title = sections.title(paragraph, state)
            if title != heading and not paragraph.text.lstrip().startswith("#"):
                rows += [Pen().put(title, "heading").row(), blank()]
            heading = title
            rows += made
            citations += found
        return rows, citations

    def _paragraph(self, paragraph: Paragraph, state: ResearchState) -> Made:
        numbers = numbers_of(paragraph, state)
        made = self._made.get(paragraph.id)
        if made and made[0] is paragraph and made[1] == numbers:
            return made
        writer = CitationWriter(paragraph.id, numbers)
        return (paragraph, numbers, markdown.rows(paragraph.text, writer), writer.found)

    def _drafted(self, text: str, state: ResearchState) -> tuple[list[Row], list[Citation]]:
        """The draft's rows; its citations lead to the evidence as those of the report do."""
        numbers = frozenset(entry.number for entry in state.ledger)
        if self._draft[:2] != (text, numbers):
            writer = CitationWriter(DRAFT, numbers)
            self._draft = (text, numbers, markdown.rows(text, writer), writer.found)
        return self._draft[2], self._draft[3]

    def _show_check(self, state: ResearchState) -> None:
        line = self.query_one("#check", Bar)
        line.display = bool(state.paragraphs)
        if state.check is None:
            line.put(Content("Not checked yet"))
        elif failures := state.check.failures:
            verdict = f"CHECK FAILED ({len(failures)}): {failures[0]}"
            line.put(Content(inert(f"{verdict}   {wording.check(state.check)}")))
        else:
            line.put(Content(f"Checked   {wording.check(state.check)}"))
        line.set_class(bool(state.check and state.check.failures), "-failed")


def _quoted(citation: Citation, state: ResearchState) -> str:
    note, entry = evidence_of(citation, state), state.entry(citation.number)
    source = entry.title if entry else ""
    if note is None:
        return inert(f"[{citation.number}] {source}")
    address = ", ".join(part for part in (f"[{citation.number}] {source}", wording.place(note.place)) if part)
    return inert(f"{address}: “{note.quote}”")


def _waiting(snapshot: Snapshot) -> list[Row]:
    if snapshot.state.ended:
        return empty("No report was written", "The plan says how the run ended.")
    return empty("No report yet", "Paragraphs stand here as they are written: the answer first.")
