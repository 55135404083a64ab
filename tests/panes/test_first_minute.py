"""The first minute of a person: the home screen, the ask line, and how a question becomes a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from panes.widgets.ask import AskInput

from .conftest import Workstation
from .recorded import QUESTION
from .seeing import focused, screen_name, screen_text, until, until_shown

WHY = "Why was the tower replaced?"


async def test_a_newcomer_sees_how_to_begin(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await until_shown(pilot, "Questions look like this")
        assert focused(pilot) == "ask"
        assert "flori ingest" not in screen_text(pilot.app)


async def test_an_empty_library_says_how_to_fill_it(workstation: Workstation) -> None:
    (workstation.library / "library.db").unlink()
    async with workstation.opened(size=(80, 24)) as pilot:
        await until_shown(pilot, "flori ingest FOLDER")


async def test_a_library_that_was_filled_is_no_longer_called_empty(workstation: Workstation) -> None:
    (workstation.library / "library.db").unlink()
    async with workstation.opened(size=(80, 24)) as pilot:
        await until_shown(pilot, "The library is empty")
        await pilot.press("f4")
        await until(pilot, lambda: screen_name(pilot) == "LibraryScreen")
        (workstation.library / "library.db").touch()
        await pilot.press("escape")
        await until(pilot, lambda: screen_name(pilot) == "HomeScreen")
        await until(pilot, lambda: "The library is empty" not in screen_text(pilot.app))


async def test_before_anything_was_added_the_library_says_how(workstation: Workstation) -> None:
    from panes.lookups import ChildLookups, command

    (workstation.library / "library.db").unlink()
    workstation.lookups = ChildLookups(command(workstation.options))
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("f4")
        await until_shown(pilot, "Press a to add a file, a folder or a page.")
        assert "could not be read" not in screen_text(pilot.app)


async def test_an_answer_that_comes_after_one_has_left_the_library_ends_nothing(workstation: Workstation) -> None:
    from panes.screens.library import LibraryScreen
    from panes.shelf import Shelf

    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("f4")
        await until_shown(pilot, "4 sources")
        left = pilot.app.screen
        assert isinstance(left, LibraryScreen)
        await pilot.press("f3")
        await until(pilot, lambda: screen_name(pilot) == "RunsScreen" and left.gone)
        await left._load(Shelf())


async def test_an_example_goes_to_the_ask_line_and_not_yet_to_the_engine(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("escape", "enter")
        await until(pilot, lambda: focused(pilot) == "ask")
        assert pilot.app.screen.query_one(Input).value.startswith("Which reasons")
        assert not workstation.engine.asked


async def test_a_question_starts_a_run_and_its_panes(workstation: Workstation) -> None:
    async with workstation.opened() as pilot:
        await pilot.press(*WHY, "enter")
        await until(pilot, lambda: screen_name(pilot) == "ResearchScreen")
        assert workstation.engine.asked == [(WHY, "thorough", "report")]
        assert workstation.engine.launched == [workstation.reports / "asked-1"]
        await until_shown(pilot, "Starting")
        assert focused(pilot) == "plan"


async def test_depth_and_format_are_chosen_in_the_command_palette(workstation: Workstation) -> None:
    async with workstation.opened() as pilot:
        for wish in ("deep", "comparison"):
            await pilot.press("ctrl+p")
            await pilot.press(*f"Ask: {wish}")
            await until_shown(pilot, "How much the next" if wish == "deep" else "The shape of the next")
            await pilot.press("enter")
            await until_shown(pilot, wish)
            await until(pilot, lambda: screen_name(pilot) == "HomeScreen")
        await pilot.press(*WHY, "enter")
        await until(pilot, lambda: workstation.engine.asked == [(WHY, "deep", "comparison")])


async def test_a_run_reads_the_web_only_when_that_was_chosen(workstation: Workstation) -> None:
    workstation.options.offline = False
    async with workstation.opened() as pilot:
        await pilot.press("ctrl+p")
        await pilot.press(*"Ask: the web")
        await until_shown(pilot, "Whether the next run")
        await pilot.press("enter")
        await until_shown(pilot, "thorough report web")
        await until(pilot, lambda: screen_name(pilot) == "HomeScreen")
        await pilot.press(*WHY, "enter")
        await until(pilot, lambda: len(workstation.engine.asked) == 1)
        assert workstation.engine.web


async def test_earlier_questions_come_back_with_the_up_key(workstation: Workstation) -> None:
    workstation.has_run()
    async with workstation.opened() as pilot:
        await until_shown(pilot, "partly answered")
        await pilot.press(*"How", "up")
        field = pilot.app.screen.query_one(Input)
        assert field.value == QUESTION
        await pilot.press("down")
        assert field.value == "How"


async def test_a_failing_start_is_said_and_the_question_kept(
    workstation: Workstation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> Path:
        raise OSError(28, "No space left on device", "/reports")

    monkeypatch.setattr(workstation.engine, "new_run", full)
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press(*WHY, "enter")
        await until_shown(pilot, "No space left on device")
        assert pilot.app.screen.query_one(Input).value == WHY


async def test_the_key_to_the_ask_line_is_no_part_of_the_question(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("slash", "slash", *"why", "slash", "slash")
        assert pilot.app.screen.query_one(AskInput).value == "why//"
