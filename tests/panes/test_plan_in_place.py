"""A plan that waits for approval, edited where it stands. What reaches the engine are the words that talking uses."""

from __future__ import annotations

from workstation.memory import events as e

from .conftest import Workstation
from .live import LiveEngine, live_engine
from .recorded import LIMITS, PLAN, waiting_events
from .seeing import bar_text, focused, pane_text, rows_of, until, until_shown
from .test_conversation import label, typed


def proposes(engine: LiveEngine, seq: int, words: str, items: tuple[e.SubQuestion, ...]) -> None:
    """What the engine does when it is told to change the plan."""
    engine.does(
        e.CommandTaken(command_seq=seq, command="edit_plan"), e.PlanProposed(items=items, limits=LIMITS, change=words)
    )


async def test_a_line_is_changed_in_the_ask_line(workstation: Workstation) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    with live_engine(folder):
        async with workstation.opened(folder, size=(80, 24)) as pilot:
            await until_shown(pilot, "Press a to approve")
            assert "Enter Change" in bar_text(pilot, "#keys")
            await pilot.press("1", "down", "enter")
            await until(pilot, lambda: typed(pilot) == "2: When was the tower lit, and how long did it stand?")
            assert label(pilot) == "Change the plan"
            await pilot.press("ctrl+u", *"2: When was it lit?", "enter")
            await until(pilot, lambda: workstation.said(folder) == [("edit_plan", "2: When was it lit?")])


async def test_a_line_is_dropped_once_and_brought_back(workstation: Workstation) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    with live_engine(folder) as engine:
        async with workstation.opened(folder) as pilot:
            await until_shown(pilot, "Press a to approve")
            await pilot.press("u")
            await until_shown(pilot, "There is no change of the plan to take back.")
            await pilot.press("down", "down", "X", "X")
            await until(pilot, lambda: workstation.said(folder) == [("edit_plan", "drop 3")])
            proposes(engine, 1, "drop 3", PLAN[:2] + PLAN[3:])
            await until(pilot, lambda: "gone: Which later towers" in pane_text(pilot, "#plan"))
            await pilot.press("u")
            await until(pilot, lambda: workstation.said(folder)[1:] == [("edit_plan", "undo")])
            proposes(engine, 2, "undo", PLAN)
            await until(pilot, lambda: "3.  new: Which later towers" in pane_text(pilot, "#plan"))
            await pilot.press("u")
            await until_shown(pilot, "There is no change of the plan to take back.")


async def test_a_line_is_moved_and_the_cursor_goes_with_it(workstation: Workstation) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    with live_engine(folder) as engine:
        async with workstation.opened(folder) as pilot:
            await until_shown(pilot, "Press a to approve")
            await pilot.press("left_square_bracket", "down", "right_square_bracket")
            await until(pilot, lambda: workstation.said(folder) == [("edit_plan", "put 1, 3, 2 first")])
            proposes(engine, 1, "put 1, 3, 2 first", (PLAN[0], PLAN[2], PLAN[1], *PLAN[3:]))
            await until(pilot, lambda: "3.  When was the tower lit" in pane_text(pilot, "#plan"))
            assert rows_of(pilot, "#plan").cursor == "s2"


async def test_a_line_is_added(workstation: Workstation) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    with live_engine(folder):
        async with workstation.opened(folder) as pilot:
            await until_shown(pilot, "Press a to approve")
            await pilot.press("A", *"its cost", "enter")
            await until(pilot, lambda: workstation.said(folder) == [("edit_plan", "also cover its cost")])


async def test_an_approved_plan_is_not_edited(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await pilot.press("1", "X")
        await until_shown(pilot, "No plan waits for your approval")
        assert focused(pilot) == "plan"
        assert workstation.said(folder) == []
