"""Talking to a run: its questions, its plan, going deeper, and what needs no run at all."""

from __future__ import annotations

import stat
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from workstation.memory import events as e
from workstation.planning.planner import plan_hash

from .conftest import Workstation
from .live import live_engine
from .recorded import (
    COST,
    PLAN,
    TITLES,
    asking_events,
    changed_events,
    deepened_events,
    disputed_events,
    refused_events,
    run_events,
    waiting_events,
)
from .recorded import until as events_until
from .seeing import bar_text, focused, label, pane_text, rows_of, typed, until, until_shown

REWORDED = PLAN[1].model_copy(update={"id": "s6", "text": "When was it lit?"})
ADDED = e.SubQuestion(id="s7", text=COST)
CHANGED = (PLAN[0], REWORDED, PLAN[3], ADDED, PLAN[4])


# a question back


async def test_a_question_back_is_answered_by_choosing_in_the_plan(workstation: Workstation) -> None:
    folder = workstation.has_run("asking", asking_events())
    with live_engine(folder):
        async with workstation.opened(folder, size=(80, 24)) as pilot:
            await until_shown(pilot, "Waiting for your answer")
            assert f"Which document do you mean?   1\u00a0{TITLES[0]}" in bar_text(pilot, "#notice")
            assert "  2 The Bell Rock" in pane_text(pilot, "#plan")
            assert "Enter Choose" in bar_text(pilot, "#keys")
            await pilot.press("down", "enter", "enter")
            await until(pilot, lambda: workstation.said(folder) == [("answer", "2")])
            await until_shown(pilot, "Answered.")
            assert not workstation.engine.launched


async def test_it_is_answered_in_one_s_own_words(workstation: Workstation) -> None:
    folder = workstation.has_run("asking", asking_events())
    with live_engine(folder) as engine:
        async with workstation.opened(folder) as pilot:
            await until(pilot, lambda: label(pilot) == "Leave it to flori")
            await pilot.press("slash", *"both of them")
            await until(pilot, lambda: label(pilot) == "Answer")
            assert "Enter Answer" in bar_text(pilot, "#keys")
            await pilot.press("enter")
            await until(pilot, lambda: workstation.said(folder) == [("answer", "both of them")])
            assert not typed(pilot)
            engine.does(e.ClarificationAnswered(id="document", answer="both of them"))
            await until(pilot, lambda: label(pilot) == "Ask")
            assert "Which document do you mean? both of them" in pane_text(pilot, "#plan")


async def test_the_choice_is_left_to_flori_with_enter_once(workstation: Workstation) -> None:
    folder = workstation.has_run("asking", asking_events())
    with live_engine(folder):
        async with workstation.opened(folder) as pilot:
            await until(pilot, lambda: label(pilot) == "Leave it to flori")
            await pilot.press("slash", "enter", "enter")
            await until_shown(pilot, "Left to flori.")
            await until(pilot, lambda: focused(pilot) == "plan")
            assert workstation.said(folder) == [("answer", "")]


async def test_an_answer_starts_the_engine_that_died_while_it_waited(workstation: Workstation) -> None:
    folder = workstation.has_run("asking", asking_events())
    async with workstation.opened(folder) as pilot:
        await until_shown(pilot, "Interrupted. Answer, and the run goes on: Which document")
        await pilot.press("slash", "1", "enter")
        await until(pilot, lambda: workstation.engine.launched == [folder])
        assert workstation.said(folder) == [("answer", "1")]
        await until_shown(pilot, "Starting")


# the plan


