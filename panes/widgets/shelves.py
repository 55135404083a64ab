"""The library's list of sources, and beside it, where there is room, what is known of the one under the cursor."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal

from panes.keymap import bindings
from panes.shelf import Listed, title_of
from panes.widgets.kept import Kept
from panes.widgets.line_view import LineView
from panes.widgets.table import Column, Item, Table

COLUMNS = (
    Column("Title", 0),
    Column("Kind", 10, needs=60),
    Column("Language", 8, needs=90),
    Column("Passages", 8, right=True, needs=50),
    Column("Added", 10, needs=84),
    Column("Status", 12, needs=62),
)


class Details(LineView):
    """What is known of the source under the cursor."""

    BINDINGS = bindings("text", "details")


class Shelves(Horizontal, Kept):
    """Both of them; the screen says which are shown."""

    BLANK = True

    def __init__(self) -> None:
        super().__init__(id="shelves")

    def compose(self) -> ComposeResult:
        yield Table(*COLUMNS)
        yield Details("source-detail")


def item_of(key: str, source: Listed) -> Item:
    """The cells of a source."""
    status = str(source.get("status") or "")
    cells = (
        str(source.get(field) if source.get(field) is not None else "") for field in ("kind", "language", "passages")
    )
    added = str(source.get("added") or "")[:10]
    return Item(key, (title_of(source), *cells, added, status), "" if status in ("ok", "") else "warn")
