"""The report pane: paragraphs as they are written, the check below them, and citations that can be gone along."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from panes import markdown, sections, tables, wording
from panes.citations import COMPARED, Citation, CitationWriter, evidence_of, numbers_of
from panes.doubts import Doubt, doubts, marked
from panes.report_text import ReportText as ReportText
from panes.rows import Pen, Row, Span, blank, inert
from panes.run_view import Snapshot
from panes.widgets.bars import Bar
from panes.widgets.kept import Kept
from panes.widgets.pane import empty
from workstation.memory.state import Paragraph, ResearchState

DRAFT = "draft"
"""The paragraph that the citations of the draft belong to."""


@dataclass(frozen=True, slots=True)
class Made:
    """A paragraph as it is drawn: block by block, and what that depends on."""

    paragraph: Paragraph
    basis: tuple[object, ...]
    blocks: list[list[Row]]
    citations: list[Citation]

    @property
    def rows(self) -> list[Row]:
        return [row for block in self.blocks for row in block]


class FoldingBar(Bar):
    """A bar whose text may take more than one line."""

    FOLDS = True


class ReportPane(Vertical, Kept):
    """The report of a run, as far as it is written."""

    BLANK = True

    def __init__(self) -> None:
        super().__init__(id="report-pane")
        self._made: dict[str, Made] = {}
        self._table: tuple[tuple[object, ...], list[Row], list[Citation]] = ((), [], [])
        self._draft: tuple[str, frozenset[int], list[Row], list[Citation]] = ("", frozenset(), [], [])
        self._snapshot: Snapshot | None = None
        self._doubts: tuple[Doubt, ...] = ()

    def compose(self) -> ComposeResult:
        yield ReportText(self._draw)
        yield FoldingBar("peek")
        yield FoldingBar("check")

    @property
    def _state(self) -> ResearchState:
        return self._snapshot.state if self._snapshot else ResearchState()

    def show(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        check = snapshot.state.check
        self._doubts = doubts(check.failures) if check else ()
        self._draw()
        self._show_quote(self.citation)
        self._show_check(snapshot.state, len(snapshot.stale.paragraphs))

    def _draw(self) -> None:
        """The text, as wide as it can be."""
        view, snapshot = self.query_one(ReportText), self._snapshot
        if snapshot is None:
            return
        state, width = snapshot.state, view.text_width
        self._made = {p.id: self._paragraph(p, state, width) for p in state.paragraphs}
        rows, citations = self._text(state, width, snapshot.stale.paragraphs)
        if snapshot.draft:
            drafted, found = self._drafted(snapshot.draft, state)
            rows += sections.draft(drafted, state)
            citations += found
        rows += sections.below(snapshot) if rows else []
        self.set_class(not rows, "-empty")
        view.set_text(rows or _waiting(snapshot), citations)

    @property
    def citation(self) -> Citation | None:
        """The citation under the cursor."""
        return self.query_one(ReportText).citation

    def in_sight(self) -> Paragraph | None:
        """The first paragraph of which something is in sight."""
        view = self.query_one(ReportText)
        owner = {id(row): made.paragraph for made in self._made.values() for row in made.rows if row.text}
        shown = view.rows[max(0, view.row_at(view.scroll_offset.y)) :]
        return next((owner[id(row)] for row in shown if id(row) in owner), None)

    def on_report_text_citation_reached(self, event: ReportText.CitationReached) -> None:
        event.stop()
        self._show_quote(event.citation)

    def _show_quote(self, citation: Citation | None) -> None:
        """The quote behind the chosen citation, as it is by now."""
        peek = self.query_one("#peek", Bar)
        peek.display = citation is not None
        if citation:
            peek.put(Content(_quoted(citation, self._state)))

    def _text(self, state: ResearchState, width: int, stale: frozenset[str]) -> tuple[list[Row], list[Citation]]:
        made = sorted(self._made.values(), key=lambda m: sections.order(m.paragraph, state))
        brief = state.format == "brief"
        groups = [[m for m in made if m.paragraph.section == "answer"]]
        groups.append([m for m in made if sections.is_finding(m.paragraph)])
        groups.append([m for m in made if m not in groups[0] and m not in groups[1]])
        rows, citations = _headed(groups[0], state, stale)
        for more, found in (
            self._comparison(state, width),
            _points(groups[1], state, stale) if brief else _headed(groups[1], state, stale),
            _headed(groups[2], state, stale),
        ):
            rows += more
            citations += found
        return rows, citations

    def _paragraph(self, paragraph: Paragraph, state: ResearchState, width: int) -> Made:
        numbers = numbers_of(paragraph, state)
        made, tabular = self._made.get(paragraph.id), "|" in paragraph.text
        basis = (numbers, self._doubts, width if tabular else 0)
        if made and made.paragraph is paragraph and made.basis == basis:
            return made
        writer = CitationWriter(paragraph.id, numbers)
        texts = sections.blocks(paragraph.text) if state.format == "brief" else [paragraph.text]
        blocks = [[marked(row, self._doubts) for row in markdown.rows(text, writer, width)] for text in texts]
        return Made(paragraph, basis, blocks, writer.found)

    def _comparison(self, state: ResearchState, width: int) -> tuple[list[Row], list[Citation]]:
        """The table of a comparison, a line for each of the things that are compared."""
        options = sections.compared(state)
        basis = (width, self._doubts, *options)
        if self._table[0] != basis:
            cells: list[list[Row]] = [[blank(), blank()]]
            citations: list[Citation] = []
            for option, paragraph in options:
                writer = CitationWriter(COMPARED + paragraph.id, numbers_of(paragraph, state))
                said = markdown.line(sections.blocks(paragraph.text)[0], writer)
                cells.append([Pen().put(option, "strong").row(), marked(said, self._doubts)])
                citations += writer.found
            title = [Pen().put(sections.named("comparison", state), "heading").row(), blank()]
            rows = [*title, *tables.rows(cells, width), blank()] if options else []
            self._table = (basis, rows, citations)
        return self._table[1], list(self._table[2])

    def _drafted(self, text: str, state: ResearchState) -> tuple[list[Row], list[Citation]]:
        """The draft's rows; its citations lead to the evidence as those of the report do."""
        numbers = frozenset(entry.number for entry in state.ledger)
        if self._draft[:2] != (text, numbers):
            writer = CitationWriter(DRAFT, numbers)
            self._draft = (text, numbers, markdown.rows(text, writer), writer.found)
        return self._draft[2], self._draft[3]

    def _show_check(self, state: ResearchState, stale: int) -> None:
        line = self.query_one("#check", Bar)
        line.display = bool(state.paragraphs)
        if stale:
            sign, _, _ = wording.STALE
            checked = f". Before that: {wording.check(state.check)}" if state.check else ""
            line.put(Content(f"{sign} {wording.stale_paragraphs(stale)}: the evidence was changed since{checked}"))
        elif state.check is None:
            line.put(Content("Not checked yet"))
        elif failures := state.check.failures:
            verdict = f"CHECK FAILED ({len(failures)}): {failures[0]}"
            line.put(Content(inert(f"{verdict}   {wording.check(state.check)}")))
        else:
            line.put(Content(f"Checked {wording.check(state.check)}"))
        line.set_class(bool(stale or (state.check and state.check.failures)), "-failed")


