"""The research screen: plan, sources, evidence and report of one run, and the ask line below them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.widget import Widget

from panes import copying
from panes.citations import evidence_of
from panes.doors import Doors
from panes.evidence import EvidencePane
from panes.keymap import Key, Scope, bindings, footer, relabelled
from panes.messages import (
    CitationFollowed,
    CopyAsked,
    NeedOpened,
    NoteOpened,
    SourceOpened,
    StateChanged,
    UsesAsked,
    WhyAsked,
)
from panes.proportions import Proportions, load, save
from panes.purpose import ASK, purpose_of
from panes.report import ReportPane
from panes.run_view import RunView, Snapshot
from panes.screens.editing import NO_QUOTE, EditingScreen
from panes.screens.reader import ReaderScreen, reading_of
from panes.screens.uses import UsesScreen
from panes.uses import Use
from panes.widgets.ask import AskLine
from panes.widgets.bars import KeyLine, Notice, StatusLine, TopLine
from panes.widgets.deck import HUGE, Deck
from panes.widgets.pane import PANES, Pane, titled
from panes.widgets.row_list import RowList
from workstation.memory.state import ResearchState
from workstation.paths import state_dir

if TYPE_CHECKING:
    from workstation.planning.classify import Place

HIGH = 16
"""On fewer lines the quote below the report gets one of them only."""


class ResearchScreen(EditingScreen):
    """Receives the panes' messages and decides: what is shown, what is opened, what the engine is told."""

    BINDINGS = bindings("research", "talk")
    HORIZONTAL_BREAKPOINTS = [(HUGE, "-huge")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (HIGH, "-high")]  # noqa: RUF012
    AUTO_FOCUS = ""
    SCOPES = ("research", "plan", "evidence", "report", "list", "ask", "talk", "app")

    def __init__(self, doors: Doors, folder: Path, *, launched: bool) -> None:
        super().__init__(doors)
        self._view = RunView(folder, launched=launched, settle=doors.engine.settle)
        self._shown_run = self._view.snapshot
        self._trail: list[str] = []
        self._fresh = True
        self._remembered = Proportions()
        self._deck = Deck()

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield Notice()
        yield self._deck
        yield StatusLine()
        yield AskLine(self._asking)
        yield KeyLine()
        yield self._view

    def on_mount(self) -> None:
        self._deck.proportions = self._remembered = load(state_dir())
        self._deck.fit(self.app.size.width)
        self._begin()

    def on_unmount(self) -> None:
        if self._deck.proportions != self._remembered:
            save(state_dir(), self._deck.proportions)

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
        self._judged, self._edited_at = {}, -1
        self.end_aside()
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

        if self.state.note(event.note) is None:
            self._say(NO_QUOTE)
        elif asked := asked_in(self.state, event.note):
            self.app.push_screen(WhyScreen(self._doors, asked))
        else:
            self._say("No search of this run brought this quote: there is nothing to explain.")

    def on_source_opened(self, event: SourceOpened) -> None:
        self._read(event.number, "")

    def on_uses_asked(self, event: UsesAsked) -> None:
        self.app.push_screen(UsesScreen(self.state, event.number), self._go_to_use)

    def _go_to_use(self, use: Use | None) -> None:
        if use:
            self._jump(use.pane, use.key)

    def open_place(self, place: Place) -> bool:
        """[3] is the source that the open run cites by that number; with a page, at what it cites from there."""
        number, page = place.source or 0, place.page
        on_page = (n.id for n in self.state.notes if page and (n.number, n.place.page) == (number, page))
        return self._read(number, next(on_page, ""))

    def _read(self, number: int, note: str) -> bool:
        reading = reading_of(self.state, number, note)
        if reading:
            self.app.push_screen(ReaderScreen(self._doors, reading), self._go_to_use)
        return reading is not None

    def _jump(self, pane: str, row: str) -> None:
        """Goes to a row of a pane; Escape leads back from there."""
        deck = self.query_one(Deck)
        if pane == "evidence":
            deck.query_one(EvidencePane).uncover(row)
        self._trail.append(deck.active)
        self._enter(pane)
        deck.call_after_refresh(deck.go_to, pane, row)  # only then a pane that was hidden knows its height

    def action_back(self) -> None:
        if self._trail:
            self._enter(self._trail.pop())
        elif self.query_one(Deck).zoomed:
            self.action_zoom()

    # copying

    def action_copy(self) -> None:
        """Copies what the cursor of the active pane stands on."""
        if found := self._under_cursor():
            self.post_message(CopyAsked(*found))
        else:
            self._say("There is nothing to copy here.")

    def action_copy_report(self) -> None:
        if self.state.paragraphs:
            self.post_message(CopyAsked(*copying.report(self.state)))
        else:
            self._say("No report was written yet.")

    def _under_cursor(self) -> copying.Copy | None:
        state, pane = self.state, self.query_one(Deck).active
        if pane == "report":
            return self._in_report()
        key = self.query_one(f"#{pane}", Pane).cursor
        if pane == "evidence":
            return copying.quote(note, state) if (note := state.note(key)) else None
        if pane == "sources":
            return copying.reference(entry) if key and (entry := state.entry(int(key))) else None
        needs = {need.question.id: (need, number) for number, need in enumerate(state.needs, 1)}
        return copying.question(*needs[key]) if key in needs else None

    def _in_report(self) -> copying.Copy | None:
        """The quote behind the chosen citation, else the first paragraph in sight."""
        pane = self.query_one(ReportPane)
        if citation := pane.citation:
            note, entry = evidence_of(citation, self.state), self.state.entry(citation.number)
            return copying.quote(note, self.state) if note else copying.reference(entry) if entry else None
        paragraph = pane.in_sight()
        return copying.paragraph(paragraph, self.state) if paragraph else None

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

    def action_widen(self, by: int) -> None:
        """The left column wider or narrower, where both columns are seen."""
        self._resize(self.query_one(Deck).widen, by)

    def action_heighten(self, by: int) -> None:
        """More or less of its column for the pane that has the keyboard."""
        self._resize(self.query_one(Deck).heighten, by)

    def _resize(self, change: Callable[[int], None], by: int) -> None:
        if self.query_one(Deck).single:
            self._say("One pane has the whole screen: there is nothing to share.")
        else:
            change(by)

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
            if not self.asks:
                self.end_aside()
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

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        if event.list.id == "evidence":  # the key that rejects takes back what is rejected
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
        idle |= {"edit_plan"} if deck.active == "plan" else set()  # it is edited where it stands
        idle |= set() if run.waiting else {"approve", "edit_plan"}
        idle |= set() if self._steered().continuable and not (run.waiting or run.asked) else {"continue"}
        idle |= {"new_question"} if wanted is ASK or self._aside else set()
        idle |= {"ask_older"} if self.asks and wanted is not ASK else set()  # the way to a new question is worth more
        if deck.active == "evidence":  # the way on to the source, and the way back, before what is rarely wanted
            idle |= {"correct"} | ({"filter", "follow_up", "ask", "deepen"} if self._trail else set())
        labels = {"ask": line.purpose.label}
        if run.life == "ended" and run.stale:
            labels["continue"] = "Write again"
        if self.query_one(EvidencePane).on_rejected:
            labels["reject"] = "Restore"
        if deck.active == "evidence":
            labels["choose"] = "Its source"
        if deck.active == "plan" and (run.asked or run.waiting):
            labels["choose"] = "Choose" if run.asked else "Change"
        if line.does != ASK.label:
            labels["ask_start"] = line.does
        elif wanted is not ASK:
            labels["new_question"] = f"Back: {wanted.label.lower()}"
        return relabelled(footer(*self.scopes, without=frozenset(idle)), labels)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        if self.asks:
            return ("ask", "talk", "app")
        active = self.query_one(Deck).active
        if active == "report":
            return ("report", "research", "app")
        own: dict[str, tuple[Scope, ...]] = {
            "evidence": ("evidence",),
            "plan": ("plan",) if self.snapshot.waiting else (),
            "sources": ("sources",),
        }
        return (*own.get(active, ()), "list", "research", "app")


def _first_pane(snapshot: Snapshot) -> str:
    """Where to look first in a run that was just opened."""
    if snapshot.state.paragraphs:
        return "report"
    return "evidence" if snapshot.state.notes and snapshot.life == "running" else "plan"
