"""One whole journey in a real terminal with the real models: from an empty library to the exact place in a source."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 120.0


class Tmux:
    """A server of its own with one window in which the workstation runs."""

    def __init__(self, home: Path, command: list[str], env: dict[str, str]) -> None:
        self._socket = str(home / "tmux")
        given = [f"{name}={value}" for name, value in env.items()]
        self._run("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "env", *given, *command)

    def _run(self, *arguments: str) -> str:
        done = subprocess.run(["tmux", "-S", self._socket, *arguments], capture_output=True, text=True, check=True)
        return done.stdout

    @property
    def shown(self) -> str:
        return self._run("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    def type(self, text: str) -> None:
        self._run("send-keys", "-l", text)

    def wait_for(self, *signs: str) -> str:
        """Waits until all of these are on the screen, and gives the screen."""
        end = time.monotonic() + PATIENCE_S
        while not all(sign in " ".join((screen := self.shown).split()) for sign in signs):  # wherever lines break
            assert time.monotonic() < end, f"{signs} never came. The screen shows:\n{screen}"
            time.sleep(0.2)
        return screen

    def ended(self) -> bool:
        return subprocess.run(["tmux", "-S", self._socket, "has-session"], capture_output=True).returncode != 0

    def end(self) -> None:
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], capture_output=True)


@pytest.fixture
def tmux(tmp_path: Path, models_dir: Path) -> Iterator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    folders = {
        "FLORI_LIBRARY": tmp_path / "library",
        "FLORI_REPORTS": tmp_path / "reports",
        "FLORI_MODELS": models_dir,
        "FLORI_CONFIG": tmp_path / "config.toml",
        "XDG_STATE_HOME": tmp_path / "state",
        "XDG_DATA_HOME": tmp_path / "data",
        "PYTHONPATH": ROOT,
        "LANG": "C.UTF-8",
        "PATH": os.environ["PATH"],
    }
    made = Tmux(tmp_path, [sys.executable, "-m", "workstation"], {name: str(at) for name, at in folders.items()})
    yield made
    made.end()


@pytest.mark.models
@pytest.mark.slow
def test_from_an_empty_library_to_the_exact_place_in_a_source(tmux: Tmux) -> None:
    tmux.wait_for("▌ Try the sample library", "Enter Open")  # the list has the keyboard
    tmux.press("Enter")
    tmux.wait_for("▌ Why was Smeaton")  # a question that the sample can answer
    tmux.press("/")
    tmux.type("When was the Bell Rock lit for the first time?")
    tmux.press("Enter")
    tmux.wait_for("Press a to approve")
    tmux.press("a")
    tmux.wait_for("Finished")
    tmux.press("4")
    tmux.wait_for("Checked", "1 February 1811")
    tmux.press("n")
    tmux.wait_for("[1] The Bell Rock")
    tmux.press("Enter")
    tmux.wait_for("fact")
    tmux.press("Enter")
    tmux.wait_for("Place", "▌and showed red and white in turn, was lit on 1 February 1811.")
    tmux.press("q")
    end = time.monotonic() + 10
    while not tmux.ended():
        assert time.monotonic() < end, tmux.shown
        time.sleep(0.05)
