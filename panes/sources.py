"""The sources pane: the citation ledger, one source a row, by the number that the report cites it by."""

from __future__ import annotations

from panes import wording
from panes.keymap import bindings
from panes.messages import SourceOpened, UsesAsked
from panes.rows import Pen, Row
from panes.run_view import Snapshot
from panes.widgets.pane import Pane, empty
from panes.widgets.row_list import RowList
from workstation.memory.state import LedgerEntry


class SourcesPane(Pane):
    """Choosing a source opens it in the reader, with all places that the run used."""

    BINDINGS = bindings("sources")

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self._made: dict[int, tuple[LedgerEntry, list[Row]]] = {}

    def show(self, snapshot: Snapshot) -> None:
        ledger = snapshot.state.ledger
        self._made = {entry.number: self._entry(entry) for entry in ledger}
        rows = [row for _, entry in self._made.values() for row in entry]
        nothing = empty("No sources yet", "Each source gets its number when it is first quoted.")
        self.set_rows(rows or nothing)
        self.set_class(not rows, "-empty")
        self.entitle(str(len(ledger)) if ledger else "")

    def _entry(self, entry: LedgerEntry) -> tuple[LedgerEntry, list[Row]]:
        made = self._made.get(entry.number)
        return made if made and made[0] is entry else (entry, _rows(entry))

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.post_message(SourceOpened(int(event.key)))

    def action_uses(self) -> None:
        if self.cursor:
            self.post_message(UsesAsked(int(self.cursor)))


def _rows(entry: LedgerEntry) -> list[Row]:
    number = f"[{entry.number}] "
    facts = [entry.kind, entry.date or "", wording.count(len(entry.places), "place")]
    return [
        Pen().put(number, "cite").put(entry.title or entry.path).row(str(entry.number), hang=len(number)),
        Pen().put(" " * len(number)).put(", ".join(part for part in facts if part), "dim").row(hang=len(number)),
    ]
