"""What a person says to a run before, during and after it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Done, Flori, copy_of
from workstation.engine.launch import launch, load_run, new_run
from workstation.memory.events import Command
from workstation.memory.log import read_log, send
from workstation.options import resolve

QUESTION = "Why did the Atlantic cable of 1858 fail?"


def research(flori: Flori, folder: Path, answers: str, question: str = QUESTION, *more: str) -> Done:
    """A run whose user says the lines of `answers`, and then agrees."""
    said = folder.with_suffix(".answers")
    said.write_text(answers, encoding="utf-8")
    return flori("--json", "research", question, "--answers", said, "--out", folder, *more)


def started(flori: Flori, folder: Path) -> Path:
    """A run with an engine of its own, as the workstation starts it."""
    where = resolve({"library": str(flori.library), "models": flori.env["FLORI_MODELS"]})
    new_run(where, QUESTION, depth="quick", out=folder)
    launch(folder, where)
    return folder


def numbers(folder: Path) -> dict[tuple[int, str], int]:
    return {(x.source, x.version): x.number for x in load_run(folder).ledger}


@pytest.fixture(scope="module")
def finished(sample_flori: Flori, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("said") / "run"
    assert sample_flori("research", QUESTION, "--depth", "quick", "--yes", "--out", folder).code == 0
    return folder


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """A copy of a finished run, to go on with."""
    return copy_of(finished, tmp_path / "run")


def test_depth_format_and_what_to_leave_out_can_stand_in_the_question(sample_flori: Flori, tmp_path: Path) -> None:
    asked = f"{QUESTION} Just a quick look, and leave Whitehouse out."
    done = sample_flori("--json", "research", asked, "--yes", "--out", tmp_path / "run")
    state = load_run(tmp_path / "run")
    assert (state.restated, state.depth, state.left_out) == (QUESTION, "quick", ("Whitehouse",))
    assert 3 <= len(state.needs) <= 4
    assert done.json["citations"]
    assert not any("Whitehouse" in c["quote"] for c in done.json["citations"])


def test_the_plan_is_changed_by_talking_and_what_was_not_mentioned_stays(sample_flori: Flori, tmp_path: Path) -> None:
    done = research(
        sample_flori, tmp_path / "run", "also cover gutta-percha\ndrop 2\n\n", QUESTION, "--depth", "thorough"
    )
    assert done.code == 0, done.err
    proposed = [e.items for e in read_log(tmp_path / "run") if e.type == "plan_proposed"]
    approved = load_run(tmp_path / "run").needs
    first, second, third = ([item.text for item in items] for items in proposed)
    assert [text for text in second if text in first] == first
    assert any("gutta-percha" in text for text in second)
    assert third == second[:1] + second[2:] == [need.question.text for need in approved]


def test_the_last_change_of_a_plan_is_taken_back(sample_flori: Flori, tmp_path: Path) -> None:
    research(sample_flori, tmp_path / "run", "drop 2\ndrop 2\nundo\nundo\nundo\n\n", QUESTION, "--depth", "thorough")
    first, *changed = [e.items for e in read_log(tmp_path / "run") if e.type == "plan_proposed"]
    assert [len(items) - len(first) for items in changed] == [-1, -2, -1, 0]
    assert changed[-1] == first
    assert any("no change to take back" in words for words in load_run(tmp_path / "run").warnings)


def test_what_is_not_understood_changes_nothing_and_is_said(sample_flori: Flori, tmp_path: Path) -> None:
    done = research(sample_flori, tmp_path / "run", "frobnicate the wibble\n\n")
    state = load_run(tmp_path / "run")
    assert any("frobnicate the wibble" in text for text in state.warnings)
    assert [need.question for need in state.needs] == list(state.proposed)
    assert done.code == 0


def test_an_edited_plan_file_is_what_runs(sample_flori: Flori, tmp_path: Path) -> None:
    folder = started(sample_flori, tmp_path / "run")
    _until(lambda: bool(load_run(folder).proposed) and (folder / "plan.md").exists())
    plan = (folder / "plan.md").read_text(encoding="utf-8")
    lines = re.findall(r"- \[ \] \d+\. .*", plan)
    (folder / "plan.md").write_text(plan.replace(lines[1], "- [ ] 2. Who was Cyrus Field?"), encoding="utf-8")
    send(folder, Command(kind="approve"))
    _until(lambda: load_run(folder).ended is not None)
    needs = [need.question.text for need in load_run(folder).needs]
    assert needs[1] == "Who was Cyrus Field?"
    assert len(needs) == len(lines)
    assert "- [" in (folder / "plan.md").read_text(encoding="utf-8")
    assert "Who was Cyrus Field?" in (folder / "plan.md").read_text(encoding="utf-8")


def test_a_plan_that_changed_since_it_was_shown_is_not_approved(sample_flori: Flori, tmp_path: Path) -> None:
    folder = started(sample_flori, tmp_path / "run")
    _until(lambda: bool(load_run(folder).proposed))
    send(folder, Command(kind="approve", value="another plan's hash"))
    _until(lambda: bool(load_run(folder).warnings))
    assert not load_run(folder).plan_hash
    send(folder, Command(kind="cancel"))
    _until(lambda: load_run(folder).ended is not None)


def test_a_follow_up_extends_the_ledger_and_keeps_the_earlier_report(sample_flori: Flori, run: Path) -> None:
    before, report = load_run(run), (run / "report.md").read_bytes()
    known = numbers(run)
    done = sample_flori("--json", "deepen", run, "Who was Wildman Whitehouse?")
    assert done.code == 0, done.err
    after = load_run(run)
    assert known.items() <= numbers(run).items()
    assert after.notes[: len(before.notes)] == before.notes
    assert [n.question.text for n in after.needs][-1] == "Who was Wildman Whitehouse?"
    assert after.facts(after.needs[-1].question.id)
    assert (run / "report-1.md").read_bytes() == report
    assert "Who was Wildman Whitehouse?" in (run / "report.md").read_text(encoding="utf-8")
    assert sample_flori("verify", run).code == 0


def test_a_follow_up_is_answered_from_what_the_run_holds(sample_flori: Flori, run: Path) -> None:
    sample_flori("deepen", run, QUESTION)
    need = load_run(run).needs[-1]
    assert need.angles[0] == "held"
    assert need.status == "answered"


def test_going_deeper_without_a_question_opens_what_is_not_answered(sample_flori: Flori, run: Path) -> None:
    unanswered = [n.question.id for n in load_run(run).needs if n.status != "answered"]
    done = sample_flori("deepen", run)
    assert done.code in (0, 1), done.err
    extended = [e for e in read_log(run) if e.type == "plan_extended"]
    assert [list(e.reopened) for e in extended] == [unanswered]
    assert load_run(run).rounds == 1
    assert sample_flori("verify", run).code == 0


def test_edits_to_the_report_are_kept_and_checked_when_the_run_goes_on(sample_flori: Flori, run: Path) -> None:
    report = run / "report.md"
    text = report.read_text(encoding="utf-8")
    report.write_text(text.replace("\n## Sources", "\nMy own remark [999].\n\n## Sources", 1), encoding="utf-8")
    done = sample_flori("--json", "deepen", run, "Who was Wildman Whitehouse?")
    merged = report.read_text(encoding="utf-8")
    assert "My own remark [999]." in merged
    assert "Who was Wildman Whitehouse?" in merged
    assert any("999" in failure for failure in done.json["verification"]["failures"])
    assert done.code == 1


def test_a_run_that_was_stopped_before_it_was_settled_has_its_files_at_the_next_look(
    sample_flori: Flori, run: Path
) -> None:
    (run / "report.md").unlink()
    (run / "plan.md").unlink()
    listed = sample_flori("--json", "runs", FLORI_REPORTS=str(run.parent))
    assert [r["status"] for r in listed.json["runs"]] == ["finished"]
    assert (run / "report.md").exists()
    assert (run / "plan.md").exists()


def test_a_run_whose_engine_died_is_shown_as_interrupted_with_how_to_go_on(sample_flori: Flori, tmp_path: Path) -> None:
    where = resolve({"library": str(sample_flori.library), "models": sample_flori.env["FLORI_MODELS"]})
    new_run(where, QUESTION, out=tmp_path / "reports" / "run")
    listed = sample_flori("runs", FLORI_REPORTS=str(tmp_path / "reports"))
    assert "interrupted" in listed.out
    assert "flori continue" in listed.out


def test_every_event_after_the_approval_names_its_plan_line(finished: Path) -> None:
    events = read_log(finished)
    approval = next(i for i, e in enumerate(events) if e.type == "plan_approved")
    ids = {item.id for item in events[approval].items}  # type: ignore[union-attr]  # it is the approval
    named = [getattr(e, "need", "") for e in events[approval + 1 :] if hasattr(e, "need")]
    assert named
    assert {need for need in named if need} <= ids
    assert all(getattr(e, "need", "") for e in events if e.type in ("search_done", "source_registered", "need_closed"))


@pytest.mark.parametrize(
    ("asked", "outcome"),
    [("list sources", "answered"), ("hello", "not_in_library"), ("", "not_in_library"), ("[1]", "answered")],
)
def test_what_needs_no_research_is_served_at_once(
    asked: str, outcome: str, sample_flori: Flori, tmp_path: Path
) -> None:
    done = sample_flori("--json", "research", asked, "--out", tmp_path / "run")
    assert done.json["outcome"] == outcome
    assert not (tmp_path / "run").exists()


def test_a_greeting_offers_two_questions_of_this_library(sample_flori: Flori) -> None:
    examples = sample_flori("--json", "ask", "hello!").json["examples"]
    titles = [s["title"] for s in sample_flori("--json", "sources").json["sources"]]
    assert len(examples) == 2
    assert all(any(title[:40] in example for title in titles) for example in examples)


def test_a_quoted_phrase_is_found_where_it_stands(sample_flori: Flori) -> None:
    text = sample_flori("--json", "sources", "show", "1").json["text"]
    words = text.split()[30:36]
    phrase = text[text.index(" ".join(words[:2])) :][:40].split("\n")[0].strip()
    found = sample_flori("--json", "ask", f'"{phrase}"').json
    assert found["outcome"] == "answered"
    locator = found["citations"][0]["locator"]
    assert text[locator["start"] : locator["end"]].casefold() == phrase.casefold()


def test_a_report_in_german_speaks_german(sample_flori: Flori, tmp_path: Path) -> None:
    done = sample_flori(
        "--json", "research", "Wie funktionierte der Zeigertelegraf von Siemens?", "--yes", "--out", tmp_path / "run"
    )
    report = (tmp_path / "run" / "report.md").read_text(encoding="utf-8")
    assert done.json["verification"]["failures"] == []
    assert "## Antwort" in report
    assert "## Quellen" in report
    assert sample_flori("verify", tmp_path / "run").code == 0


def _until(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come to pass")


def test_answers_are_given_once_and_json_stays_alone_on_stdout(sample_flori: Flori, tmp_path: Path) -> None:
    done = research(sample_flori, tmp_path / "run", "you choose\n\n")
    json.loads(done.out)
    asked = [e for e in read_log(tmp_path / "run") if e.type == "clarification_asked"]
    assert len(asked) == 1


def test_a_comparison_has_a_row_for_each_thing_that_is_compared(sample_flori: Flori, tmp_path: Path) -> None:
    asked = "Compare the Fresnel lens and the fog signal"
    done = sample_flori("--json", "research", asked, "--format", "comparison", "--yes", "--out", tmp_path / "run")
    report = (tmp_path / "run" / "report.md").read_text(encoding="utf-8")
    assert done.json["verification"]["failures"] == []
    assert re.findall(r"^\| ((?:the )?(?:Fresnel lens|fog signal)) \| “", report, re.M)


LEAVE = "# Leave policy {year}\n\nEvery employee of the Orlen works has {days} days of paid leave in a year.\n"


@pytest.fixture(scope="module")
def policies(tmp_path_factory: pytest.TempPathFactory, models_dir: Path) -> Flori:
    """A library whose sources answer one question differently, year by year."""
    flori = Flori(tmp_path_factory.mktemp("policies"), models_dir)
    for year, days in ((2019, 22), (2022, 24), (2024, 27)):
        (flori.home / f"{year}.md").write_text(LEAVE.format(year=year, days=days), encoding="utf-8")
    assert flori("ingest", *(flori.home / f"{year}.md" for year in (2019, 2022, 2024))).code == 0
    return flori


@pytest.mark.parametrize(
    ("said", "restated"),
    [
        ("2\n", "How many days of leave do employees have (2022)?"),
        ("in 2024, please\n", "How many days of leave do employees have (in 2024, please)?"),
        ("you choose\n", "How many days of leave do employees have?"),
        ("", "How many days of leave do employees have?"),
    ],
)
def test_where_only_the_user_can_choose_they_are_asked_once(
    said: str, restated: str, policies: Flori, tmp_path: Path
) -> None:
    done = research(policies, tmp_path / "run", said, "How many days of leave do employees have?", "--depth", "quick")
    state = load_run(tmp_path / "run")
    assert [c.question.options for c in state.clarifications or ()] == [("2019", "2022", "2024")]
    assert state.restated == restated
    assert not any("(" in need.question.text for need in state.needs[1:])
    answer = (tmp_path / "run" / "report.md").read_text(encoding="utf-8").split("## ")[1]
    leads = next((days for year, days in (("2022", "24"), ("2024", "27")) if year in restated), None)
    assert leads is None or f"has {leads} days" in answer.split("[")[0]
    assert len({frozenset((d.note, d.against)) for d in state.disagreements}) == len(state.disagreements) == 2
    assert done.code == 0, done.err


def test_a_question_that_names_its_year_is_not_asked_back(policies: Flori, tmp_path: Path) -> None:
    research(policies, tmp_path / "run", "", "How many days of leave did employees have in 2019?")
    assert load_run(tmp_path / "run").clarifications == ()


def test_a_file_of_answers_that_is_not_there_is_said_before_anything_is_made(
    sample_flori: Flori, tmp_path: Path
) -> None:
    done = sample_flori("research", QUESTION, "--answers", tmp_path / "none", "--out", tmp_path / "run")
    assert done.code == 3
    assert not (tmp_path / "run").exists()
