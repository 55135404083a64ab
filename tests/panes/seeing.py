"""What a person sees: the text on the screen, of one pane, and waiting until it is there."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, Label

from panes.widgets.bars import Bar
from panes.widgets.line_view import LineView
from panes.widgets.row_list import RowList

PATIENCE_S = 20.0


def screen_text(app: App[Any]) -> str:
    """The whole screen as text, line by line."""
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def pane_text(pilot: Pilot[Any], selector: str) -> str:
    """All rows of a pane, in sight or not."""
    return "\n".join(row.text for row in view(pilot, selector).rows)


def view(pilot: Pilot[Any], selector: str) -> LineView:
    return pilot.app.screen.query_one(selector, LineView)


def rows_of(pilot: Pilot[Any], selector: str) -> RowList:
    return pilot.app.screen.query_one(selector, RowList)


def bar_text(pilot: Pilot[Any], selector: str) -> str:
    bar = pilot.app.screen.query_one(selector, Bar)
    return bar.text if bar.display else ""


def label(pilot: Pilot[Any]) -> str:
    """What the ask line says that Enter will do."""
    return str(pilot.app.screen.query_one("#ask-label", Label).render()).strip()


def typed(pilot: Pilot[Any]) -> str:
    """What stands in the ask line."""
    return pilot.app.screen.query_one(Input).value


def focused(pilot: Pilot[Any]) -> str:
    """The id of what has the keyboard."""
    return (pilot.app.focused.id or "") if pilot.app.focused else ""


def screen_name(pilot: Pilot[Any]) -> str:
    return type(pilot.app.screen).__name__


async def until(pilot: Pilot[Any], condition: Callable[[], bool]) -> None:
    """Waits until `condition` holds; fails with the screen's text when it does not come to hold."""
    end = time.monotonic() + PATIENCE_S
    while True:
        await pilot.pause(0.01)
        if condition():
            return
        if time.monotonic() > end:
            raise AssertionError(f"it never came to be. The screen shows:\n{screen_text(pilot.app)}")


async def until_shown(pilot: Pilot[Any], text: str) -> None:
    await until(pilot, lambda: text in screen_text(pilot.app))
