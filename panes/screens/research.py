"""The research screen: plan, sources, evidence and report of one run, and the ask line below them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.widget import Widget

from panes.citations import evidence_of
from panes.doors import Doors
from panes.keymap import Key, Scope, bindings, footer, relabelled
from panes.messages import CitationFollowed, NeedOpened, NoteOpened, SourceOpened, StateChanged, WhyAsked
from panes.purpose import ASK, purpose_of
from panes.run_view import RunView, Snapshot
from panes.screens.reader import ReaderScreen, reading_of
from panes.screens.talking import TalkingScreen
from panes.widgets.ask import AskLine
from panes.widgets.bars import KeyLine, Notice, StatusLine, TopLine
from panes.widgets.deck import Deck
from panes.widgets.pane import PANES, titled
from workstation.memory.state import ResearchState

if TYPE_CHECKING:
    from workstation.planning.classify import Place

HUGE = 160
"""From so many columns on report and evidence stand side by side as well."""
INNER: dict[str, tuple[Scope, ...]] = {"report": ("report",), "evidence": ("list", "evidence")}
"""The keys of a pane itself, where they are not those of any list."""
HIGH = 16
"""On fewer lines the quote below the report gets one of them only."""


class ResearchScreen(TalkingScreen):
    """Receives the panes' messages and decides: what is shown, what is opened, what the engine is told."""

    BINDINGS = bindings("research", "talk")
    HORIZONTAL_BREAKPOINTS = [(HUGE, "-huge")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (HIGH, "-high")]  # noqa: RUF012
    AUTO_FOCUS = ""
    SCOPES = ("research", "report", "evidence", "list", "ask", "talk", "app")

    def __init__(self, doors: Doors, folder: Path, *, launched: bool) -> None:
        super().__init__(doors)
        self._view = RunView(folder, launched=launched, settle=doors.engine.settle)
        self._shown_run = self._view.snapshot
        self._trail: list[str] = []
        self._fresh = True

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield Notice()
        yield Deck()
        yield StatusLine()
        yield AskLine(self._asking)
        yield KeyLine()
        yield self._view

    def on_mount(self) -> None:
        self.query_one(Deck).fit(self.app.size.width)
        self._begin()

    # the run

    @property
    def snapshot(self) -> Snapshot:
        """The run that is open, as it is shown."""
        return self._shown_run

    @property
    def state(self) -> ResearchState:
        return self.snapshot.state

    def open_run(self, folder: Path, *, launched: bool = False) -> None:
        """Shows another run; `launched` says that its engine was just started."""
        self._view.follow(folder, launched=launched)
        self._begin()

    def _begin(self) -> None:
        self._trail, self._fresh = [], True
        self._shown_run = self._view.snapshot
        self._asks_new, self._answered = False, ""
        self.follow_purpose(now=True)
        deck = self.query_one(Deck)
        deck.reset()
        deck.enter("plan")
        self._draw_bars()

    def on_state_changed(self, event: StateChanged) -> None:
        if event.snapshot.folder != self.snapshot.folder:
            return  # the last word of the run that was open before
        self._shown_run = event.snapshot
        self.follow_purpose()
        deck = self.query_one(Deck)
        deck.show(event.snapshot)
        if self._fresh:
            self._fresh = False
            if not self.asks:
                deck.enter(_first_pane(event.snapshot))
        self._draw_bars()

    # from a citation to its evidence to its source, and back

    def on_citation_followed(self, event: CitationFollowed) -> None:
        note = evidence_of(event.citation, self.state)
        self._jump("evidence" if note else "sources", note.id if note else str(event.citation.number))

    def on_need_opened(self, event: NeedOpened) -> None:
        note = next((note for note in self.state.notes if note.need == event.need), None)
        if note:
            self._jump("evidence", note.id)
        else:
            self._say("Nothing was found for this sub-question yet.")

    def on_note_opened(self, event: NoteOpened) -> None:
        if note := self.state.note(event.note):
            self._read(note.number, note.id)

    def on_why_asked(self, event: WhyAsked) -> None:
        from panes.screens.why import WhyScreen
        from panes.why import asked_in

        if asked := asked_in(self.state, event.note):
            self.app.push_screen(WhyScreen(self._doors, asked))
        else:
            self._say("No search of this run brought this quote: there is nothing to explain.")

    def on_source_opened(self, event: SourceOpened) -> None:
        self._read(event.number, "")

    def open_place(self, place: Place) -> bool:
        """[3] is the source that the open run cites by that number; with a page, at what it cites from there."""
        number, page = place.source or 0, place.page
        on_page = (n.id for n in self.state.notes if page and (n.number, n.place.page) == (number, page))
        return self._read(number, next(on_page, ""))

    def _read(self, number: int, note: str) -> bool:
        reading = reading_of(self.state, number, note)
        if reading:
            self.app.push_screen(ReaderScreen(self._doors, reading))
        return reading is not None

    def _jump(self, pane: str, row: str) -> None:
        """Goes to a row of a pane; Escape leads back from there."""
        deck = self.query_one(Deck)
        self._trail.append(deck.active)
        self._enter(pane)
        deck.call_after_refresh(deck.go_to, pane, row)  # only then a pane that was hidden knows its height

    def action_back(self) -> None:
        if self._trail:
            self._enter(self._trail.pop())
        elif self.query_one(Deck).zoomed:
            self.action_zoom()

    # which pane

    def action_pane(self, by: int) -> None:
        """The next or the previous of the panes and the ask line."""
        deck = self.query_one(Deck)
        stops = (*PANES, "ask")
        at = stops.index("ask" if self.asks else deck.active)
        self.action_show(stops[(at + by) % len(stops)])

    def action_show(self, pane: str) -> None:
        self._trail = []
        if pane == "ask":
            self.action_ask()
        else:
            self._enter(pane)

    def _enter(self, pane: str) -> None:
        self.query_one(Deck).enter(pane)
        self._draw_bars()  # the pane may have had the keyboard already: then only the way back is another one

    def action_zoom(self) -> None:
        self.query_one(Deck).toggle_zoom()
        self._draw_bars()

    def on_top_line_tab_clicked(self, event: TopLine.TabClicked) -> None:
        self.action_show(event.pane)

    def on_ask_left(self) -> None:
        self.leave_ask()

    def leave_ask(self, pane: str = "") -> None:
        self.query_one(Deck).enter(pane)

    def watch_focused(self, focused: Widget | None) -> None:
        """Every way to a pane or to the ask line leads here: all that changes with it is drawn at once."""
        if focused:
            self.query_one(Deck).activate(focused.id or "")
            self._draw_bars()

    def on_resize(self, event: events.Resize) -> None:
        self.query_one(Deck).fit(event.size.width)
        self._draw_bars()

    # the bars

    def _draw_bars(self) -> None:
        deck, run = self.query_one(Deck), self.snapshot
        tabs = [(pane, titled(pane) + ("*" if deck.has_news(pane) else "")) for pane in PANES] if deck.single else []
        self.query_one(TopLine).show(run.state.title or run.state.question, tabs, deck.active)
        self.query_one(Notice).show(run)
        self.query_one(StatusLine).show(run)
        self.query_one(KeyLine).show(self._keys())

    def on_purpose_changed(self) -> None:
        self.query_one(KeyLine).show(self._keys())

    def _keys(self) -> tuple[Key, ...]:
        """The keys that do something just then, and what those of the ask line do."""
        deck, line, run = self.query_one(Deck), self.query_one(AskLine), self.snapshot
        wanted = purpose_of(run)
        idle = {"next_pane"} if self._trail or deck.zoomed else {"back"}
        idle |= {"ask"} if run.done else {"follow_up"}
        idle |= set() if run.done and any(need.status != "answered" for need in run.state.needs) else {"deepen"}
        idle |= {"choose"} if run.waiting and deck.active == "plan" else set()
        idle |= set() if run.waiting else {"approve", "edit_plan"}
        idle |= {"new_question"} if wanted is ASK else set()
        idle |= {"ask_older"} if self.asks and wanted is not ASK else set()  # the way to a new question is worth more
        labels = {"ask": line.purpose.label} | ({"choose": "Choose"} if run.asked and deck.active == "plan" else {})
        if line.does != ASK.label:
            labels["ask_start"] = line.does
        elif wanted is not ASK:
            labels["new_question"] = f"Back: {wanted.label.lower()}"
        return relabelled(footer(*self.scopes, without=frozenset(idle)), labels)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        if self.asks:
            return ("ask", "talk", "app")
        inner = INNER.get(self.query_one(Deck).active, ("list",))
        return (*inner, "research", "app")


def _first_pane(snapshot: Snapshot) -> str:
    """Where to look first in a run that was just opened."""
    if snapshot.state.paragraphs:
        return "report"
    return "evidence" if snapshot.state.notes and snapshot.life == "running" else "plan"
