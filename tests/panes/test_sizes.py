"""Any size, any key, any script: the screen goes on, and no line is wider than the terminal."""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.pilot import Pilot

from panes.keymap import KEYS

from .conftest import Workstation
from .recorded import run_events, waiting_events
from .seeing import bar_text, focused, screen_text, until, until_shown
from .test_inert import hostile_events

STORM = 120
NOT_HERE = {"quit", "edit_plan"}  # the first ends the workstation, the second waits for an editor
SENT = sorted(
    {name for key in KEYS if key.id not in NOT_HERE for name in key.keys.split(",")} - {"ctrl+q", "ctrl+c", "q", "o"}
)
WIDE = "这座灯塔建于一七五九年，由斯密顿用石头建造。"
RIGHT_TO_LEFT = "המגדלור נבנה באבן בשנת 1759 (Smeaton)"
ARABIC = "بُنيت المنارة من الحجر عام 1759"


def fits(pilot: Pilot[int]) -> bool:
    """Whether every line takes exactly the terminal's columns."""
    strips = pilot.app.screen._compositor.render_strips()
    width = pilot.app.size.width
    return all(sum(cell_len(segment.text) for segment in strip) == width for strip in strips)


async def test_a_storm_of_sizes_leaves_the_screen_as_it_was(workstation: Workstation) -> None:
    chance = random.Random(1)
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(120, 40)) as pilot:
        await pilot.press("3")
        await until_shown(pilot, "━3 Evidence")
        before = screen_text(pilot.app)
        for turn in range(STORM):
            await pilot.resize_terminal(chance.randint(20, 250), chance.randint(5, 80))
            if turn % 40 == 0:
                assert fits(pilot)
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: screen_text(pilot.app) == before)


@pytest.mark.parametrize("size", [(40, 10), (20, 5), (9, 3), (1, 1)])
async def test_a_window_however_small_breaks_nothing(workstation: Workstation, size: tuple[int, int]) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=size) as pilot:
        for key in (
            "1",
            "2",
            "3",
            "4",
            "n",
            "y",
            "z",
            "slash",
            "escape",
            "f3",
            "escape",
            "f4",
            "escape",
            "f1",
            "escape",
        ):
            await pilot.press(key)
            await pilot.pause()
            assert fits(pilot)
        await pilot.resize_terminal(80, 24)
        await until_shown(pilot, "4 Report")


Step = st.tuples(st.integers(20, 200), st.integers(5, 60)) | st.sampled_from(SENT)


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from([run_events(), waiting_events(), hostile_events("x\x1b[2J"), run_events()[:14]]),
    st.lists(Step, min_size=5, max_size=16),
)
async def test_no_sizes_and_keys_bring_it_down(events: list[object], steps: list[tuple[int, int] | str]) -> None:
    with TemporaryDirectory() as home:
        workstation = Workstation(Path(home))
        folder = workstation.has_run("run", events)  # type: ignore[arg-type]  # a strategy's list
        async with workstation.opened(folder, size=(100, 30)) as pilot:
            for step in steps:
                if isinstance(step, str):
                    await pilot.press(step)
                else:
                    await pilot.resize_terminal(*step)
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            assert fits(pilot)


@pytest.mark.parametrize(
    "text", [WIDE, RIGHT_TO_LEFT, ARABIC, "e\u0301 \u200d👩‍👩‍👧 ｗｉｄｅ"], ids=["cjk", "he", "ar", "joined"]
)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 10)], ids=str)
async def test_wide_and_right_to_left_text_keeps_to_its_columns(
    workstation: Workstation, text: str, size: tuple[int, int]
) -> None:
    folder = workstation.has_run("foreign", hostile_events(text * 3))
    async with workstation.opened(folder, size=size) as pilot:
        for key in ("1", "2", "3", "4", "n", "f3"):
            await pilot.press(key)
            await pilot.pause()
            assert fits(pilot)


async def test_zoom_gives_one_pane_the_screen_and_escape_gives_it_back(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await until(pilot, lambda: focused(pilot) == "report")
        await pilot.press("z")
        await until(pilot, lambda: pilot.app.screen.query_one("#report").size.width > 110)
        await pilot.press("tab")
        await until(pilot, lambda: focused(pilot) == "ask")
        await pilot.press("tab")
        await until(pilot, lambda: focused(pilot) == "plan" and pilot.app.screen.query_one("#plan").size.width > 110)
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen.query_one("#plan").size.width < 50)


async def test_a_narrow_screen_shows_one_pane_with_tabs(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        for key, pane in (("1", "plan"), ("2", "sources"), ("3", "evidence"), ("4", "report")):
            await pilot.press(key)
            await until(pilot, lambda pane=pane: focused(pilot) == pane)  # type: ignore[misc]
            await until(pilot, lambda pane=pane: pilot.app.screen.query_one(f"#{pane}").size.width > 70)  # type: ignore[misc]
        top = bar_text(pilot, "#top")
        assert all(name in top for name in ("1 Plan", "2 Sources", "3 Evidence", "4 Report"))


async def test_a_tiny_screen_is_usable(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(40, 10)) as pilot:
        await until_shown(pilot, "4 Report")
        await until_shown(pilot, "F1 Keys")
        await pilot.press("n", "enter")
        await until(pilot, lambda: focused(pilot) == "evidence")
        await pilot.press("enter")
        await until_shown(pilot, "Place ")
