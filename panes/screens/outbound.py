"""The outbound screen: every request that left this machine, and every attempt that was refused, newest first."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from panes import wording
from panes.doors import Doors
from panes.keymap import Scope, bindings, shown
from panes.outbound_log import KINDS, Figures, Kind, count, newest
from panes.rows import Pen, Row, inert
from panes.screens.calm import CalmScreen
from panes.widgets.bars import Bar, KeyLine
from panes.widgets.entry import EntryInput, EntryLine
from panes.widgets.pane import empty
from panes.widgets.row_list import RowList
from panes.widgets.table import Column, Item, Table
from panes.wording import when
from workstation.discovery.outbound import outbound_log

REFRESH_S = 1.0
AT_ONCE = 500
"""Lines that are shown at first, and that each "more" adds: what a person reads, and what is made in a frame."""
MORE = "more"


class OutboundScreen(CalmScreen[None]):
    """Reads the log in a thread, its end first; looks every second whether it has grown."""

    BINDINGS = bindings("outbound")
    AUTO_FOCUS = "#rows"
    SCOPES = ("list", "outbound", "app")

    def __init__(self, doors: Doors) -> None:
        super().__init__()
        self._doors = doors
        self._log = outbound_log()
        self._kind: Kind = "all"
        self._words, self._most = "", AT_ONCE
        self._figures = Figures()
        self._drawn: tuple[Figures, Kind, str, int] | None = None
        self._lines: dict[str, Mapping[str, Any]] = {}
        self._looking = self._wanted = False

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return ("entry", "app") if isinstance(self.focused, EntryInput) else self.SCOPES

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield Bar("where")
        yield Table(
            Column("Time", 17),
            Column("Result", 10),
            Column("Bytes", 11, right=True, needs=60),
            Column("Host and address", 0),
            Column("Why", 26, needs=100),
        )
        yield EntryLine()
        yield KeyLine()

    def on_mount(self) -> None:
        reach = (
            "off (offline)"
            if self._doors.options.offline
            else "on for runs that may read the web, and for pages you name"
        )
        self.query_one("#top", Bar).put(Content.styled(f"Outbound   network: {reach}", "bold"))
        self.set_interval(REFRESH_S, self._look)
        self.call_after_refresh(self._look)

    def watch_focused(self, focused: Widget | None) -> None:
        if focused:
            self.show_keys()

    def _look(self) -> None:
        """Looks again, after the look that may be under way: what is typed meanwhile is looked for once."""
        self._wanted = True
        if not self._looking:
            self._looking = True
            self.run_worker(self._keep_looking(), group="look")

    async def _keep_looking(self) -> None:
        try:
            while self._wanted and not self.gone:
                self._wanted = False
                await self._look_once()
        finally:
            self._looking = False

    async def _look_once(self) -> None:
        """Draws the list again when the log has grown or something else is asked of it."""
        self._figures = await asyncio.to_thread(count, self._log, self._figures)
        wanted = (self._figures, self._kind, self._words, self._most)
        if wanted == self._drawn:
            return
        lines, more = await asyncio.to_thread(newest, self._log, self._most, self._kind, self._words)
        if not self.gone:
            self._drawn = wanted
            self._draw(lines, more=more)

    def _draw(self, lines: list[dict[str, Any]], *, more: bool) -> None:
        total = self._figures.requests + self._figures.refused
        self._lines = {str(line["at"]): line for line in lines}
        items = [_item(key, line) for key, line in self._lines.items()]
        if more:
            items.append(Item(MORE, ("", "", "", f"Enter shows {AT_ONCE} older lines", ""), "dim"))
        nothing = empty("Nothing has left this machine", "Every request for a page will stand here, and every refusal.")
        if total:
            nothing = empty(
                "No line of the log is like that", f"{shown('outbound.close_outbound')} shows all of it again."
            )
        self.query_one(Table).rows.set_items(items, nothing)
        self._say(len(lines), more=more)

    def _say(self, listed: int, *, more: bool) -> None:
        figures = self._figures
        text = (
            f"{wording.count(figures.requests, 'request')}, {figures.received:,} bytes received, "
            f"{wording.count(figures.refused, 'attempt')} refused"
        )
        if self._kind != "all" or self._words:
            what = {"all": "lines", "requests": "requests", "refusals": "refusals"}[self._kind]
            with_ = f' with "{self._words}"' if self._words else ""
            text = f"Showing {what}{with_}: {listed:,}{' or more' if more else ''}   of {text}"
        self.query_one("#where", Bar).put(Content(inert(f"{text}   {self._log}")))

    # keys

    def action_find(self) -> None:
        self.query_one(EntryLine).open("Filter", "a host, a part of an address, why, a package", self._words)

    def on_entry_line_typed(self, event: EntryLine.Typed) -> None:
        self._words, self._most = " ".join(event.text.split()), AT_ONCE
        self._look()

    def on_entry_line_entered(self) -> None:
        self._to_list()

    def on_entry_line_left(self) -> None:
        self._words = ""
        self._to_list()
        self._look()

    def _to_list(self) -> None:
        self.query_one(EntryLine).close()
        self.set_focus(self.query_one(Table).rows)

    def action_kind(self) -> None:
        self._kind, self._most = KINDS[(KINDS.index(self._kind) + 1) % len(KINDS)], AT_ONCE
        self._look()

    def action_close(self) -> None:
        if self._words or self._kind != "all":
            self._words, self._kind, self._most = "", "all", AT_ONCE
            self._look()
        else:
            self.dismiss()

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        from panes.screens.detail import DetailScreen

        if event.key == MORE:
            self._most += AT_ONCE
            self._look()
        elif line := self._lines.get(event.key):
            self.app.push_screen(DetailScreen("Refused" if _refused(line) else "Request", _whole(line)))


def _refused(line: Mapping[str, Any]) -> bool:
    return line.get("outcome") == "refused"


def _result(line: Mapping[str, Any]) -> str:
    status = str(line.get("status") or "")
    return "refused" if _refused(line) else f"{line.get('outcome', '')} {status}".strip()


def _item(key: str, line: Mapping[str, Any]) -> Item:
    received = int(line.get("bytes") or 0)
    what = str(line.get("url") or line.get("host") or "")
    if by := line.get("by"):
        what = f"{what}  by {by}"
    cells = (when(str(line.get("time", ""))), _result(line), f"{received:,}" if received else "", what)
    return Item(key, (*cells, str(line.get("why", ""))), "warn" if line.get("outcome") != "ok" else "")


def _whole(line: Mapping[str, Any]) -> list[Row]:
    """All that a line says, the address in full."""
    said = {
        "Time": str(line.get("time", "")),
        "Result": "refused: nothing was sent" if _refused(line) else _result(line),
        "Host": str(line.get("host", "")),
        "Address": str(line.get("url", "")),
        "Why": str(line.get("why", "")),
        "Tried by": str(line.get("by", "")),
        "Bytes": f"{int(line.get('bytes') or 0):,} received, in {line.get('ms') or 0} ms",
        "For": str(line.get("run", "")),
    }
    return [Pen().put(f"{name:<10}", "strong").put(text).row(hang=10) for name, text in said.items() if text]