async def test_a_plan_is_talked_about_and_then_approved(workstation: Workstation) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    with live_engine(folder) as engine:
        async with workstation.opened(folder) as pilot:
            await until(pilot, lambda: label(pilot) == "Approve the plan")
            assert "3.  Which later towers copied its construction?" in pane_text(pilot, "#plan")
            await pilot.press("slash", *"drop 3")
            await until(pilot, lambda: label(pilot) == "Change the plan")
            assert "Enter Change the plan" in bar_text(pilot, "#keys")
            await pilot.press("enter")
            await until(pilot, lambda: workstation.said(folder) == [("edit_plan", "drop 3")])
            engine.does(*changed_events("drop 3, and what it cost to build", CHANGED))
            await until(pilot, lambda: "4.  new: What did the tower cost to build?" in pane_text(pilot, "#plan"))
            plan = pane_text(pilot, "#plan")
            assert "Changed: drop 3, and what it cost to build" in plan
            assert "2.  changed: When was it lit?" in plan
            assert "1.  Why was" in plan
            assert "gone: Which later towers" in plan
            assert focused(pilot) == "ask"
            assert label(pilot) == "Approve the plan"
            await pilot.press("enter")
            await until(pilot, lambda: workstation.said(folder)[1:] == [("approve", plan_hash(CHANGED))])
            await until(pilot, lambda: focused(pilot) == "plan")


async def test_an_approval_is_for_the_plan_that_was_shown(workstation: Workstation) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    with live_engine(folder) as engine:
        async with workstation.opened(folder) as pilot:
            await until_shown(pilot, "Press a to approve")
            await pilot.press("a")
            await until(pilot, lambda: workstation.said(folder) == [("approve", plan_hash(PLAN))])
            refused = "The plan has changed since it was shown: look at it, and approve it again."
            engine.does(
                *changed_events("drop 3", CHANGED),
                e.CommandTaken(command_seq=2, command="approve"),
                e.Warned(text=refused),
            )
            await until(pilot, lambda: bar_text(pilot, "#notice").startswith(refused))


async def test_a_yes_in_the_line_is_an_approval(workstation: Workstation) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    async with workstation.opened(folder) as pilot:
        await until_shown(pilot, "Press a to approve")
        await pilot.press("slash", *"looks good", "enter")
        await until(pilot, lambda: workstation.said(folder) == [("approve", plan_hash(PLAN))])
        await until(pilot, lambda: workstation.engine.launched == [folder])


async def test_what_was_not_understood_is_seen(workstation: Workstation) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    with live_engine(folder) as engine:
        async with workstation.opened(folder, size=(80, 24)) as pilot:
            await until_shown(pilot, "Press a to approve")
            engine.does(*refused_events("flurble the wug"))
            await until_shown(pilot, "! Not understood: flurble the wug. The plan stays as it was.")
            assert bar_text(pilot, "#notice").startswith("Not understood: flurble the wug.")
            engine.does(*changed_events("drop 3", CHANGED))
            await until(pilot, lambda: bar_text(pilot, "#notice").startswith("Plan of 5"))
            assert "Not understood" not in pane_text(pilot, "#plan")


async def test_a_change_that_comes_too_late_is_refused_and_kept(workstation: Workstation) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    with live_engine(folder) as engine:
        async with workstation.opened(folder) as pilot:
            await until(pilot, lambda: label(pilot) == "Approve the plan")
            await pilot.press("slash", *"drop 3")
            engine.does(e.PlanApproved(items=PLAN, plan_hash="x"))
            await until(pilot, lambda: not bar_text(pilot, "#notice"))
            assert label(pilot) == "Change the plan"
            await pilot.press("enter")
            await until_shown(pilot, "there is nothing to change.")
            assert typed(pilot) == "drop 3"
            assert label(pilot) == "Ask"
            assert workstation.said(folder) == []
            assert not workstation.engine.asked


