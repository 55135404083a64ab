"""Judging the evidence where it stands: reject and undo, correct, filter, sort; and what becomes of the report."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from workstation.engine.launch import load_run
from workstation.memory import events as e
from workstation.memory.events import Event
from workstation.memory.staleness import stale

from .conftest import Workstation
from .recorded import disputed_events, run_events
from .seeing import bar_text, focused, pane_text, rows_of, screen_text, until, until_shown, view


def title(pilot: Pilot[int], pane: str) -> str:
    return str(view(pilot, pane)._border_title)


def quotes(pilot: Pilot[int]) -> list[str]:
    """The notes in the order in which they are shown."""
    return [row.key for row in rows_of(pilot, "#evidence").rows if row.key]


async def test_a_rejected_quote_makes_its_paragraph_stale_until_that_is_taken_back(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await pilot.press("3", "g", "X")
        await until(pilot, lambda: focused(pilot) == "ask")
        assert "Why? Enter alone: without a reason" in screen_text(pilot.app)
        await pilot.press(*"not about the tower", "enter")
        await until(pilot, lambda: "/ [1] “The tower itself was sound" in pane_text(pilot, "#evidence"))
        assert "rejected: not about the tower" in pane_text(pilot, "#evidence")
        assert focused(pilot) == "evidence"
        assert bar_text(pilot, "#notice").startswith("1 paragraph is stale: c writes it again")
        assert "~ stale: what follows rests on evidence that was changed" in pane_text(pilot, "#report")
        assert "~ 1 paragraph is stale" in bar_text(pilot, "#check")
        assert stale(load_run(folder)).paragraphs == {"answer"}
        assert "Stale: " in (folder / "report.md").read_text(encoding="utf-8")
        await pilot.press("X")
        await until(pilot, lambda: "+ [1] “The tower itself was sound" in pane_text(pilot, "#evidence"))
        assert not bar_text(pilot, "#notice")
        assert "~ stale" not in pane_text(pilot, "#report")
        assert [kind for kind, _ in workstation.said(folder)] == ["reject", "restore"]
        assert not workstation.engine.launched


async def test_c_writes_again_what_is_stale(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await pilot.press("c")
        await until_shown(pilot, "This run is finished.")
        await pilot.press("3", "g", "X", "enter")
        await until(pilot, lambda: "1 paragraph is stale" in bar_text(pilot, "#notice"))
        await pilot.press("c")
        await until(pilot, lambda: workstation.engine.launched == [folder])


async def test_a_quote_is_corrected_to_other_words_of_its_source(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await pilot.press("4", "n")
        await until(pilot, lambda: "The tower itself was sound, but" in bar_text(pilot, "#peek"))
        await pilot.press("slash", *"half a thought", "escape", "3", "g", "C")
        field = pilot.app.screen.query_one(Input)
        await until(pilot, lambda: focused(pilot) == "ask" and field.value.startswith("The tower itself was sound"))
        await pilot.press("end", *" as a bell", "enter")
        await until_shown(pilot, "Not word for word in [1]")
        assert field.value.endswith("as a bell")
        field.value = "The tower itself was sound"
        await pilot.press("enter")
        await until(pilot, lambda: "“The tower itself was sound”  fact, corrected" in pane_text(pilot, "#evidence"))
        assert bar_text(pilot, "#peek").endswith("“The tower itself was sound”")
        assert field.value == "half a thought"
        assert load_run(folder).notes[0].quote == "The tower itself was sound"


async def test_leaving_the_ask_line_judges_nothing(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        await pilot.press("3", "g", "X", *"no", "escape", "slash")
        await until_shown(pilot, "Follow up")
        assert pilot.app.screen.query_one(Input).value == ""
        assert workstation.said(folder) == []


async def test_kinds_are_shown_one_at_a_time(workstation: Workstation) -> None:
    async with workstation.opened(workstation.has_run(events=disputed_events())) as pilot:
        await pilot.press("3")
        everything = quotes(pilot)
        assert "by sub-question" in title(pilot, "#evidence")
        shown = {}
        for _ in range(6):
            await pilot.press("t")
            shown[title(pilot, "#evidence").split("  ")[1].split(" only")[0]] = quotes(pilot)
        assert shown == {
            "facts": [id for id in everything if id not in ("n6", "n7")],
            "hypotheses": ["n7"],
            "errors": ["n6"],
            "empty searches": [],
            "rejected": [],
            "disagreements": ["n3", "n4", "n5"],
        }
        await pilot.press("t", "t", "t", "t", "t", "X")
        await until_shown(pilot, "No quote is under the cursor.")
        await pilot.press("t", "t")
        await pilot.press("t")
        assert quotes(pilot) == everything


@pytest.fixture
def dated() -> Sequence[Event]:
    """A run whose sources have dates, and whose quotes are not equally sure."""
    dates, scores = {1: "1990-05-01", 2: "2011-01-01", 3: None}, {"n2": 0.95, "n5": 0.9}
    found: list[Event] = []
    for event in run_events():
        if isinstance(event, e.SourceRegistered):
            event = event.model_copy(update={"date": dates[event.number]})
        elif isinstance(event, e.ObservationMade):
            event = event.model_copy(update={"rerank": scores.get(event.id, 0.8)})
        found.append(event)
    return found


async def test_they_are_sorted_by_source_by_how_sure_and_by_date(
    workstation: Workstation, dated: Sequence[Event]
) -> None:
    async with workstation.opened(workstation.has_run(events=dated)) as pilot:
        await pilot.press("3", "b")
        assert "by source" in title(pilot, "#evidence")
        assert "[2] The Bell Rock" in pane_text(pilot, "#evidence")
        assert quotes(pilot)[-2:] == ["n5", "n6"]
        await pilot.press("b")
        assert quotes(pilot)[:2] == ["n2", "n5"]
        assert "rerank 0.95" in pane_text(pilot, "#evidence")
        await pilot.press("b")
        assert quotes(pilot)[0] == "n5"
        assert quotes(pilot)[-1] == "n6"
        assert "Undated" in pane_text(pilot, "#evidence")


async def test_a_citation_leads_to_its_quote_whatever_is_filtered(workstation: Workstation) -> None:
    async with workstation.opened(workstation.has_run()) as pilot:
        await pilot.press("3", "t", "t", "4", "n", "enter")
        await until(pilot, lambda: focused(pilot) == "evidence")
        await until(pilot, lambda: rows_of(pilot, "#evidence").cursor == "n1")
        assert "Enter Its source" in bar_text(pilot, "#keys")
        assert "Esc Back" in bar_text(pilot, "#keys")
