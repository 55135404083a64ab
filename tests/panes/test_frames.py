"""What a key costs, counted and not timed: frames, layouts, and how often the sheet is matched. And that what is
drawn in part looks like what is drawn anew.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from panes.rows import LazyRow, Pen, Row
from panes.widgets.row_list import RowList

from .conftest import Workstation
from .seeing import focused, screen_text, until

SIZES = [(80, 24), (120, 40)]


@pytest.fixture
def costs(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts what Textual does: "frame", "layout", "match" (the sheet against one widget)."""
    found: Counter[str] = Counter()

    def count(owner: type, method: str, name: str) -> None:
        original: Callable[..., Any] = getattr(owner, method)

        def counted(*args: Any, **options: Any) -> Any:
            found[name] += 1
            return original(*args, **options)

        monkeypatch.setattr(owner, method, counted)

    count(Screen, "_refresh_layout", "layout")
    count(Screen, "_compositor_refresh", "frame")
    count(Stylesheet, "apply", "match")
    return found


async def at_rest(pilot: Pilot[int], costs: Counter[str]) -> None:
    """Waits until nothing more is drawn."""
    while True:
        before = costs.copy()
        await pilot.pause(0.05)
        if costs == before:
            return


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])
async def test_turning_to_another_pane_is_one_frame_and_no_matching_of_the_sheet(
    workstation: Workstation, costs: Counter[str], size: tuple[int, int]
) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=size) as pilot:
        for key in "1234":  # a pane that is shown for the first time has its styles still to come
            await pilot.press(key)
        await at_rest(pilot, costs)
        for key, pane in (("1", "plan"), ("2", "sources"), ("3", "evidence"), ("4", "report")):
            costs.clear()
            await pilot.press(key)
            await until(pilot, lambda pane=pane: focused(pilot) == pane)  # type: ignore[misc]
            await at_rest(pilot, costs)
            assert costs["match"] == 0
            assert costs["layout"] <= (1 if size == (80, 24) else 0)
            assert costs["frame"] <= 2  # one; the second one is what a slow machine may make of it


async def test_typing_a_question_asks_for_no_layout(workstation: Workstation, costs: Counter[str]) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        await pilot.press("slash", "W")
        await at_rest(pilot, costs)
        costs.clear()
        await pilot.press(*"hy was it")
        await at_rest(pilot, costs)
        assert (costs["layout"], costs["match"]) == (0, 0)


async def test_the_pane_with_the_keyboard_is_the_one_that_is_lit(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        for key, title in (("1", "1 Plan"), ("2", "2 Sources"), ("3", "3 Evidence"), ("4", "4 Report")):
            await pilot.press(key)
            await until(pilot, lambda title=title: f"━{title}" in screen_text(pilot.app))  # type: ignore[misc]
            assert sum(f"━{number} " in screen_text(pilot.app) for number in "1234") == 1
        await pilot.press("slash")
        await until(pilot, lambda: "━" not in screen_text(pilot.app))


async def test_another_theme_colours_the_rows_as_well(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:

        def colours() -> set[str]:
            strips = pilot.app.screen._compositor.render_strips()
            return {str(segment.style) for strip in strips for segment in strip if segment.text == "[1]"}

        await until(pilot, lambda: bool(colours()))
        before = colours()
        pilot.app.theme = "nord"
        await until(pilot, lambda: not before & colours())


class Rows(App[None]):
    """A list and nothing else."""

    def compose(self) -> ComposeResult:
        yield RowList("rows")


@pytest.mark.parametrize("seed", range(4))
async def test_what_is_drawn_in_part_looks_like_what_is_drawn_anew(seed: int) -> None:
    """Rows come, go, grow and shrink while the view stands where it is; every line is drawn that has to be."""
    chance = random.Random(seed)
    words = ["The", "tower", "was", "lit", "on", "16", "October", "1759", "with", "24", "candles"]

    def row() -> Row:
        key = chance.choice(["", f"k{chance.randrange(40)}"])
        return (
            Pen().put(" ".join(chance.choices(words, k=chance.randrange(1, 30))), chance.choice(["", "cite"])).row(key)
        )

    app = Rows()
    async with app.run_test(size=(40, 12)) as pilot:
        view, rows = app.query_one(RowList), [row() for _ in range(8)]
        for _ in range(40):
            at = chance.randrange(len(rows) + 1)
            change = chance.choice(["grow", "shrink", "replace", "scroll", "empty"] if rows else ["grow"])
            match change:
                case "grow":
                    rows = [*rows[:at], *(row() for _ in range(chance.randrange(1, 9))), *rows[at:]]
                case "shrink":
                    rows = [*rows[: at // 2], *rows[at:]]
                case "replace":
                    rows = [*rows[:at], *(row() for _ in rows[at : at + 2]), *rows[at + 2 :]]
                case "scroll":
                    await pilot.press(chance.choice(["down", "pagedown", "up", "end"]))
                case _:
                    view.reset()
                    rows = []
            view.set_rows(rows)
            await pilot.pause()
            shown = screen_text(app)
            Widget.refresh(view)
            await pilot.pause()
            assert shown == screen_text(app), change


@pytest.mark.parametrize("key", ["f6", "f8"], ids=["models", "settings"])
async def test_what_is_said_of_a_row_asks_for_no_layout(
    workstation: Workstation, costs: Counter[str], key: str
) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press(key)
        await until(pilot, lambda: focused(pilot) == "rows" and "▌" in screen_text(pilot.app))
        await pilot.press("j", "k")
        await at_rest(pilot, costs)
        costs.clear()
        await pilot.press("j")
        await at_rest(pilot, costs)
        assert (costs["layout"], costs["match"]) == (0, 0)
        assert costs["frame"] <= 2


async def test_of_many_rows_those_in_sight_are_made_and_the_cursor_finds_every_one() -> None:
    """The height of what was never seen is a guess, and what is drawn is exact all the same."""
    made: list[int] = []
    words = "The tower was lit on 16 October 1759 with 24 candles. "

    def write(at: int) -> Row:
        made.append(at)
        return Pen().put(f"{at}: {words * (at % 5)}").row(f"k{at}")

    rows = [LazyRow(partial(write, at), f"k{at}", 0, 10) for at in range(20_000)]
    app = Rows()
    async with app.run_test(size=(40, 12)) as pilot:
        view = app.query_one(RowList)
        view.set_rows(rows)
        await pilot.pause()
        assert len(made) < 100
        for key in ("pagedown", "down", "end", "up", "pageup", "home", "down"):
            await pilot.press(key)
            assert f"▌{view.cursor[1:]}:" in screen_text(app), key
        view.go_to("k10003")
        await pilot.pause()
        assert "▌10003: The tower" in screen_text(app)
        numbers = [int(line[1:].split(":")[0]) for line in screen_text(app).splitlines() if line[1:6].isdigit()]
        assert numbers == sorted(set(numbers))
        assert len(made) < 400
