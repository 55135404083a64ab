"""What people do in the workstation, told as they would tell it. Runs are recorded ones; no model is loaded."""

from __future__ import annotations

import sys

from textual.pilot import Pilot

from panes.finding import CHOSEN
from panes.report import ReportText
from panes.run_view import DRAFT
from panes.screens.reader import ReaderText
from workstation.memory import events as e
from workstation.memory.log import engine_alive

from .conftest import Workstation
from .live import LiveEngine, live_engine
from .recorded import quote_of, run_events, waiting_events
from .recorded import until as events_until
from .seeing import bar_text, focused, pane_text, rows_of, screen_name, screen_text, until, until_shown


def reached_citation(pilot: Pilot[int]) -> int | None:
    """The ordinal of the citation under the report's cursor."""
    citation = pilot.app.screen.query_one(ReportText).citation
    return citation.ordinal if citation else None


# a finished run


async def test_a_finished_run_opens_with_answer_ticks_and_check(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await until(pilot, lambda: focused(pilot) == "report")
        seen = screen_text(pilot.app)
        assert "The tower itself was sound" in seen
        assert "Checked 6 sentences: 6 cited, 6 located, 5 supported, 1 marked unverified" in seen
        assert "Finished: partly answered" in seen
        plan = pane_text(pilot, "#plan")
        assert [plan.count(sign) for sign in ("[x]", "[!]", "[~]", "[ ]")] == [3, 1, 1, 0]


async def test_kinds_of_evidence_are_told_apart_in_words(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        evidence = pane_text(pilot, "#evidence")
        for words in (
            "  fact",
            "  hypothesis: ",
            "  extraction error: it says nothing about a tower",
            "- empty search: ",
        ):
            assert words in evidence


async def test_from_citation_to_evidence_to_source_and_back(workstation: Workstation) -> None:
    folder = workstation.has_run()
    quote, place = quote_of(0, "The tower was lit on 16 October 1759", "more than a century.")
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        await until(pilot, lambda: focused(pilot) == "report")
        await pilot.press("n", "n", "n")
        await until(pilot, lambda: "The tower was lit" in str(pilot.app.screen.query_one("#peek").render()))
        await pilot.press("enter")
        await until(pilot, lambda: focused(pilot) == "evidence")
        evidence = rows_of(pilot, "#evidence")
        await until(pilot, lambda: evidence.cursor == "n3")
        await until_shown(pilot, "When was the tower lit, and how long did it stand?")
        await pilot.press("enter")
        await until(pilot, lambda: screen_name(pilot) == "ReaderScreen")
        await until_shown(pilot, "The tower was lit on 16 October")
        text = pilot.app.screen.query_one(ReaderText)
        await until(pilot, lambda: any(s.target == CHOSEN for row in text.rows for s in row.spans))
        marked = "".join(row.text[s.start : s.end] for row in text.rows for s in row.spans if s.target == CHOSEN)
        assert marked == quote.replace("\n", " ")
        assert f"characters {place.start:,} to {place.end:,}" in screen_text(pilot.app)
        assert "Smeaton, 1759" in bar_text(pilot, "#where")
        line = text.line_of(CHOSEN) - text.scroll_offset.y
        assert 0 <= line < text.size.height
        await pilot.press("escape")
        await until(pilot, lambda: focused(pilot) == "evidence" and evidence.cursor == "n3")
        await pilot.press("escape")
        await until(pilot, lambda: focused(pilot) == "report")
        assert reached_citation(pilot) == 0


async def test_the_reader_goes_along_all_places_of_a_source(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await pilot.press("2", "enter")
        await until_shown(pilot, "Place 1 of 5")
        await pilot.press("n")
        await until_shown(pilot, "Place 2 of 5")
        await pilot.press("p", "p")
        await until_shown(pilot, "Place 5 of 5")


async def test_a_quote_that_is_not_in_the_stored_text_is_said(workstation: Workstation) -> None:
    events = [
        event.model_copy(update={"quote": "The tower was lit on 1 April 1759"})
        if isinstance(event, e.ObservationMade) and event.id == "n3"
        else event
        for event in run_events()
    ]
    folder = workstation.has_run("changed", events)
    async with workstation.opened(folder) as pilot:
        rows_of(pilot, "#evidence").go_to("n3")
        await pilot.press("3", "enter")
        await until_shown(pilot, "! The stored text differs from the quote here.")


async def test_a_sub_question_leads_to_its_evidence(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await pilot.press("1", "down", "down", "enter")
        await until(pilot, lambda: rows_of(pilot, "#evidence").cursor == "n5")
        assert focused(pilot) == "evidence"
        await pilot.press("escape")
        await until(pilot, lambda: focused(pilot) == "plan")


async def test_a_failed_check_is_loud(workstation: Workstation) -> None:
    check = e.Check(sentences=6, cited=6, located=5, failures=("[1] is not at its address",))
    failed = [e.ReportVerified(check=check) if isinstance(event, e.ReportVerified) else event for event in run_events()]
    folder = workstation.has_run("forged", failed)
    async with workstation.opened(folder) as pilot:
        await until_shown(pilot, "CHECK FAILED (1)")
        await until_shown(pilot, "[1] is not at its address")


# a run that goes on


async def test_the_panes_follow_another_process(workstation: Workstation) -> None:
    events = run_events()
    folder = workstation.has_run("live", events_until(events, "need_closed", 1))
    rest = events[len(events_until(events, "need_closed", 1)) :]
    with live_engine(folder) as engine:
        async with workstation.opened(folder) as pilot:
            await until_shown(pilot, "1 of 5 done")
            await until_shown(pilot, "Running: gathering evidence")
            written = next(i for i, event in enumerate(rest) if isinstance(event, e.ParagraphWritten))
            engine.does(*rest[:written])
            await until_shown(pilot, "5 of 5 done")
            (folder / DRAFT).write_text("“The tower itself was", encoding="utf-8")
            await until_shown(pilot, "being written ...")
            engine.does(*rest[written:])
            await until_shown(pilot, "Finished: partly answered")
            assert "being written" not in pane_text(pilot, "#report")
            assert "The Bell Rock" in pane_text(pilot, "#sources")


async def test_the_place_in_the_evidence_stays_while_quotes_come_in_above(workstation: Workstation) -> None:
    events = run_events()
    folder = workstation.has_run("live", events_until(events, "need_closed", 5))
    with live_engine(folder) as engine:
        async with workstation.opened(folder, size=(80, 24)) as pilot:
            await pilot.press("3", "end")
            evidence = rows_of(pilot, "#evidence")
            await until(pilot, lambda: evidence.scroll_offset.y > 0)
            at = evidence.row_top(len(evidence.rows) - 1) - evidence.scroll_offset.y
            quote, place = quote_of(0, "Henry Winstanley", "in 1696.")
            engine.does(
                e.ObservationMade(
                    id="n8", need="s1", number=1, quote=quote, place=place, passage=2, cosine=0.5, rerank=None
                )
            )
            await until(pilot, lambda: "Henry Winstanley" in pane_text(pilot, "#evidence"))
            await until(pilot, lambda: evidence.row_top(len(evidence.rows) - 1) - evidence.scroll_offset.y == at)
            assert evidence.cursor == "n7"


async def test_a_plan_waits_for_approval_and_goes_on_with_a(workstation: Workstation) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    with live_engine(folder) as engine:
        async with workstation.opened(folder, size=(80, 24)) as pilot:
            await until_shown(pilot, "Press a to approve, / to change it, x to cancel.")
            assert "3 Evidence*" not in screen_text(pilot.app)
            await until_shown(pilot, "Thorough report: at most 15 min, 30 searches, 40 sources")
            await until_shown(pilot, "settled by: a sum with its currency")
            await pilot.press("a")
            await until(pilot, lambda: workstation.commands(folder) == ["approve"])
            engine.does(
                e.PlanApproved(
                    items=e.PlanProposed.model_validate(waiting_events()[-1].model_dump()).items, plan_hash="x"
                )
            )
            await until(pilot, lambda: not bar_text(pilot, "#notice"))
            assert not workstation.engine.launched
            written = events_until(run_events(), "observation_checked")[len(waiting_events()) + 1 :]
            engine.does(*written)
            await until_shown(pilot, "3 Evidence*")
            await pilot.press("3")
            await until(pilot, lambda: "3 Evidence*" not in screen_text(pilot.app))


async def test_enough_and_cancel_reach_a_run_that_goes_on(workstation: Workstation) -> None:
    folder = workstation.has_run("live", events_until(run_events(), "need_closed"))
    with live_engine(folder):
        async with workstation.opened(folder) as pilot:
            await until_shown(pilot, "Running")
            await pilot.press("e")
            await until(pilot, lambda: workstation.commands(folder) == ["enough"])
            await pilot.press("x")
            await until(pilot, lambda: workstation.commands(folder) == ["enough", "cancel"])
            await until_shown(pilot, "Cancelling: what was found is kept.")


async def test_commands_to_a_finished_run_are_refused_in_words(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        for key, answer in (("a", "No plan waits"), ("x", "No engine is at work"), ("c", "This run is finished.")):
            await pilot.press(key)
            await until_shown(pilot, answer)
        assert workstation.commands(folder) == []
        assert not workstation.engine.launched


async def test_an_engine_that_dies_is_noticed_with_its_last_words(workstation: Workstation) -> None:
    folder = workstation.has_run("live", events_until(run_events(), "need_closed"))
    (folder / "engine.log").write_text("Traceback\nMemoryError: out of memory\n", encoding="utf-8")
    engine = LiveEngine(folder)
    async with workstation.opened(folder) as pilot:
        await until_shown(pilot, "Running")
        engine.dies()
        await until_shown(pilot, "Press c to continue.")
        await until_shown(pilot, "MemoryError: out of memory")
        assert not engine_alive(folder)
        await pilot.press("c")
        await until(pilot, lambda: workstation.engine.launched == [folder])
        await until_shown(pilot, "Starting")


# other screens


async def test_home_offers_the_interrupted_run_first(workstation: Workstation) -> None:
    workstation.has_run("old")
    folder = workstation.has_run("stopped", events_until(run_events(), "need_closed", 2))
    async with workstation.opened(size=(80, 24)) as pilot:
        await until_shown(pilot, "Go on with")
        await until(pilot, lambda: focused(pilot) == "welcome")
        await pilot.press("enter")
        await until_shown(pilot, "Interrupted: no engine is at work on this run.")
        assert "c Continue" in bar_text(pilot, "#keys")
        await pilot.press("c")
        await until(pilot, lambda: workstation.engine.launched == [folder])


async def test_an_unapproved_plan_of_a_dead_engine_is_approved_and_started(workstation: Workstation) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    async with workstation.opened(folder) as pilot:
        await until_shown(pilot, "Interrupted before the plan was approved.")
        await pilot.press("a")
        await until(pilot, lambda: workstation.engine.launched == [folder])
        assert workstation.commands(folder) == ["approve"]


async def test_the_runs_screen_lists_opens_and_continues(workstation: Workstation) -> None:
    workstation.has_run("done")
    stopped = workstation.has_run("stopped", events_until(run_events(), "need_closed", 2))
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("f3")
        await until_shown(pilot, "interrupted")
        await until_shown(pilot, "partly answered")
        rows = rows_of(pilot, "#rows")
        rows.go_to(str(stopped))
        await pilot.press("c")
        await until(pilot, lambda: workstation.engine.launched == [stopped])
        rows.go_to(str(workstation.reports / "done"))
        await pilot.press("enter")
        await until(pilot, lambda: screen_name(pilot) == "ResearchScreen")
        await until_shown(pilot, "Checked")


async def test_the_library_lists_its_sources_and_opens_one(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("f4")
        await until_shown(pilot, "4 sources   /home/reader/papers/eddystone.md")
        await pilot.press("down", "enter")
        await until_shown(pilot, "The Inchcape, or Bell Rock")
        await pilot.press("escape")
        await until_shown(pilot, "Passages")
        await pilot.press("escape")
        await until(pilot, lambda: screen_name(pilot) == "HomeScreen")


async def test_a_library_that_cannot_be_asked_says_so(workstation: Workstation) -> None:
    from panes.lookups import ChildLookups

    workstation.lookups = ChildLookups([sys.executable, "-c", "import sys; sys.exit('models.toml is missing')"])
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("f4")
        await until_shown(pilot, "models.toml is missing")
        await until_shown(pilot, "Press . to try again.")


async def test_help_names_the_keys_and_closes(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        await pilot.press("f1")
        await until_shown(pilot, "The next citation, with its quote below")  # of the pane that has the keyboard
        await pilot.press("pagedown")
        await until_shown(pilot, "Go deeper on all that is not fully answered")
        await pilot.press("escape")
        await until(pilot, lambda: screen_name(pilot) == "ResearchScreen")


async def test_the_command_palette_steers_the_run(workstation: Workstation) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    with live_engine(folder):
        async with workstation.opened(folder) as pilot:
            await until_shown(pilot, "Press a to approve")
            await pilot.press("ctrl+p", *"approve")
            await until_shown(pilot, "Approve the plan that is proposed  (a)")
            await pilot.press("enter")
            await until(pilot, lambda: workstation.commands(folder) == ["approve"])


async def test_a_run_that_waits_for_the_person_says_so_in_the_list(workstation: Workstation) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    with live_engine(folder):
        async with workstation.opened(size=(80, 24)) as pilot:
            await until_shown(pilot, "waits for you")
            await pilot.press("f3")
            await until_shown(pilot, "Research runs: 1")
            assert "waits for you" in screen_text(pilot.app)
