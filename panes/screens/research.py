"""The research screen: plan, sources, evidence and report of one run, and the ask line below them."""

from __future__ import annotations

from pathlib import Path

from textual import events
from textual.app import ComposeResult

from panes.asking import Asking
from panes.citations import evidence_of
from panes.keymap import Scope, bindings, footer
from panes.messages import CitationFollowed, NeedOpened, NoteOpened, PaneFocused, SourceOpened, StateChanged
from panes.ports import Engine, Lookups
from panes.run_view import RunView, Snapshot
from panes.screens.asking import AskingScreen
from panes.screens.reader import ReaderScreen, reading_of
from panes.screens.steering import Steered
from panes.widgets.ask import AskInput, AskLine
from panes.widgets.bars import WIDE, KeyLine, Notice, StatusLine, TopLine
from panes.widgets.deck import Deck
from panes.widgets.pane import PANES, titled
from workstation.memory.state import ResearchState


class ResearchScreen(AskingScreen):
    """Receives the panes' messages and decides: what is shown, what is opened, what the engine is told."""

    BINDINGS = bindings("research")
    AUTO_FOCUS = ""

    def __init__(self, engine: Engine, lookups: Lookups, asking: Asking, folder: Path, *, launched: bool) -> None:
        super().__init__(engine, asking)
        self._lookups = lookups
        self._view = RunView(folder, launched=launched)
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
        self._begin()

    # the run

    @property
    def snapshot(self) -> Snapshot:
        """The run that is open, as it stands."""
        return self._view.snapshot

    @property
    def state(self) -> ResearchState:
        return self.snapshot.state

    def open_run(self, folder: Path, *, launched: bool = False) -> None:
        """Shows another run; `launched` says that its engine was just started."""
        self._view.follow(folder, launched=launched)
        self._begin()

    def _begin(self) -> None:
        self._trail, self._fresh = [], True
        deck = self.query_one(Deck)
        deck.reset()
        deck.enter("plan")
        self._draw_bars()

    def on_state_changed(self, event: StateChanged) -> None:
        if event.snapshot.folder != self.snapshot.folder:
            return  # the last word of the run that was open before
        deck = self.query_one(Deck)
        deck.show(event.snapshot)
        if self._fresh:
            self._fresh = False
            if not self.query_one(AskInput).has_focus:
                deck.enter(_first_pane(event.snapshot))
        self._draw_bars()

    async def action_approve(self) -> None:
        if await self._steer.approve(self._steered()):
            self._view.expect_engine()

    async def action_enough(self) -> None:
        await self._steer.tell_run(self._steered(), "enough")

    async def action_cancel(self) -> None:
        await self._steer.tell_run(self._steered(), "cancel")

    async def action_continue(self) -> None:
        if await self._steer.go_on(self._steered()):
            self._view.expect_engine()

    def _steered(self) -> Steered:
        run = self.snapshot
        outcome = run.state.ended.outcome if run.state.ended else ""
        return Steered(run.folder, run.life in ("running", "starting"), run.waiting, outcome)

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

    def on_source_opened(self, event: SourceOpened) -> None:
        self._read(event.number, "")

    def _read(self, number: int, note: str) -> None:
        if reading := reading_of(self.state, number, note):
            self.app.push_screen(ReaderScreen(reading, self._lookups))

    def _jump(self, pane: str, row: str) -> None:
        """Goes to a row of a pane; Escape leads back from there."""
        deck = self.query_one(Deck)
        self._trail.append(deck.active)
        deck.enter(pane)
        deck.call_after_refresh(deck.go_to, pane, row)  # only then a pane that was hidden knows its height

    def action_back(self) -> None:
        deck = self.query_one(Deck)
        if self._trail:
            deck.enter(self._trail.pop())
        elif deck.zoomed:
            self.action_zoom()

    # which pane

    def action_pane(self, by: int) -> None:
        """The next or the previous of the panes and the ask line."""
        deck, ask = self.query_one(Deck), self.query_one(AskInput)
        stops = (*PANES, "ask")
        at = stops.index("ask" if ask.has_focus else deck.active)
        self.action_show(stops[(at + by) % len(stops)])

    def action_show(self, pane: str) -> None:
        self._trail = []
        if pane == "ask":
            self.action_ask()
        else:
            self.query_one(Deck).enter(pane)

    def action_zoom(self) -> None:
        self.query_one(Deck).toggle_zoom()
        self._draw_bars()

    def on_top_line_tab_clicked(self, event: TopLine.TabClicked) -> None:
        self.action_show(event.pane)

    def on_pane_focused(self, event: PaneFocused) -> None:
        deck = self.query_one(Deck)
        if not event.pane:  # the ask line was left
            deck.enter()
        deck.activate(event.pane)
        self._draw_bars()

    def on_resize(self, event: events.Resize) -> None:
        self._draw_bars(event.size.width)

    # the bars

    def _draw_bars(self, width: int = 0) -> None:
        deck, run = self.query_one(Deck), self.snapshot
        single = deck.zoomed or (width or self.size.width) < WIDE
        tabs = [(pane, titled(pane) + ("*" if deck.has_news(pane) else "")) for pane in PANES] if single else []
        self.query_one(TopLine).show(run.state.title or run.state.question, tabs, deck.active)
        self.query_one(Notice).show(run)
        self.query_one(StatusLine).show(run)
        idle = {"next_pane"} if self._trail or deck.zoomed else {"back"}  # keys that would do nothing, or less
        self.query_one(KeyLine).show(footer(*self._scopes(), without=frozenset(idle)))

    def _scopes(self) -> tuple[Scope, ...]:
        """The scopes of the keys that work right now, from inside out."""
        if self.query_one(AskInput).has_focus:
            return ("ask", "app")
        return ("report" if self.query_one(Deck).active == "report" else "list", "research", "app")


def _first_pane(snapshot: Snapshot) -> str:
    """Where to look first in a run that was just opened."""
    if snapshot.state.paragraphs:
        return "report"
    return "evidence" if snapshot.state.notes and snapshot.life == "running" else "plan"
