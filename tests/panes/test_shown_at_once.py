"""What is asked for and needs no run: lists, places, greetings."""

from __future__ import annotations

from .conftest import Workstation
from .seeing import label, pane_text, screen_name, screen_text, typed, until, until_shown


async def test_list_sources_opens_the_library_and_starts_no_run(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press(*"list sources", "enter")
        await until_shown(pilot, "4 sources   /home/reader/papers/eddystone.md")
        assert screen_name(pilot) == "LibraryScreen"
        assert not workstation.engine.asked
        await pilot.press("escape")
        await until(pilot, lambda: screen_name(pilot) == "HomeScreen")
        assert not typed(pilot)


async def test_the_sources_about_something_are_listed_and_said(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press(*"which documents are about Fresnel", "enter")
        await until_shown(pilot, "documents about Fresnel")
        rows = pane_text(pilot, "#rows")
        assert "How Fresnel made" in rows
        assert "Two ancient lighthouses" not in rows
        assert not workstation.engine.asked


async def test_a_greeting_is_answered_with_examples(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press(*"hello there", "enter")
        await until_shown(pilot, "Ask, for example:")
        seen = screen_text(pilot.app)
        assert all(words in seen for words in ("What is said about The four", "What is said about The Bell Rock?"))
        assert not workstation.engine.asked
        await until(pilot, lambda: not typed(pilot))


async def test_a_quoted_phrase_is_opened_where_it_stands(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await until(pilot, lambda: label(pilot) == "Follow up")
        await pilot.press("f", *'"The tower was lit"', "enter")
        await until(pilot, lambda: screen_name(pilot) == "ReaderScreen")
        await until_shown(pilot, "Place 1 of 1   A chapter")
        assert workstation.said(folder) == []
        await pilot.press("escape")
        await until(pilot, lambda: screen_name(pilot) == "ResearchScreen")


async def test_a_phrase_in_several_sources_names_the_others(workstation: Workstation) -> None:
    async with workstation.opened() as pilot:
        await pilot.press(*'"the rock"', "enter")
        await until(pilot, lambda: screen_name(pilot) == "ReaderScreen")
        await until_shown(pilot, "It stands elsewhere as well")


async def test_a_number_is_the_source_that_the_open_run_cites_by_it(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await until(pilot, lambda: label(pilot) == "Follow up")
        await pilot.press("f", *"[2]", "enter")
        await until(pilot, lambda: screen_name(pilot) == "ReaderScreen")
        await until_shown(pilot, "[2] The Bell Rock")


async def test_a_place_that_the_library_does_not_hold_is_researched(workstation: Workstation) -> None:
    async with workstation.opened() as pilot:
        await pilot.press(*"annual-report.pdf", "enter")
        await until_shown(pilot, "Starting")
        assert [asked[0] for asked in workstation.engine.asked] == ["annual-report.pdf"]


def test_the_library_says_that_it_searched_for_nothing() -> None:
    from types import SimpleNamespace

    from panes.screens.asking import LOOKED_UP
    from workstation.engine.serving import answer

    bench = SimpleNamespace(library=SimpleNamespace(sources=list))
    greeting = answer("hello", bench)  # type: ignore[arg-type]
    assert greeting["gate"]["reason"] == LOOKED_UP
    assert greeting["examples"] == []
