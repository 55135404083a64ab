"""The search screen: passages as one types, by their words at once and ranked as soon as the typing stops."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Label

from panes import wording
from panes.doors import Doors
from panes.found import Found, ResultRows, citation_of, nothing_found, reading_of
from panes.keymap import Scope, bindings, footer
from panes.messages import CopyAsked, RunOpened
from panes.rows import inert
from panes.screens.calm import CalmScreen
from panes.screens.reader import ReaderScreen
from panes.screens.steering import Steering
from panes.screens.why import WhyScreen
from panes.search_line import FindInput, filter_in, next_of, with_filter
from panes.troubles import lines_of
from panes.why import WhyQuestion
from panes.widgets.bars import Bar, KeyLine
from panes.widgets.pane import empty
from panes.widgets.row_list import RowList
from workstation.errors import FloriError

PAUSE_S = 0.06
"""Without a key, before the whole search is asked for: people type a letter in 0.1 to 0.2 s."""
SHOWN = 20
SPANS = (0, 4, 9)
"""Years back that the key for dates offers: this year, the last five, the last ten."""


class SearchScreen(CalmScreen[None]):
    """Every key asks for the passages that hold the words; a pause, for the whole search. Only the answers to what
    stands in the line are shown, and never one by words over the ranked one of the same line."""

    BINDINGS = bindings("search")
    AUTO_FOCUS = "#find"
    SCOPES = ("list", "search", "find", "app")

    def __init__(self, doors: Doors) -> None:
        super().__init__()
        self._doors = doors
        self._steer = Steering(self, doors.engine, self._say)
        self._known: Mapping[str, Any] = {}
        self._found: dict[str, Found] = {}
        self._words = ""
        self._ranked_for = ""
        self._pause: Timer | None = None

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return ("find", "app") if isinstance(self.focused, FindInput) else ("list", "search", "app")

    def compose(self) -> ComposeResult:
        yield Bar("top")
        with Horizontal(id="find-line"):
            yield Label("Search ", id="find-label")
            yield FindInput()
        yield ResultRows()
        yield Bar("where")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#top", Bar).put(Content.styled(inert(f"Search   {self._doors.options.library}"), "bold"))
        self._draw((), nothing_found("", {}, ranked=False, known={}))
        self.run_worker(self._prepare(), group="prepare", exit_on_error=False)

    def watch_focused(self, focused: Widget | None) -> None:
        if focused:
            self.query_one(KeyLine).show(footer(*self.scopes))

    # what is typed

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        query = self._query
        if self._pause:
            self._pause.stop()
        self._ranked_for = ""
        if not query:
            self._words = ""
            self._draw((), nothing_found("", {}, ranked=False, known=self._known))
            self._say("")
            return
        self.run_worker(partial(self._by_words, query), group="words", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]
        self._pause = self.set_timer(PAUSE_S, self._ask_for_all)

    def _ask_for_all(self) -> None:
        self.run_worker(partial(self._ranked, self._query), group="ranked", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]

    async def _prepare(self) -> None:
        """What the filters can be, and the models in memory while the first words are typed."""
        lookups = self._doors.lookups()
        try:
            self._known = await lookups.facets()
            if not self._query:
                self._say(f"{wording.count(int(self._known.get('passages') or 0), 'passage')} can be searched")
            await lookups.warm()
        except (FloriError, OSError) as error:
            self._trouble(error)

    async def _by_words(self, query: str) -> None:
        try:
            document = await self._doors.lookups().words(query, SHOWN)
        except (FloriError, OSError) as error:
            self._trouble(error)
            return
        if not document.get("superseded") and query == self._query and query != self._ranked_for:
            self._show(document)

    async def _ranked(self, query: str) -> None:
        try:
            document = await self._doors.lookups().search(query, SHOWN)
        except (FloriError, OSError) as error:
            if query == self._query:
                self._trouble(error)
            return
        if not document.get("superseded") and query == self._query:
            self._ranked_for = query
            self._show(document)

    def _show(self, document: Mapping[str, Any]) -> None:
        found, ranked = document.get("candidates") or (), bool(document.get("ranked"))
        words, filters = str(document.get("query") or ""), document.get("filters") or {}
        self._words = words
        self._draw(found, nothing_found(words, filters, ranked=ranked, known=self._known))
        if not words:
            self._say("")
        elif not ranked:
            self._say(f"{_counted(found)} with these words; ranking ...")
        elif found and not (document.get("gate") or {}).get("covered", True):
            self._say(f"The best {_counted(found)}. None is close to what you ask: try other words.")
        else:
            self._say(f"The best {_counted(found)}" if found else "Nothing found")

    def _draw(self, found: Sequence[Found], nothing: list[Any]) -> None:
        rows = self.query_one(ResultRows)
        self._found = {str(one["passage"]): one for one in found}
        if not rows.has_focus:  # who types looks at the best one
            rows.start()
        rows.set_found(found, nothing)

    def _trouble(self, error: FloriError | OSError) -> None:
        title, *rest = lines_of(error)
        self._draw((), empty(title, *rest))
        self._say("The library could not be searched.")

    # what can be done with a passage

    def on_find_input_wanted(self, event: FindInput.Wanted) -> None:
        rows = self.query_one(ResultRows)
        match event.what:
            case "open":
                rows.action_choose()
            case "results":
                self.set_focus(rows)
            case "move":
                rows.action_step(event.by)
            case _:
                self.action_close()

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        if found := self._found.get(event.key):
            self.app.push_screen(ReaderScreen(self._doors, reading_of(found)))

    def action_other(self) -> None:
        self.set_focus(self.query_one(FindInput))

    def action_close(self) -> None:
        self.dismiss()

    def action_copy(self) -> None:
        if found := self._found.get(self.query_one(ResultRows).cursor):
            self.post_message(CopyAsked(f"“{found['text']}”\n({citation_of(found)})", "the passage with its citation"))

    def action_why(self) -> None:
        if found := self._found.get(self.query_one(ResultRows).cursor):
            asked = WhyQuestion(self._query, int(found["passage"]), citation_of(found), keep=SHOWN)
            self.app.push_screen(WhyScreen(self._doors, asked))

    async def action_research(self) -> None:
        """Starts a run whose question is what was searched for, without the filters."""
        if not self._words:
            self._say("Type what to look for first.")
            return
        folder = await self._steer.start(self._words, self._doors.asking)
        if folder:
            self.post_message(RunOpened(folder, launched=True))

    def action_cycle(self, name: str) -> None:
        """The next value of a filter, written into the search line; after the last one none."""
        years = [str(datetime.datetime.now(datetime.UTC).year - back) for back in SPANS]
        values = {"kind": "kinds", "lang": "languages"}
        choices = years if name == "after" else [str(x).lower() for x in self._known.get(values[name]) or ()]
        field = self.query_one(FindInput)
        field.value = with_filter(field.value, name, next_of(choices, filter_in(field.value, name)))
        field.cursor_position = len(field.value)

    @property
    def _query(self) -> str:
        return self.query_one(FindInput).wanted

    def _say(self, text: str) -> None:
        self.query_one("#where", Bar).put(Content(inert(text)))


def _counted(found: Sequence[Found]) -> str:
    return wording.count(len(found), "passage")
