"""A research run as its user meets it: a folder that agrees with itself, survives being killed, and can be checked
again."""

from __future__ import annotations

import json
import random
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Flori, copy_of
from workstation.engine.launch import load_run, new_run
from workstation.memory.events import Command
from workstation.memory.log import RunLog, read_log, send
from workstation.options import resolve
from workstation.paths import sample_dir

QUESTION = "Why was Smeaton's Eddystone lighthouse replaced, and what happened to it?"


@pytest.fixture(scope="module")
def finished(sample_flori: Flori, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "out"
    done = sample_flori("--json", "research", QUESTION, "--depth", "quick", "--yes", "--out", folder)
    assert done.code == 0, done.err
    assert done.json["outcome"] in ("answered", "partly")
    return folder


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, to be spoilt."""
    return copy_of(finished, tmp_path / "run")


def test_the_folder_agrees_with_itself(finished: Path, sample_flori: Flori) -> None:
    report = (finished / "report.md").read_text()
    ledger = json.loads((finished / "sources.json").read_text())["sources"]
    cited = {int(n) for n in re.findall(r"\[(\d+)\]", report)}
    assert cited
    assert cited <= {entry["number"] for entry in ledger}
    assert re.search(r"^- \[[x~!]\] 1\. ", (finished / "plan.md").read_text(), re.M)
    assert "Smeaton" in report
    assert sample_flori("verify", finished).code == 0
    seqs = [event.seq for event in read_log(finished)]
    assert seqs == list(range(1, len(seqs) + 1))


def _forge_number(text: str) -> str:
    return text.replace("\n## Sources", "\nThe moon is made of cheese [999].\n\n## Sources", 1)


def _change_quote(text: str) -> str:
    return re.sub(r"“(\w+ \w+)", r"“\1 never", text, count=1)


def _drop_source(text: str) -> str:
    return re.sub(
        r"\n- \[1\] .*", "", text.partition("## Sources")[0] + "## Sources" + text.partition("## Sources")[2], count=1
    )


@pytest.mark.parametrize("spoil", [_forge_number, _change_quote, _drop_source])
def test_verify_fails_on_a_report_that_was_tampered_with(
    spoil: Callable[[str], str], run: Path, sample_flori: Flori
) -> None:
    report = run / "report.md"
    text = report.read_text()
    spoilt = spoil(text)
    assert spoilt != text
    report.write_text(spoilt)
    done = sample_flori("verify", run)
    assert done.code == 1
    assert done.out


def test_a_question_that_the_library_knows_nothing_about(flori: Flori, sample_flori: Flori, tmp_path: Path) -> None:
    done = sample_flori("--json", "research", "How many moons does Jupiter have?", "--yes", "--out", tmp_path / "out")
    assert done.code == 1
    assert done.json["outcome"] == "not_in_library"
    assert done.json["citations"] == []
    assert (tmp_path / "out" / "report.md").exists()


def test_killed_anywhere_a_run_goes_on_and_loses_nothing(sample_flori: Flori, tmp_path: Path) -> None:
    rng = random.Random(4)
    for trial in range(4):
        folder = tmp_path / f"run{trial}"
        process = sample_flori.start("research", QUESTION, "--depth", "thorough", "--yes", "--out", folder)
        time.sleep(rng.uniform(0.3, 3.0))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if not (folder / "run.jsonl").exists():
            continue
        before = load_run(folder)
        done = sample_flori("--json", "continue", folder)
        assert done.code == 0, done.err
        after = load_run(folder)
        numbers = {(x.source, x.version): x.number for x in after.ledger}
        assert {(x.source, x.version): x.number for x in before.ledger}.items() <= numbers.items()
        assert after.notes[: len(before.notes)] == before.notes or {n.id for n in before.notes} <= {
            n.id for n in after.notes
        }
        assert len({n.id for n in after.notes}) == len(after.notes)
        assert sample_flori("verify", folder).code == 0


def test_a_torn_last_line_is_cut_and_the_log_goes_on(run: Path) -> None:
    events = read_log(run)
    with (run / "run.jsonl").open("ab") as log:
        log.write(b'{"seq": 999, "time": "2020", "ty')
    assert read_log(run) == events
    with RunLog(run) as log:
        stamped = log.append(events[0])
    assert stamped.seq == events[-1].seq + 1
    assert len(read_log(run)) == len(events) + 1


def test_enough_before_the_start_writes_up_what_is_held(sample_flori: Flori, tmp_path: Path) -> None:
    where = resolve({"library": str(sample_flori.library), "reports": str(tmp_path)})
    folder = new_run(where, QUESTION, depth="quick")
    send(folder, Command(kind="enough"))
    done = sample_flori("--json", "continue", folder)
    assert done.json["exit_reason"] == "enough"
    assert {line["status"] for line in done.json["plan"]} == {"open"}


def test_a_folder_that_is_in_use_is_not_written_into(finished: Path, sample_flori: Flori) -> None:
    done = sample_flori("research", QUESTION, "--yes", "--out", finished)
    assert done.code == 3
    assert "continue" in done.err


def test_without_a_terminal_a_plan_must_be_approved_beforehand(sample_flori: Flori, tmp_path: Path) -> None:
    done = sample_flori("research", QUESTION, "--out", tmp_path / "out")
    assert done.code == 3
    assert "--yes" in done.err
    assert not (tmp_path / "out").exists()


def test_runs_lists_what_is_there(sample_flori: Flori, finished: Path) -> None:
    done = sample_flori("--json", "runs", FLORI_REPORTS=str(finished.parent))
    assert [(r["status"], r["folder"]) for r in done.json["runs"]] == [("finished", str(finished))]


def test_two_copies_of_a_text_are_one_voice(flori: Flori, tmp_path: Path) -> None:
    text = (sample_dir() / "library" / "bell-rock.md").read_text(encoding="utf-8")
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "original.md").write_text(text, encoding="utf-8")
    assert flori("ingest", papers).code == 0
    (papers / "scanned.md").write_text(text.replace("stones", "stoncs").replace("light", "1ight"), encoding="utf-8")
    assert flori("ingest", papers).code == 0
    question = "How were the courses of stones of the Bell Rock lighthouse held together?"
    assert flori("research", question, "--depth", "quick", "--yes", "--out", tmp_path / "out").code == 0
    state = load_run(tmp_path / "out")
    assert {entry.voice for entry in state.ledger} == {1}
    facts = [(note.need, note.quote.replace("stoncs", "stones").replace("1ight", "light")) for note in state.facts()]
    assert len(facts) == len(set(facts))
    assert "sources: 1." in (tmp_path / "out" / "report.md").read_text()
