"""Following a run folder: what changed, what is being written, and whether an engine is at work."""

from __future__ import annotations

from pathlib import Path

from panes.run_view import DRAFT, Follower, unfinished
from workstation.memory import events as e
from workstation.memory.folding import fold
from workstation.memory.log import LOG, RunLog
from workstation.memory.state import Paragraph

from .recorded import frozen_time, record, run_events, until


def read(follower: Follower) -> bool:
    """One tick; whether something that is shown has changed."""
    return follower.changed() and follower.read() is not None


def paragraph(text: str) -> Paragraph:
    return Paragraph(id="p", section="answer", need="", text=text, notes=())


def test_following_in_pieces_gives_the_same_state_as_reading_at_once(tmp_path: Path) -> None:
    events = run_events()
    follower = Follower(tmp_path)
    with frozen_time(), RunLog(tmp_path) as log:
        for event in events:
            log.append(event)
            read(follower)
    state, timeless = follower.snapshot.state, {"time": "", "started": "", "worked": 0.0}
    assert state.model_copy(update=timeless) == fold(
        event.model_copy(update={"seq": at}) for at, event in enumerate(events, 1)
    ).model_copy(update={**timeless, "ledger": state.ledger})


def test_a_run_that_rests_is_hardly_looked_at(tmp_path: Path) -> None:
    follower = Follower(record(tmp_path / "run", run_events()))
    assert read(follower)
    assert follower.snapshot.life == "ended"
    assert not any(read(follower) for _ in range(40))


def test_a_torn_line_is_not_read_before_it_is_whole(tmp_path: Path) -> None:
    folder = record(tmp_path / "run", until(run_events(), "need_closed"))
    follower = Follower(folder)
    read(follower)
    before = follower.snapshot.state
    whole = e.Warned(text="a source changed").model_copy(update={"seq": 99}).model_dump_json().encode()
    with (folder / LOG).open("ab") as file:
        file.write(whole[:20])
        file.flush()
        read(follower)
        assert follower.snapshot.state is before
        file.write(whole[20:] + b"\n")
    assert read(follower)
    assert follower.snapshot.state.warnings == ("a source changed",)


def test_a_log_of_a_later_version_is_said_and_does_not_break_anything(tmp_path: Path) -> None:
    folder = record(tmp_path / "run", until(run_events(), "need_closed"))
    with (folder / LOG).open("a", encoding="utf-8") as file:
        file.write('{"seq": 99, "time": "", "type": "dreamt"}\n')
    follower = Follower(folder)
    assert read(follower)
    assert follower.snapshot.state.notes
    assert follower.snapshot.trouble.startswith("This run's log cannot be read")


def test_a_folder_that_is_gone_is_an_empty_run(tmp_path: Path) -> None:
    follower = Follower(tmp_path / "gone")
    read(follower)
    assert follower.snapshot.life == "interrupted"
    assert not follower.snapshot.state.question


def test_an_engine_gets_time_to_start(tmp_path: Path) -> None:
    folder = record(tmp_path / "run", run_events()[:1])
    follower = Follower(folder, launched=True)
    read(follower)
    assert follower.snapshot.life == "starting"
    with RunLog(folder):
        seen = {read(follower) and follower.snapshot.life for _ in range(4)}
        assert "running" in seen


def test_the_time_of_an_interruption_does_not_count_as_work(tmp_path: Path) -> None:
    folder = record(tmp_path / "run", until(run_events(), "need_closed"))
    follower = Follower(folder)
    read(follower)
    worked = follower.snapshot.state.worked
    assert worked
    with RunLog(folder) as log:  # at today's time, long after the recorded one
        log.append(e.RunResumed(program="0.1.0"))
    read(follower)
    assert follower.snapshot.state.worked == worked


def test_the_draft_is_what_is_not_yet_a_paragraph(tmp_path: Path) -> None:
    assert unfinished("The tower", ()) == "The tower"
    assert unfinished("First. Second is be", (paragraph("First."),)) == "Second is be"
    assert unfinished("First.", (paragraph("First."),)) == ""
    assert unfinished("Fir", (paragraph("First."),)) == ""
    folder = record(tmp_path / "run", until(run_events(), "need_closed"))
    (folder / DRAFT).write_bytes("Schön".encode()[:-3])
    follower = Follower(folder)
    read(follower)
    assert follower.snapshot.draft.startswith("Sch")
