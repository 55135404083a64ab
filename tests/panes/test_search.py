"""Searching the library as one types, and asking why a passage was found."""

from __future__ import annotations

from typing import Any

import pytest
from textual.widgets import Input

from panes.found import window
from panes.screens.reader import ReaderText
from panes.screens.search import SearchScreen
from panes.search_line import filter_in, next_of, with_filter
from panes.widgets.bars import Bar

from .conftest import Workstation
from .recorded import TITLES
from .seeing import bar_text, focused, pane_text, rows_of, screen_name, screen_text, until, until_shown


@pytest.mark.parametrize("size", [(80, 24), (40, 10)])
async def test_typing_shows_the_words_at_once_and_then_the_best_passages_first(
    workstation: Workstation, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    say = SearchScreen._say
    monkeypatch.setattr(SearchScreen, "_say", lambda self, text: (said.append(text), say(self, text))[1])
    async with workstation.opened(size=size) as pilot:
        await pilot.press("escape", "f5")
        await until(pilot, lambda: screen_name(pilot) == "SearchScreen")
        await until_shown(pilot, "Type what to look for")
        await pilot.press(*"tower")
        await until(pilot, lambda: "best" in bar_text(pilot, "#where"))
        assert any("ranking" in words for words in said)
        assert "close match" in pane_text(pilot, "#results")
        styles = {s.style for row in rows_of(pilot, "#results").rows for s in row.spans if row.text[s.start : s.end]}
        assert "found" in styles
        assert len(screen_text(pilot.app).splitlines()) == size[1]


async def test_enter_opens_the_reader_at_the_passage_and_escape_leads_back(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("escape", "f5", *"tower")
        await until(pilot, lambda: "best" in bar_text(pilot, "#where"))
        await pilot.press("enter")
        await until(pilot, lambda: screen_name(pilot) == "ReaderScreen")
        await until_shown(pilot, "Place 1 of 1   page 1")
        assert pilot.app.screen.query_one(ReaderText).rows
        await pilot.press("escape")
        await until(pilot, lambda: focused(pilot) == "find")
        await pilot.press("escape")
        await until(pilot, lambda: screen_name(pilot) == "HomeScreen")


async def test_a_filter_is_a_key_that_writes_it_and_nothing_found_says_what_to_try(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("escape", "f5", *"tower")
        await until(pilot, lambda: "best" in bar_text(pilot, "#where"))
        await pilot.press("tab", "t", "t")
        await until_shown(pilot, "tower kind:mail")
        await until_shown(pilot, "Take a filter away: kind:mail")
        await pilot.press("t")
        await until(pilot, lambda: "best" in bar_text(pilot, "#where"))
        assert pilot.app.screen.query_one(Input).value == "tower"


async def test_what_is_searched_for_becomes_a_research_question(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("escape", "f5", *"tower kind:document")
        await until(pilot, lambda: "best" in bar_text(pilot, "#where"))
        await pilot.press("tab", "a")
        await until(pilot, lambda: screen_name(pilot) == "ResearchScreen")
        assert [question for question, *_ in workstation.engine.asked] == ["tower"]


async def test_why_a_passage_was_found_shows_its_walk_and_who_was_dropped(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("escape", "f5", *"tower")
        await until(pilot, lambda: "best" in bar_text(pilot, "#where"))
        await pilot.press("tab", "w")
        for words in ("cosine 0.850  (at least 0.700)  passed", "Ranked after it", "1 passage at the cut", TITLES[0]):
            await until_shown(pilot, words)
        await pilot.press("escape")
        await until(pilot, lambda: screen_name(pilot) == "SearchScreen")


async def test_why_of_a_quote_says_so_when_its_passage_is_gone(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        await pilot.press("3", "w")
        await until_shown(pilot, "not in today's library")


class Slow:
    """Look-ups whose answers come when they are let go; everything that was asked is noted."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    async def words(self, query: str, k: int = 10) -> dict[str, Any]:
        self.asked.append(("words", query))
        return {"superseded": True} if query != "tower" else {"query": query, "candidates": [], "ranked": False}

    async def search(self, query: str, k: int = 10) -> dict[str, Any]:
        self.asked.append(("search", query))
        return {"superseded": True}

    async def facets(self) -> dict[str, Any]:
        return {"passages": 3}

    async def warm(self) -> dict[str, Any]:
        return {}

    async def close(self) -> None:
        return None


async def test_superseded_answers_change_nothing_and_typing_asks_for_one_whole_search(
    workstation: Workstation,
) -> None:
    slow = workstation.lookups = Slow()  # type: ignore[assignment]
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("escape", "f5")
        await until(pilot, lambda: screen_name(pilot) == "SearchScreen")
        for end in range(1, 6):  # five keys in a burst
            pilot.app.screen.query_one(Input).value = "tower"[:end]
        await until(pilot, lambda: ("search", "tower") in slow.asked)
        await until_shown(pilot, "No passage holds these words")
        assert [query for op, query in slow.asked if op == "search"] == ["tower"]
        assert "ranking" in pilot.app.screen.query_one("#where", Bar).text


def test_a_filter_in_the_line_is_replaced_and_taken_away() -> None:
    assert with_filter("lens kind:pdf weight", "kind", "mail") == "lens weight kind:mail"
    assert with_filter("lens language:de", "lang", "") == "lens"
    assert filter_in("lens LANG:DE", "lang") == "de"
    assert [next_of(["a", "b"], value) for value in ("", "a", "b")] == ["a", "b", ""]


def test_the_part_that_is_shown_holds_the_words() -> None:
    text = "A lens. " * 40 + "The tower stood."
    start, end = window(text, [(text.index("tower"), text.index("tower") + 5)], 60)
    assert "tower" in text[start:end]
    assert end - start <= 60


def test_only_the_newest_of_a_stream_is_worked_on() -> None:
    from workstation.engine.desks import with_superseded

    waiting = [{"id": n, "op": "search", "stream": "search"} for n in range(4)] + [{"id": 9, "op": "ask"}]
    assert {r["id"]: old for r, old in with_superseded(waiting)} == {0: True, 1: True, 2: True, 3: False, 9: False}
