"""Pictures of the screens, from a recorded run. After a change that is meant: pytest tests/panes --snapshot-update"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.pilot import Pilot

from workstation.config import Config
from workstation.memory.events import SubQuestion

from .conftest import Workstation
from .live import live_engine
from .recorded import COST, PLAN, changed_events, run_events, waiting_events
from .recorded import until as events_until
from .seeing import focused, until, until_shown

Compare = Callable[..., bool]
SIZES = [(80, 24), (120, 40)]


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])
def test_the_home_screen(workstation: Workstation, snap_compare: Compare, size: tuple[int, int]) -> None:
    workstation.has_run("done")
    workstation.has_run("stopped", events_until(run_events(), "need_closed", 2))
    everywhere_the_same = Path("/nowhere/library")  # its path is in the picture
    workstation.options = SimpleNamespace(
        library=everywhere_the_same,
        reports=workstation.reports,
        models=workstation.home,
        offline=True,
        config=Config.load(),
    )

    async def ready(pilot: Pilot[Any]) -> None:
        await until_shown(pilot, "Go on with")
        await until(pilot, lambda: focused(pilot) == "welcome")

    assert snap_compare(workstation.app(), terminal_size=size, run_before=ready)


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])
def test_a_finished_run_at_a_citation(workstation: Workstation, snap_compare: Compare, size: tuple[int, int]) -> None:
    folder = workstation.has_run()

    async def ready(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: focused(pilot) == "report")
        await pilot.press("n", "n", "n")
        await until_shown(pilot, "[1] The four Eddystone lighthouses, Smeaton, 1759: ")

    assert snap_compare(workstation.app(folder), terminal_size=size, run_before=ready)


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])
def test_a_changed_plan_that_waits(workstation: Workstation, snap_compare: Compare, size: tuple[int, int]) -> None:
    reworded = PLAN[1].model_copy(update={"id": "s6", "text": "When was it lit?"})
    plan = (PLAN[0], reworded, PLAN[3], SubQuestion(id="s7", text=COST), PLAN[4])
    events = [*waiting_events(), *changed_events("drop 3, add what it cost to build", plan)]
    folder = workstation.has_run("waiting", events)

    async def ready(pilot: Pilot[Any]) -> None:
        await until_shown(pilot, "Waiting for your approval")
        await until_shown(pilot, "Approve the plan or say")

    with live_engine(folder):
        assert snap_compare(workstation.app(folder), terminal_size=size, run_before=ready)


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])
def test_the_reader_at_the_quoted_span(workstation: Workstation, snap_compare: Compare, size: tuple[int, int]) -> None:
    folder = workstation.has_run()

    async def ready(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: focused(pilot) == "report")
        await pilot.press("n", "enter")
        await until(pilot, lambda: focused(pilot) == "evidence")
        await until_shown(pilot, "Evidence")
        await pilot.press("enter")
        await until_shown(pilot, "Place 3 of 5")
        await until_shown(pilot, "▌")

    assert snap_compare(workstation.app(folder), terminal_size=size, run_before=ready)
