"""The workstation as a process in a pseudo-terminal: how fast it is there, what it sends, how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workstation.memory.log import read_commands

from .live import live_engine
from .recorded import record, run_events, waiting_events
from .terminal import ROOT, START, Terminal

FIRST_FRAME_S = 3.0
"""The budget is 0.6 s on a machine at rest; here it only guards against an import that slipped in before the frame."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "library").mkdir()
    return tmp_path


def start_without_terminal(home: Path, **env: str) -> subprocess.CompletedProcess[str]:
    folders = [str(home / name) for name in ("library", "reports", "models")]
    return subprocess.run(
        [sys.executable, "-c", START, *folders],
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


def test_the_first_frame_is_there_at_once_and_an_idle_screen_sends_nothing(home: Path) -> None:
    folder = record(home / "reports" / "smeaton", run_events())
    with Terminal(home) as terminal:
        assert terminal.wait_for("Questions") < FIRST_FRAME_S
        terminal.wait_for("Finished")
        terminal.read(1)
        assert terminal.read(2) == b""
    with Terminal(home, folder, size=(120, 40)) as terminal:
        terminal.wait_for("Checked")
        terminal.read(1)
        assert terminal.read(2) == b""


@pytest.mark.parametrize("key", ["q", "\x03"], ids=["q", "ctrl+c"])
def test_it_ends_at_once_and_leaves_the_terminal_as_it_was(home: Path, key: str) -> None:
    with Terminal(home) as terminal:
        terminal.wait_for("Start research")
        terminal.type("\x1b")
        terminal.wait_for("Open")  # the keyboard went from the ask line to the list
        terminal.type(key)
        assert terminal.ended() == 0
        terminal.read(0.1)
        assert b"\x1b[?1049l" in terminal.output
        assert b"\x1b[?25h" in terminal.output


def test_the_plan_is_edited_in_an_editor_that_gets_the_terminal(home: Path) -> None:
    folder = record(home / "reports" / "waiting", waiting_events())
    (folder / "plan.md").write_text("- [ ] 1. Why?\n", encoding="utf-8")
    editor = home / "editor"
    editor.write_text('#!/bin/sh\necho "edited by hand"\necho "- [ ] 2. Who paid?" >> "$1"\n', encoding="utf-8")
    editor.chmod(0o700)
    with live_engine(folder), Terminal(home, folder, size=(120, 40), VISUAL=str(editor)) as terminal:
        terminal.wait_for("to approve")
        terminal.type("o")
        terminal.wait_for("edited by hand")
        terminal.wait_for("The plan is being changed.")
        assert [(command.kind, command.value) for command in read_commands(folder)] == [("edit_plan", "")]
        before, after = terminal.output.split(b"edited by hand")
        assert before.rindex(b"\x1b[?1049l") > before.rindex(
            b"\x1b[?1049h"
        )  # the screen was given back, and taken again
        assert b"\x1b[?1049h" in after


def test_no_color_is_honoured(home: Path) -> None:
    with Terminal(home, NO_COLOR="1") as terminal:
        terminal.wait_for("Questions")
        terminal.read(0.5)
        assert b"38;2;" not in terminal.output  # not even greys
        assert b"48;2;" not in terminal.output


def test_a_dumb_terminal_gets_a_clear_message(home: Path) -> None:
    with Terminal(home, TERM="dumb") as terminal:
        assert terminal.ended() == 2
        assert b"TERM=dumb" in terminal.output
        assert b"flori --plain" in terminal.output


def test_a_locale_that_is_not_utf8_gets_a_clear_message(home: Path) -> None:
    with Terminal(home, LC_ALL="C") as terminal:
        assert terminal.ended() == 2
        assert b"needs a UTF-8 locale" in terminal.output
        assert b"LC_ALL=C.UTF-8" in terminal.output


def test_sixteen_colours_are_the_terminal_s_own(home: Path) -> None:
    folder = record(home / "reports" / "smeaton", run_events())
    with Terminal(home, folder, TERM="xterm", COLORTERM="") as terminal:
        terminal.wait_for("Checked")
        terminal.read(0.5)
        assert b"38;2;" not in terminal.output
        assert b"48;2;" not in terminal.output


def test_without_a_terminal_there_is_a_clear_message(home: Path) -> None:
    done = start_without_terminal(home)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("flori: The workstation needs a terminal.")


HEAVY = {
    "apsw",
    "sqlite3",
    "sqlite_vec",
    "llama_cpp",
    "torch",
    "numpy",
    "storage",
    "local_models",
    "onnxruntime",
    "pypdf",
}


@pytest.mark.parametrize(
    "module", ["panes.app", "panes.screens.research", "panes.screens.runs", "panes.screens.library", "panes.markdown"]
)
def test_no_screen_loads_models_or_the_database(module: str) -> None:
    code = f"import sys, {module}; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & HEAVY


def test_the_first_frame_does_without_the_run_s_memory() -> None:
    code = "import sys, panes.app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"pydantic", "workstation.memory", "markdown_it"} & set(done.stdout.split())


def test_an_unexpected_error_gives_the_screen_back_and_reaches_the_command_line(home: Path) -> None:
    broken = f"""
import panes.welcome
def show(self, *_, **__):
    secret = "a private text"
    raise ValueError("drawn wrongly")
panes.welcome.Welcome.show = show
try:
    exec({START!r})
except ValueError as error:
    print("caught:", error)
    sys.exit(70)
"""
    folders = [str(home / name) for name in ("library", "reports", "models")]
    with Terminal(home, command=[sys.executable, "-c", broken, *folders]) as terminal:
        assert terminal.ended() == 70
        terminal.read(0.1)
        assert b"caught: drawn wrongly" in terminal.output
        assert b"a private text" not in terminal.output
        assert b"\x1b[?1049l" in terminal.output
