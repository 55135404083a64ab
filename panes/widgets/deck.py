"""The four panes side by side, or one at a time: where there is no room, or when one is zoomed."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from panes.evidence import EvidencePane
from panes.plan import PlanPane
from panes.proportions import PARTS, Proportions, Share
from panes.report import ReportPane, ReportText
from panes.run_view import Snapshot
from panes.sources import SourcesPane
from panes.widgets.bars import WIDE
from panes.widgets.kept import Kept
from panes.widgets.line_view import LineView
from panes.widgets.pane import PANES, Pane
from workstation.memory.state import ResearchState

WAYS = {
    "plan": ("left", "plan"),
    "sources": ("left", "sources"),
    "evidence": ("right", "evidence"),
    "report": ("right", "report-pane", "report"),
}
"""What must be shown for a pane to be seen: from the deck's columns down to it."""
LEFT, LEFT_HUGE = 32, 24
"""The left column's percent of the width, as the sheet has it."""
HUGE = 160
"""From so many columns on report and evidence stand side by side as well."""
USUAL: dict[Share, int] = {"plan": 12, "report": 13, "report_beside": 12}
"""The parts of 20 that the first pane of a column has in the sheet."""
ALL = frozenset(id for way in WAYS.values() for id in way)


class Column(Vertical, Kept):
    """Panes one above the other."""


class Deck(Horizontal, Kept):
    """Holds the panes. One of them is the active one: it has the keyboard, or gets it back from the ask line."""

    BLANK = True

    def __init__(self) -> None:
        super().__init__(id="deck")
        self.active = "plan"
        self.zoomed = self._narrow = self._huge = False
        self.proportions = Proportions()
        self._state = ResearchState()
        self._seen: dict[str, object] = {}
        self._sizes: dict[tuple[str, str], str] = {}

    def compose(self) -> ComposeResult:
        with Column(id="left"):
            yield PlanPane("plan")
            yield SourcesPane("sources")
        with Column(id="right"):
            yield ReportPane()
            yield EvidencePane("evidence")

    @property
    def single(self) -> bool:
        """Whether only the active pane is shown."""
        return self._narrow or self.zoomed

    def show(self, snapshot: Snapshot) -> None:
        """Draws a run's state in every pane."""
        fresh, self._state = not self._state.seq, snapshot.state
        if fresh:
            self._seen = {pane: self._content(pane) for pane in PANES}
        self.query_one(PlanPane).show(snapshot)
        self.query_one(SourcesPane).show(snapshot)
        self.query_one(EvidencePane).show(snapshot)
        self.query_one(ReportPane).show(snapshot)

    def reset(self) -> None:
        """Back to the beginning in every pane, for another run."""
        self._state = ResearchState()
        for view in self.query(LineView):
            view.reset()

    def has_news(self, pane: str) -> bool:
        """Whether a pane got something since it was last the active one."""
        if pane == self.active:
            self._seen[pane] = self._content(pane)
        return self._seen.get(pane) != self._content(pane)

    def _content(self, pane: str) -> object:
        state = self._state
        contents: dict[str, object] = {
            "plan": (len(state.proposed), sum(need.status != "open" for need in state.needs)),
            "sources": len(state.ledger),
            "evidence": len(state.notes),
            "report": (len(state.paragraphs), state.check is not None, state.revision),
        }
        return contents[pane]

    def fit(self, width: int) -> None:
        """So many columns are there for the panes."""
        self._narrow, self._huge = width < WIDE, width >= HUGE
        self._arrange()

    def activate(self, pane: str) -> None:
        """Makes `pane` the active one: where only one is shown, it is the one."""
        if pane in PANES and pane != self.active:
            self.active = pane
            self._arrange()

    def enter(self, pane: str = "") -> None:
        """Gives the keyboard to `pane`, or to the active one, at once: it is drawn with all that changes with it."""
        self.activate(pane)
        self.screen.set_focus(self.query_one(f"#{self.active}"), scroll_visible=False)

    def go_to(self, pane: str, row: str) -> None:
        """Moves a list pane's cursor to a row, with what stands above it in sight; in the report, to a citation."""
        if pane == "report":
            self.query_one(ReportText).go_to(row)
            return
        self.query_one(f"#{pane}", Pane).go_to(row, context=2)

    def toggle_zoom(self) -> None:
        self.zoomed = not self.zoomed
        self._arrange()

    def widen(self, by: int) -> None:
        """Makes the left column a step wider (1) or narrower (-1)."""
        self.proportions = self.proportions.widened(by, LEFT_HUGE if self._huge else LEFT)
        self._arrange()

    def heighten(self, by: int) -> None:
        """Gives the active pane a part more (1) or less (-1) of its column."""
        first, second = ("plan", "sources") if self.active in ("plan", "sources") else ("report", "evidence")
        share: Share = "plan" if first == "plan" else "report_beside" if self._huge else "report"
        by = -by if self.active == second else by
        self.proportions = self.proportions.heightened(share, by, USUAL[share])
        self._arrange()

    def _share_room(self) -> None:
        """Gives each pane its room: as the sheet has it where the user changed nothing, or where one stands alone."""
        wanted, single = self.proportions, self.single
        self._set_room("left", "width", f"{wanted.column(LEFT_HUGE if self._huge else LEFT)}%" if wanted.left else "")
        beside = wanted.report_beside if self._huge else 0
        above = 0 if self._huge else wanted.report
        for first, second, side, parts in (
            ("plan", "sources", "height", wanted.plan),
            ("report-pane", "evidence", "height", above),
            ("report-pane", "evidence", "width", beside),
        ):
            self._set_room(first, side, f"{parts}fr" if parts and not single else "")
            self._set_room(second, side, f"{PARTS - parts}fr" if parts and not single else "")

    def _set_room(self, id: str, side: str, size: str) -> None:
        """Sets a size of a widget over the sheet's, or leaves it to the sheet; only what is different is touched."""
        size = "" if self.single else size
        if self._sizes.get((id, side), "") == size:
            return
        self._sizes[id, side] = size
        styles = self.query_one(f"#{id}").styles
        if size:
            setattr(styles, side, size)
        else:
            styles.clear_rule(side)
            self.query_one(f"#{id}").refresh(layout=True)

    def _arrange(self) -> None:
        """Shows every pane, or the active one alone. Said to the widgets themselves: see the sheet."""
        shown = frozenset(WAYS[self.active]) if self.single else ALL
        for id in ALL:
            widget = self.query_one(f"#{id}")
            widget.display = id in shown
            if widget.display:
                widget.set_class(self.single, "-alone")
        self._share_room()