async def test_plan_md_is_edited_in_one_s_own_editor(
    workstation: Workstation, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = workstation.has_run("waiting", waiting_events())
    editor = tmp_path / "my editor"
    editor.write_text(f"#!{sys.executable}\nimport sys\nopen(sys.argv[1], 'a').write('- [ ] 6. Who paid?\\n')\n")
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    monkeypatch.delenv("VISUAL", raising=False)
    async with workstation.opened(folder) as pilot:
        await until(pilot, (folder / "plan.md").exists)
        monkeypatch.setenv("EDITOR", "")
        await pilot.press("o")
        await until_shown(pilot, "No editor is named: set VISUAL or EDITOR.")
        monkeypatch.setenv("EDITOR", f"'{editor}'")
        await pilot.press("o")
        await until_shown(pilot, "This terminal cannot be given to an editor.")
        monkeypatch.setattr(pilot.app, "suspend", nullcontext)
        await pilot.press("o")
        await until(pilot, lambda: workstation.said(folder) == [("edit_plan", "")])
        await until(pilot, lambda: workstation.engine.launched == [folder])
        assert "Who paid?" in (folder / "plan.md").read_text(encoding="utf-8")
        monkeypatch.setenv("EDITOR", "true")
        await pilot.press("o")
        await until_shown(pilot, "plan.md is as it was.")


# after the end


async def test_d_goes_deeper_on_what_is_not_answered(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await until(pilot, lambda: focused(pilot) == "report")
        await pilot.press("d")
        await until(pilot, lambda: workstation.engine.launched == [folder])
        assert workstation.said(folder) == [("deepen", "")]
        await until_shown(pilot, "Starting")


async def test_there_is_nothing_deeper_where_all_is_answered(workstation: Workstation) -> None:
    answered = [
        event.model_copy(update={"status": "answered"}) if isinstance(event, e.NeedClosed) else event
        for event in run_events()
    ]
    folder = workstation.has_run("answered", answered)
    async with workstation.opened(folder) as pilot:
        await until(pilot, lambda: focused(pilot) == "report")
        await pilot.press("d")
        await until_shown(pilot, "All is answered. Ask a follow-up question.")
        assert workstation.said(folder) == []


async def test_a_run_that_goes_on_is_not_asked_for_more(workstation: Workstation) -> None:
    folder = workstation.has_run("live", events_until(run_events(), "need_closed"))
    with live_engine(folder):
        async with workstation.opened(folder) as pilot:
            await until_shown(pilot, "Running")
            await pilot.press("d")
            await until_shown(pilot, "The run can be asked for more when it has ended.")
            await pilot.press("f")
            await until_shown(pilot, "A follow-up question can be asked when the run has ended.")
            assert focused(pilot) != "ask"
            assert label(pilot) == "Ask"


async def test_a_follow_up_question_goes_to_the_run_and_starts_an_engine(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        await until(pilot, lambda: label(pilot) == "Follow up")
        await pilot.press("f", *COST, "enter")
        await until(pilot, lambda: workstation.engine.launched == [folder])
        assert workstation.said(folder) == [("deepen", COST)]
        assert not workstation.engine.asked
        await until(pilot, lambda: focused(pilot) == "plan")
        with live_engine(folder) as engine:
            engine.does(*deepened_events(COST)[len(run_events()) :])
            await until_shown(pilot, "[ ] added later: What did the tower cost to build?")
            await until_shown(pilot, "Running: gathering evidence")


async def test_earlier_versions_of_the_report_are_named(workstation: Workstation) -> None:
    folder = workstation.has_run("deepened", deepened_events())
    (folder / "report-1.md").write_text("as it was", encoding="utf-8")
    async with workstation.opened(folder) as pilot:
        await until(pilot, lambda: "Earlier versions: report-1.md" in pane_text(pilot, "#report"))
        assert pane_text(pilot, "#plan").count("[ ] ") == 2  # those that were opened again


# the line beside a run


async def test_a_new_question_is_a_key_away_and_so_is_the_way_back(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        await until(pilot, lambda: label(pilot) == "Follow up")
        await pilot.press("f")
        await until(pilot, lambda: "Ctrl+N New question" in bar_text(pilot, "#keys"))
        await pilot.press("ctrl+n")
        await until(pilot, lambda: label(pilot) == "Ask")
        await until(pilot, lambda: "Ctrl+N Back: follow up" in bar_text(pilot, "#keys"))
        await pilot.press("ctrl+n")
        await until(pilot, lambda: label(pilot) == "Follow up")
        await pilot.press("escape", "N", *COST, "enter")
        await until(pilot, lambda: workstation.engine.asked == [(COST, "thorough", "report")])
        await until_shown(pilot, "Starting")
        assert workstation.said(folder) == []


async def test_what_is_being_typed_keeps_its_meaning_when_the_run_ends(workstation: Workstation) -> None:
    events = run_events()
    folder = workstation.has_run("live", events[:-1])
    with live_engine(folder) as engine:
        async with workstation.opened(folder) as pilot:
            await until_shown(pilot, "Running")
            await pilot.press("slash", *COST)
            engine.does(events[-1])
            await until_shown(pilot, "Finished: partly answered")
            assert label(pilot) == "Ask"
            await pilot.press("enter")
            await until_shown(pilot, "Starting")
            assert [asked[0] for asked in workstation.engine.asked] == [COST]
            assert workstation.said(folder) == []


async def test_the_palette_talks_to_the_run_as_well(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await until(pilot, lambda: focused(pilot) == "report")
        await pilot.press("ctrl+p", *"deeper")
        await until_shown(pilot, "Go deeper on all that is not fully answered  (d)")
        await pilot.press("enter")
        await until(pilot, lambda: workstation.said(folder) == [("deepen", "")])


# what a run has to say


async def test_disagreements_are_told_in_the_report_and_in_the_evidence(workstation: Workstation) -> None:
    folder = workstation.has_run("disputed", disputed_events())
    async with workstation.opened(folder) as pilot:
        await until(pilot, lambda: focused(pilot) == "report")
        report = pane_text(pilot, "#report").splitlines()
        order = ["Answer", "Where the sources disagree", "What could not be settled"]
        assert [line for line in report if line in order] == order
        assert any(line.startswith("- Another figure: “Each course") for line in report)
        assert "- What did the replacement cost? — not reached: the time is spent" in report
        evidence = pane_text(pilot, "#evidence")
        assert "at the Eddystone.”  fact  other figure, against [1]" in evidence
        assert "49 metres high.”  fact  denial, against [1]" in evidence
        assert "    not reached: the time is spent" in pane_text(pilot, "#plan")


async def test_the_report_s_headings_are_in_the_run_s_language(workstation: Workstation) -> None:
    folder = workstation.has_run("disputed", disputed_events("de"))
    async with workstation.opened(folder) as pilot:
        await until(pilot, lambda: focused(pilot) == "report")
        headings = pane_text(pilot, "#report").splitlines()
        assert "Antwort" in headings
        assert not {"Answer", "Where the sources disagree", "What could not be settled"} & set(headings)


async def test_the_brief_says_what_is_looked_for_and_what_is_left_out(workstation: Workstation) -> None:
    brief = e.BriefWritten(restated="Why was it replaced (1882)?", title="T", language="en", left_out=("the bells",))
    events = [brief if isinstance(event, e.BriefWritten) else event for event in waiting_events()]
    folder = workstation.has_run("brief", events)
    async with workstation.opened(folder) as pilot:
        await until(pilot, lambda: "Why was it replaced (1882)?" in pane_text(pilot, "#plan"))
        plan = pane_text(pilot, "#plan")
        assert "You asked: Why was Smeaton's" in plan
        assert "Left out: the bells" in plan
        assert "Thorough report: at most 15 min" in plan


async def test_a_draft_is_read_while_the_evidence_is_gathered(workstation: Workstation) -> None:
    folder = workstation.has_run("live", events_until(run_events(), "need_closed"))
    with live_engine(folder):
        (folder / "draft.md").write_text("“The tower itself was sound” [1]", encoding="utf-8")
        async with workstation.opened(folder) as pilot:
            await until_shown(pilot, "Draft: what the evidence says so far")
            await pilot.press("4", "n")
            await until(pilot, lambda: "The tower itself was sound, but" in bar_text(pilot, "#peek"))
            await pilot.press("enter")
            await until(pilot, lambda: rows_of(pilot, "#evidence").cursor == "n1")


async def test_a_run_that_died_has_its_files_when_it_is_opened(workstation: Workstation) -> None:
    folder = workstation.has_run("stopped", events_until(run_events(), "need_closed", 2))
    assert not (folder / "plan.md").exists()
    async with workstation.opened(folder) as pilot:
        await until(pilot, (folder / "plan.md").exists)
        await until_shown(pilot, "Press c to continue.")
