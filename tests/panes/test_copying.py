"""Copying: what is copied from each pane, and by which way it reaches the clipboard."""

from __future__ import annotations

import base64
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from panes.clipboard import MOST, copy
from workstation.paths import state_dir

from .conftest import Workstation
from .recorded import run_events
from .seeing import bar_text, until
from .terminal import Terminal


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("TMUX", "STY"):
        monkeypatch.delenv(name, raising=False)


def copied() -> str:
    return (state_dir() / "copied.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("pane", "keys", "text"),
    [
        ("1", ("down",), "When was the tower lit"),
        ("2", (), "The four Eddystone lighthouses, document, /home/reader/papers/eddystone.md"),
        ("3", (), "“The tower itself was sound"),
        ("4", (), "[1] The four Eddystone lighthouses"),
        ("4", ("n",), "shook in heavy seas.” — The four Eddystone lighthouses"),
        ("4", ("Y",), "## Sources"),
    ],
)
async def test_y_copies_what_the_cursor_stands_on(
    workstation: Workstation, pane: str, keys: tuple[str, ...], text: str
) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await pilot.press(pane, *keys, *([] if "Y" in keys else ["y"]))
        await until(pilot, lambda: "Copied: " in bar_text(pilot, "#status"))
        assert text in copied()


def test_the_file_is_the_owner_s_alone_and_holds_nothing_that_steers_a_terminal() -> None:
    sent: list[str] = []
    done = copy("a\x1b]52;c;AAAA\x07 quote\u202e\nwith a line", sent.append, {"TERM": "xterm"})
    assert copied() == "a␛]52;c;AAAA␇ quote<U+202E>\nwith a line"
    assert done.file is not None
    assert stat.S_IMODE(done.file.stat().st_mode) == 0o600
    assert sent == ["\x1b]52;c;" + base64.b64encode(copied().encode()).decode() + "\x07"]
    assert done.said("quote [1]").startswith("Copied: quote [1] (also in ")


def test_gnu_screen_passes_the_text_on_in_strings_that_it_does_not_drop() -> None:
    sent: list[str] = []
    copy("long " * 400, sent.append, {"TERM": "screen.xterm-256color", "STY": "1.tty"})
    parts = [part.removeprefix("\x1bP") for part in sent[0].split("\x1b\\")]
    assert all(len(part) <= 768 for part in parts)
    data = "".join(parts).removeprefix("\x1b]52;c;").removesuffix("\x07")
    assert base64.b64decode(data).decode() == "long " * 400


def test_what_no_terminal_takes_is_in_the_file_and_the_answer_says_so() -> None:
    sent: list[str] = []
    done = copy("x" * (MOST + 1), sent.append, {"TERM": "xterm"})
    assert sent == []
    assert len(copied()) == MOST + 1
    assert done.said("report").startswith("Only in ")
    assert "74,995 bytes; a terminal takes 74,994" in done.said("report")
    assert "no clipboard" in copy("x", sent.append, {"TERM": "dumb"}).said("report")


TMUX = shutil.which("tmux")


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[list[str]]:
    """A tmux server of our own, without anybody's configuration."""
    if TMUX is None:
        pytest.skip("tmux is not installed")
    command = [TMUX, "-S", str(tmp_path / "socket"), "-f", "/dev/null"]
    yield command
    subprocess.run([*command, "kill-server"], capture_output=True, check=False)


def test_under_tmux_a_quote_reaches_the_tmux_buffer(tmux: list[str], tmp_path: Path) -> None:
    from .recorded import record

    (tmp_path / "library").mkdir()
    folder = record(tmp_path / "reports" / "smeaton", run_events())
    inner = Terminal(tmp_path, folder)
    environment = [f"{name}={value}" for name in ("PYTHONPATH", "XDG_STATE_HOME") if (value := inner._env.get(name))]
    command = [*tmux, "new-session", "-x", "100", "-y", "30", "env", *environment, *inner._command]
    env = {name: os.environ[name] for name in ("XDG_STATE_HOME",)}
    with Terminal(tmp_path, command=command, size=(100, 30), **env) as terminal:
        terminal.wait_for("Checked")
        terminal.type("3")
        terminal.wait_for("3 Evidence")
        terminal.type("y")
        terminal.wait_for("Copied: quote [1]")
        shown = subprocess.run([*tmux, "show-buffer"], capture_output=True, text=True, check=True).stdout
    assert shown == copied()
    assert shown.startswith("“The tower itself was sound")
