"""Pictures of the screens at two sizes and in three themes, from recorded runs. After a change that is meant:
pytest tests/panes/test_pictures.py --snapshot-update"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from workstation.memory.events import SubQuestion

from .conftest import Workstation
from .live import live_engine
from .recorded import COST, PLAN, changed_events, run_events, waiting_events
from .recorded import until as events_until
from .seeing import focused, until, until_shown

Compare = Callable[..., bool]
THEMES = ["textual-dark", "textual-light", "ansi-dark"]
SIZES = [(80, 24), (120, 40)]


def _named(taken: tuple[str, tuple[int, int]]) -> str:
    theme, (columns, rows) = taken
    return f"{theme}-{columns}x{rows}"


@pytest.fixture(params=[(theme, size) for theme in THEMES for size in SIZES], ids=_named)
def taken(
    request: pytest.FixtureRequest, workstation: Workstation, snap_compare: Compare
) -> Callable[[Path | None, Callable[[Pilot[Any]], Awaitable[None]]], None]:
    """Opens the workstation, goes where the picture is taken, and compares it."""
    theme, size = request.param
    nowhere = Path("/nowhere")  # these paths are in the pictures: everywhere the same
    workstation.options = replace(workstation.options, library=nowhere / "library", models=nowhere / "models")

    def take(folder: Path | None, go: Callable[[Pilot[Any]], Awaitable[None]]) -> None:
        app = workstation.app(folder)
        app.theme = theme
        assert snap_compare(app, terminal_size=size, run_before=go)

    return take


Taken = Callable[[Path | None, Callable[[Pilot[Any]], Awaitable[None]]], None]


def test_the_home_screen(workstation: Workstation, taken: Taken) -> None:
    workstation.has_run("done")
    workstation.has_run("stopped", events_until(run_events(), "need_closed", 2))

    async def ready(pilot: Pilot[Any]) -> None:
        await until_shown(pilot, "Go on with")
        await until(pilot, lambda: focused(pilot) == "welcome")

    taken(None, ready)


def test_a_finished_run_at_a_citation(workstation: Workstation, taken: Taken) -> None:
    async def ready(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: focused(pilot) == "report")
        await pilot.press("n", "n", "n")
        await until_shown(pilot, "[1] The four Eddystone lighthouses, Smeaton, 1759: ")

    taken(workstation.has_run(), ready)


def test_the_evidence_in_another_order(workstation: Workstation, taken: Taken) -> None:
    async def ready(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: focused(pilot) == "report")
        await pilot.press("3", "b", "j")
        await until_shown(pilot, "by source")

    taken(workstation.has_run(), ready)


def test_a_changed_plan_that_waits(workstation: Workstation, taken: Taken) -> None:
    reworded = PLAN[1].model_copy(update={"id": "s6", "text": "When was it lit?"})
    plan = (PLAN[0], reworded, PLAN[3], SubQuestion(id="s7", text=COST), PLAN[4])
    events = [*waiting_events(), *changed_events("drop 3, add what it cost to build", plan)]
    folder = workstation.has_run("waiting", events)

    async def ready(pilot: Pilot[Any]) -> None:
        await until_shown(pilot, "Waiting for your approval")
        await until_shown(pilot, "Approve the plan or say")

    with live_engine(folder):
        taken(folder, ready)


def test_the_reader_at_the_quoted_span(workstation: Workstation, taken: Taken) -> None:
    async def ready(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: focused(pilot) == "report")
        await pilot.press("n", "enter")
        await until(pilot, lambda: focused(pilot) == "evidence")
        await until_shown(pilot, "Evidence")
        await pilot.press("enter")
        await until_shown(pilot, "Place 3 of 5")
        await until_shown(pilot, "▌")

    taken(workstation.has_run(), ready)


def test_the_library(taken: Taken) -> None:
    async def ready(pilot: Pilot[Any]) -> None:
        await pilot.press("f4")
        await until_shown(pilot, "The Bell Rock")
        await until(pilot, lambda: focused(pilot) == "rows")
        await pilot.press("t")
        await until_shown(pilot, "document")

    taken(None, ready)


def test_what_a_search_finds(taken: Taken) -> None:
    async def ready(pilot: Pilot[Any]) -> None:
        await pilot.press("f5")
        await until(pilot, lambda: focused(pilot) == "find")
        await pilot.press(*"tower")
        await until_shown(pilot, "close match")

    taken(None, ready)


def test_the_models(taken: Taken) -> None:
    async def ready(pilot: Pilot[Any]) -> None:
        await pilot.press("f6")
        await until_shown(pilot, "in use, verified")

    taken(None, ready)
