"""What all tests share: private folders, the default models, the command line as a process, a library to read from."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from workstation.paths import data_dir, sample_dir

ROOT = Path(__file__).resolve().parent.parent
DEFAULT_MODELS = Path(os.environ.get("FLORI_MODELS") or data_dir() / "models")


@dataclass
class Done:
    """A finished process."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """stdout as the one JSON document that it must be."""
        return json.loads(self.out)


class Flori:
    """The command line with folders of its own, as a child process."""

    def __init__(self, home: Path, models: Path | None = None) -> None:
        self.home = home
        self.library, self.reports = home / "library", home / "reports"
        self.env = {key: value for key, value in os.environ.items() if not key.startswith("FLORI_")} | {
            "FLORI_CONFIG": str(home / "config.toml"),
            "FLORI_LIBRARY": str(self.library),
            "FLORI_REPORTS": str(self.reports),
            "FLORI_MODELS": str(models or DEFAULT_MODELS),
            "XDG_STATE_HOME": str(home / "state"),
            "NO_COLOR": "1",
        }

    def __call__(self, *args: object, timeout: float = 300, **env: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "workstation", *map(str, args)],
            env=self.env | env,
            capture_output=True,
            text=True,
            timeout=timeout,
            stdin=subprocess.DEVNULL,
            cwd=self.home,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def start(self, *args: object) -> subprocess.Popen[str]:
        """The same, left running."""
        return subprocess.Popen(
            [sys.executable, "-m", "workstation", *map(str, args)],
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.home,
        )


def copy_of(run: Path, to: Path) -> Path:
    """A copy of a run folder, to be spoilt or gone on with."""
    to.mkdir()
    for file in run.iterdir():
        (to / file.name).write_bytes(file.read_bytes())
    return to


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the settings of the person who runs it."""
    monkeypatch.setenv("FLORI_CONFIG", str(tmp_path / "config.toml"))
    for name in ("FLORI_LIBRARY", "FLORI_REPORTS", "FLORI_OFFLINE", "FLORI_DEBUG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def flori(tmp_path: Path) -> Flori:
    """The command line on an empty library."""
    return Flori(tmp_path)


@pytest.fixture(scope="session")
def models_dir() -> Path:
    """The folder with the default models; they are installed by scripts/test."""
    if not (DEFAULT_MODELS / "models.toml").exists():
        pytest.fail(f"no models in {DEFAULT_MODELS}: run scripts/install_models")
    return DEFAULT_MODELS


@pytest.fixture(scope="session")
def sample_flori(tmp_path_factory: pytest.TempPathFactory, models_dir: Path) -> Flori:
    """The command line on a library that holds the sample. Tests share it: read, do not write."""
    shared = Flori(tmp_path_factory.mktemp("sample"), models_dir)
    done = shared("ingest", sample_dir() / "library")
    assert done.code == 0, done.err
    return shared
