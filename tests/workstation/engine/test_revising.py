"""Evidence that a person judges: the report says what is stale, and is written anew from what is left."""

from __future__ import annotations

import json
import re
import signal
import time
from pathlib import Path

import pytest

from tests.conftest import Flori, copy_of
from workstation.engine.launch import load_run
from workstation.memory.log import read_log
from workstation.memory.staleness import stale

QUESTION = "Why did the Atlantic cable of 1858 fail?"


@pytest.fixture(scope="module")
def finished(sample_flori: Flori, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judged") / "run"
    assert sample_flori("research", QUESTION, "--depth", "quick", "--yes", "--out", folder).code == 0
    return folder


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    return copy_of(finished, tmp_path / "run")


def report(folder: Path) -> str:
    return (folder / "report.md").read_text(encoding="utf-8")


def lead(folder: Path) -> int:
    """The number of the quote that the answer begins with."""
    state = load_run(folder)
    first = next(p for p in state.paragraphs if p.section == "answer").notes[0]
    return [n.id for n in state.notes].index(first) + 1


def test_without_the_lead_quote_the_report_is_written_anew_and_nothing_else_changes(
    run: Path, sample_flori: Flori
) -> None:
    before, number = load_run(run), lead(run)
    quote = before.notes[number - 1].quote
    assert sample_flori("evidence", run, "reject", number, "--because", "off the point").code == 0
    outdated = stale(load_run(run)).paragraphs
    assert "answer" in outdated
    assert report(run).count("Stale: what follows rests on") == len(outdated)
    failed = sample_flori("verify", run)
    assert failed.code == 1
    assert "evidence changed since" in failed.out
    searches = len(before.searches)
    done = sample_flori("--json", "continue", run)
    assert done.code == 0, done.err
    after = load_run(run)
    assert sample_flori("verify", run).code == 0
    assert not stale(after)
    assert "Stale" not in report(run)
    assert " ".join(quote.split())[:60] not in report(run)
    assert all(quote not in c["quote"] for c in done.json["citations"])
    assert len(after.searches) == searches
    kept = {p.id: p.text for p in before.paragraphs if p.id not in outdated}
    assert kept.items() <= {p.id: p.text for p in after.paragraphs}.items()
    assert [(x.source, x.number) for x in after.ledger] == [(x.source, x.number) for x in before.ledger]
    assert [n.id for n in after.notes] == [n.id for n in before.notes]
    assert "rejected: off the point" in (run / "notes.md").read_text(encoding="utf-8")


def test_a_rejection_that_is_taken_back_leaves_the_report_as_it_was(run: Path, sample_flori: Flori) -> None:
    before, number = report(run), lead(run)
    sample_flori("evidence", run, "reject", number)
    assert report(run) != before
    assert sample_flori("evidence", run, "restore", number).code == 0
    assert report(run) == before
    assert sample_flori("verify", run).code == 0


def test_a_restored_quote_comes_back_into_a_report_that_was_written_without_it(run: Path, sample_flori: Flori) -> None:
    before, number = report(run), lead(run)
    sample_flori("evidence", run, "reject", number)
    sample_flori("continue", run)
    sample_flori("evidence", run, "restore", number)
    assert stale(load_run(run)).paragraphs
    assert sample_flori("continue", run).code == 0
    assert report(run) == before


def test_a_correction_must_stand_in_the_source(run: Path, sample_flori: Flori) -> None:
    number = lead(run)
    note = load_run(run).notes[number - 1]
    events = len(read_log(run))
    refused = sample_flori("evidence", run, "correct", number, "--quote", "The cable was made of cheese.")
    assert refused.code == 3
    assert "does not hold these words" in refused.err
    assert len(read_log(run)) == events
    shorter = " ".join(note.quote.split()[:-2])
    assert sample_flori("evidence", run, "correct", number, "--quote", shorter).code == 0
    corrected = load_run(run).notes[number - 1]
    assert (corrected.id, corrected.number, corrected.place.start) == (note.id, note.number, note.place.start)
    assert " ".join(corrected.quote.split()) == shorter
    assert sample_flori("verify", run).code == 1
    assert sample_flori("continue", run).code == 0
    assert f"“{shorter}”" in report(run)
    assert sample_flori("verify", run).code == 0


def test_a_quote_moves_to_the_sub_question_that_it_belongs_to(run: Path, sample_flori: Flori) -> None:
    needs = [need.question.id for need in load_run(run).needs]
    number = lead(run)
    target = next(at for at, id in enumerate(needs, 1) if id != load_run(run).notes[number - 1].need)
    assert sample_flori("evidence", run, "correct", number, "--to", target).code == 0
    assert load_run(run).notes[number - 1].need == needs[target - 1]
    assert sample_flori("continue", run).code in (0, 1)
    assert sample_flori("verify", run).code == 0


def test_without_the_answer_that_others_were_set_against_going_deeper_compares_those(
    models_dir: Path, tmp_path: Path
) -> None:
    flori = Flori(tmp_path, models_dir)
    for year, days in ((2019, 22), (2022, 24), (2024, 27)):
        text = f"# Leave policy {year}\n\nEvery employee of the Orlen works has {days} days of paid leave in a year.\n"
        (tmp_path / f"{year}.md").write_text(text, encoding="utf-8")
    assert flori("ingest", *(tmp_path / f"{year}.md" for year in (2019, 2022, 2024))).code == 0
    asked = "How many days of leave do employees have?"
    flori("research", asked, "--depth", "quick", "--yes", "--out", tmp_path / "run")
    state = load_run(tmp_path / "run")
    leading = state.disputes()[0].against
    number = [n.id for n in state.notes].index(leading) + 1
    rejected = state.notes[number - 1].quote
    flori("evidence", tmp_path / "run", "reject", number)
    assert not load_run(tmp_path / "run").disputes()
    flori("deepen", tmp_path / "run")
    after = load_run(tmp_path / "run")
    sides = [note.quote for d in after.disputes() for id in (d.note, d.against) if (note := after.note(id))]
    assert len(set(sides)) == 2
    assert rejected not in sides
    assert flori("verify", tmp_path / "run").code == 0


def test_an_edited_report_keeps_its_edits_when_it_is_written_anew(run: Path, sample_flori: Flori) -> None:
    edited = report(run).replace("\n## Sources", "\nMy remark *(unverified)*.\n\n## Sources", 1)
    (run / "report.md").write_text(edited, encoding="utf-8")
    sample_flori("evidence", run, "reject", lead(run))
    assert "My remark" in report(run)
    assert "Stale: " in report(run)
    assert sample_flori("continue", run).code == 0
    assert "My remark" in report(run)
    assert "Stale: " not in report(run)
    assert sample_flori("verify", run).code == 0


def test_killed_between_the_rejection_and_the_rewrite_nothing_is_lost(run: Path, sample_flori: Flori) -> None:
    number = lead(run)
    sample_flori("evidence", run, "reject", number)
    rejected = load_run(run).notes[number - 1]
    for seconds in (0.5, 1.2, 2.0):
        process = sample_flori.start("continue", run)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert load_run(run).notes[number - 1] == rejected
    done = sample_flori("continue", run)
    assert done.code == 0, done.err
    assert not stale(load_run(run))
    assert sample_flori("verify", run).code == 0
    taken = [event for event in read_log(run) if event.type == "note_rejected" and event.id == rejected.id]
    assert len(taken) == 1


def test_the_evidence_is_listed_by_kind_source_and_sub_question(run: Path, sample_flori: Flori) -> None:
    listed = sample_flori("--json", "evidence", run).json["evidence"]
    assert [row["number"] for row in listed] == list(range(1, len(listed) + 1))
    first = listed[0]
    few = sample_flori("--json", "evidence", run, "--kind", "fact", "--source", first["cites"], "--need", 1).json
    assert first in few["evidence"]
    assert {row["cites"] for row in few["evidence"]} == {first["cites"]}
    shown = sample_flori("evidence", run)
    assert re.search(r"^ *1  fact", shown.out, re.M)
    assert sample_flori("evidence", run, "--kind", "rejected").code == 1
    assert sample_flori("evidence", run, "reject").code == 2
    assert sample_flori("evidence", run, "reject", 999).code == 3
    assert json.loads(sample_flori("--json", "evidence", run, "reject", 1).out)["command"] == "reject"