def _stale() -> Row:
    sign, word, style = wording.STALE
    return (
        Pen().put(f"{sign} {word}: ", style).put("what follows rests on evidence that was changed", "dim").row(hang=2)
    )


def _headed(made: list[Made], state: ResearchState, stale: frozenset[str]) -> tuple[list[Row], list[Citation]]:
    """Paragraphs below the headings that they stand under; those whose ids are in `stale` have to be written anew."""
    rows: list[Row] = []
    heading = ""
    for one in made:
        title = sections.title(one.paragraph, state)
        if title != heading and not one.paragraph.text.lstrip().startswith("#"):
            rows += [Pen().put(title, "heading").row(), blank()]
        heading = title
        rows += [_stale()] if one.paragraph.id in stale else []
        rows += one.rows
    return rows, [citation for one in made for citation in one.citations]


def _points(made: list[Made], state: ResearchState, stale: frozenset[str]) -> tuple[list[Row], list[Citation]]:
    """The findings of a brief as a list of its key points."""
    findings: dict[str, list[list[Row]]] = {}
    for one in made:
        findings.setdefault(one.paragraph.need, []).extend(one.blocks)
    points = sections.points(list(findings.values()))
    rows = [_listed(row) for block in points for row in block if row.text]
    title = [Pen().put(sections.named("key_points", state), "heading").row(), blank()]
    targets = {span.target for row in rows for span in row.spans}
    citations = [citation for one in made for citation in one.citations if citation.target in targets]
    order = {target: at for at, target in enumerate(span.target for row in rows for span in row.spans if span.target)}
    title += [_stale()] if any(one.paragraph.id in stale for one in made) else []
    return [*title, *rows, blank()] if rows else [], sorted(citations, key=lambda c: order[c.target])


def _listed(row: Row) -> Row:
    """The row as an item of a list."""
    spans = (Span(0, 2, "dim"), *(Span(s.start + 2, s.end + 2, s.style, s.target) for s in row.spans))
    return Row("- " + row.text, spans, row.key, 2, row.folds)


def _quoted(citation: Citation, state: ResearchState) -> str:
    note, entry = evidence_of(citation, state), state.entry(citation.number)
    source = entry.title if entry else ""
    if note is None:
        return inert(f"[{citation.number}] {source}")
    place = wording.place(note.place)
    address = ", ".join(filter(None, (f"[{citation.number}] {source}", place if place != source else "")))
    return inert(f"{address}: “{note.quote}”")


def _waiting(snapshot: Snapshot) -> list[Row]:
    if snapshot.state.ended:
        return empty("No report was written", "The plan says how the run ended.")
    return empty("No report yet", "Paragraphs stand here as they are written: the answer first.")
