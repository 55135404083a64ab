"""The plain mode: whole lines in and out, in a pipe, on a dumb terminal, and whatever a run holds."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from panes.following import Snapshot
from panes.plain import found, spoken
from panes.plain.session import Session
from panes.plain.table import COMMANDS, help_lines, meant, read
from workstation.memory.folding import fold
from workstation.memory.log import read_commands

from .conftest import Workstation
from .live import live_engine
from .recorded import asking_events, record, run_events, waiting_events
from .terminal import ROOT, Terminal
from .test_inert import HOSTILE, hostile_events, is_inert


def plain(home: Path) -> list[str]:
    folders = [part for name in ("library", "reports", "models") for part in (f"--{name}", str(home / name))]
    return [sys.executable, "-m", "workstation", *folders, "--offline", "--plain"]


def said(home: Path, *lines: str, status: int = 0, **env: str) -> str:
    """What a script of these lines puts out."""
    done = subprocess.run(
        plain(home),
        input="".join(f"{line}\n" for line in lines),
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(home / "state"), **env},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (status, "")
    return done.stdout


def test_a_script_reads_a_run_line_by_line_and_copies_a_quote(tmp_path: Path) -> None:
    record(tmp_path / "reports" / "smeaton", run_events())
    output = said(
        tmp_path, "runs", "open 1", "plan", "evidence 2", "why 1", "source 1", "report", "copy 1", TERM="dumb"
    )
    assert "1. Smeaton's Eddystone lighthouse (partly answered" in output
    assert "2. When was the tower lit, and how long did it stand?  (answered)" in output
    assert "Checked. 6 sentences: 6 cited" in output
    assert "1. fact: “The tower itself was sound" in output
    assert "cosine 0.71, rerank 0.80" in output
    assert "## Sources" in output
    assert "Only in " in output  # a pipe has no clipboard
    assert (tmp_path / "state/florilegium/copied.txt").read_text(encoding="utf-8").startswith("“The tower itself")
    assert "\x1b" not in output


def test_what_cannot_be_done_is_said_and_counts(tmp_path: Path) -> None:
    output = said(tmp_path, "plan", "source x", "open 3", "help", "quit", "runs", status=1)
    assert "No run is open" in output
    assert "Say: source N." in output
    assert "There is no run 3" in output
    assert all(line in output for line in help_lines())
    assert "No runs yet" not in output  # after quit


def test_a_plan_is_approved_on_a_dumb_terminal(tmp_path: Path) -> None:
    folder = record(tmp_path / "reports" / "waiting", waiting_events())
    (tmp_path / "library").mkdir()
    with live_engine(folder) as engine, Terminal(tmp_path, command=plain(tmp_path), TERM="dumb") as terminal:
        terminal.wait_for("Ask> ")
        terminal.type("open 1\n")
        terminal.wait_for("Change the plan> ")
        terminal.type("drop 2\n")
        terminal.wait_for("The plan is being changed.")
        terminal.type("approve\n")
        terminal.wait_for("Approved.")
        assert [command.kind for command in read_commands(folder)] == ["edit_plan", "approve"]
        engine.does(*run_events()[7:])
        terminal.wait_for("Finished: partly answered.")
        terminal.type("quit\n")
        assert terminal.ended() == 0
        assert b"\x1b" not in terminal.output


class Clock:
    """Time that passes when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("panes.plain.session.time", self)

    def monotonic(self) -> float:
        return self.now


