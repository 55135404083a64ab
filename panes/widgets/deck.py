"""The four panes side by side, or one at a time: where there is no room, or when one is zoomed."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.widget import Widget

from panes.evidence import EvidencePane
from panes.plan import PlanPane
from panes.report import ReportPane, ReportText
from panes.run_view import Snapshot
from panes.sources import SourcesPane
from panes.widgets.line_view import LineView
from panes.widgets.pane import PANES, Pane


class Deck(Horizontal):
    """Holds the panes. One of them is the active one: it has the keyboard, or gets it back from the ask line."""

    def __init__(self) -> None:
        super().__init__(id="deck")
        self.active = "plan"

    def compose(self) -> ComposeResult:
        with Vertical(id="left"):
            yield PlanPane("plan")
            yield SourcesPane("sources")
        with Container(id="right"):
            yield ReportPane()
            yield EvidencePane("evidence")

    def on_mount(self) -> None:
        self.activate("plan")

    @property
    def zoomed(self) -> bool:
        return self.has_class("-zoomed")

    def show(self, snapshot: Snapshot) -> None:
        """Draws a run's state in every pane."""
        self.query_one(PlanPane).show(snapshot)
        self.query_one(SourcesPane).show(snapshot)
        self.query_one(EvidencePane).show(snapshot)
        self.query_one(ReportPane).show(snapshot)

    def reset(self) -> None:
        """Back to the beginning in every pane, for another run."""
        for view in self.query(LineView):
            view.reset()

    def activate(self, pane: str) -> None:
        """Makes `pane` the active one: where only one is shown, it is the one."""
        if pane not in PANES:
            return
        self.active = pane
        column = "left" if pane in ("plan", "sources") else "right"
        shown = {"report": "report-pane"}.get(pane, pane)
        for widget in self.query(".pane, #left, #right"):
            widget.set_class(widget.id in (shown, column), "-active")

    def enter(self, pane: str = "") -> None:
        """Gives the keyboard to `pane`, or to the active one."""
        self.activate(pane)
        target: Widget = self.query_one(ReportText) if self.active == "report" else self.query_one(f"#{self.active}")
        target.focus(scroll_visible=False)

    def go_to(self, pane: str, row: str) -> None:
        """Moves a list pane's cursor to a row, with what stands above it in sight."""
        self.query_one(f"#{pane}", Pane).go_to(row, context=2)

    def toggle_zoom(self) -> None:
        self.toggle_class("-zoomed")