async def test_a_run_that_goes_on_is_told_in_few_lines(
    workstation: Workstation, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    folder = workstation.has_run("live", run_events()[:8])
    session = Session(workstation.options, workstation.engine, workstation.lookups, lambda line: None)
    with live_engine(folder) as engine:
        session.open(folder)
        told: list[str] = []
        for event in run_events()[8:-1]:
            engine.does(event)
            clock.now += 0.5
            told += session.look()
        gathering = [line for line in told if line.startswith("Gathering evidence: ")]
        assert "of 5 sub-questions done" in gathering[-1]
        assert len(told) == len(set(told)) < 0.5 * 0.5 * len(run_events())
        engine.does(run_events()[-1])
    assert "Finished: partly answered." in _until(session)


async def test_a_question_of_the_run_is_answered_by_its_number(workstation: Workstation) -> None:
    folder = workstation.has_run("asking", asking_events())
    lines: list[str] = []
    session = Session(workstation.options, workstation.engine, workstation.lookups, lines.append)
    with live_engine(folder):
        await session.do("open 1")
        assert session.turn
        assert session.prompt == "Answer"
        assert lines[1:4] == ["Which document do you mean?", "1. The four Eddystone lighthouses", "2. The Bell Rock"]
        await session.do("2")
        assert workstation.said(folder) == [("answer", "2")]
        assert not session.turn


async def test_a_question_starts_a_run_and_a_list_is_only_shown(workstation: Workstation) -> None:
    lines: list[str] = []
    session = Session(workstation.options, workstation.engine, workstation.lookups, lines.append)
    await session.do("depth quick")
    await session.do("How many documents about lamps?")
    assert workstation.engine.asked == []
    await session.do("Why was the tower replaced?")
    assert workstation.engine.asked == [("Why was the tower replaced?", "quick", "report")]
    await session.close()


def test_a_sentence_that_begins_like_a_command_is_still_a_sentence() -> None:
    assert read("report on wages in 1850") == (None, "report on wages in 1850")
    assert read("Why was it late?") == (None, "Why was it late?")
    command, rest = read("search  lens mercury ")
    assert (command and command.name, rest) == ("search", "lens mercury")
    assert len({command.name for command in COMMANDS}) == len(COMMANDS)


def test_a_slip_of_the_pen_starts_no_run() -> None:
    assert (meant("opne 1"), meant("repotr"), meant("verfy")) == ("open 1", "report", "verify")
    for question in ("Who opened it?", "copper towers", "lighthouses", "sources of the Nile"):
        assert not meant(question)


def test_every_command_of_the_table_is_there() -> None:
    assert all(hasattr(Session, "do_" + command.name.replace("-", "_")) for command in COMMANDS)


def test_it_starts_without_the_screen() -> None:
    code = "import sys, panes.plain.loop; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"textual", "storage", "apsw", "numpy", "llama_cpp"} & set(done.stdout.split())


def lines_about(text: str) -> list[str]:
    """Everything that the plain mode says of a run and a library in which all texts are `text`."""
    events = hostile_events(text)
    run = Snapshot(Path("/run"), fold(events), life="interrupted", trouble=text)
    proposed = Snapshot(Path("/run"), fold(events[:6]), life="running")
    state = run.state
    document: dict[str, Any] = {
        "answer": text,
        "sources": [{"source": 1, "title": text, "kind": text, "language": text, "status": text, "passages": 1}],
        "citations": [{"quote": text, "title": text, "locator": {"start": 0, "end": 1, "heading": text}, "source": 1}],
        "examples": [text],
    }
    document["candidates"] = [{**document["citations"][0], "text": text}]
    parts: list[Sequence[str]] = [
        spoken.changes(None, run),
        spoken.changes(None, proposed),
        spoken.status(run),
        spoken.plan(run),
        spoken.evidence(state),
        spoken.source(state.ledger[0], state),
        spoken.why(1, state.notes[0], state),
        *(say(document) for say in (found.sources, found.places, found.passages, found.examples)),
    ]
    return [line for part in parts for line in part]


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=60) | st.text(alphabet="\x1b[]()0;m\x07\u202e\r\n\t#*_`|>-1. ", max_size=60))
def test_no_line_holds_anything_but_plain_text(text: str) -> None:
    assert all(is_inert(line) and "\n" not in line for line in lines_about(text))


def test_a_hostile_run_is_spoken_inert(tmp_path: Path) -> None:
    record(tmp_path / "reports" / "hostile", hostile_events(HOSTILE))
    (tmp_path / "reports" / "hostile" / "engine.log").write_text(HOSTILE, encoding="utf-8")
    output = said(tmp_path, "runs", "open 1", "plan", "evidence", "sources", "source 1", "why 1", "report", "status")
    assert is_inert(output)
    assert "<U+202E>evil" in output


def _until(session: Session) -> list[str]:
    told: list[str] = []
    end = time.monotonic() + 20
    while not session.turn or not told:
        told += session.look()
        assert time.monotonic() < end
        time.sleep(0.02)
    return told + session.look()
