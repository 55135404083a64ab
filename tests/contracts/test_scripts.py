"""The scripts can be called on any machine: they parse, explain themselves, and refuse clearly."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BASH = [ROOT / ".ci/run", *(ROOT / "scripts" / name for name in ("lib.sh", "run", "test", "check", "cold_start"))]
OWNERS_LIST = [
    "textual",
    "llama-cpp-python",
    "sqlite-vec",
    "sentence-transformers",
    "httpx",
    "trafilatura",
    "pypdf",
    "pywhispercpp",
    "numpy",
    "platformdirs",
]


def bash(*args: object, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", *map(str, args)],
        env=os.environ | env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )


@pytest.mark.parametrize("script", BASH, ids=lambda path: path.name)
def test_script_parses(script: Path) -> None:
    assert bash("-n", script).stderr == ""
    assert script.name == "lib.sh" or os.access(script, os.X_OK)


def test_run_explains_itself_and_refuses_half_a_question() -> None:
    assert "QUESTION FOLDER" in bash(ROOT / "scripts/run", "--help").stdout
    assert bash(ROOT / "scripts/run", "only a question").returncode == 2
    missing = bash(ROOT / "scripts/run", "question", "/no/such/folder")
    assert missing.returncode == 3
    assert "/no/such/folder" in missing.stderr


def test_an_environment_that_is_ready_is_recognised_at_once(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    for name in ("python", "flori"):
        (venv / "bin" / name).write_text("#!/bin/sh\necho Python 3.12.0\n")
        (venv / "bin" / name).chmod(0o755)
    script = f"source {ROOT}/scripts/lib.sh; fingerprint run > {venv}/.ready-run; ensure_env run; echo ready"
    done = bash("-c", script, FLORI_VENV=str(venv))
    assert (done.stdout, done.stderr) == ("ready\n", "")


def test_without_a_python_the_message_says_how_to_get_one(tmp_path: Path) -> None:
    for tool in ("cat", "dirname", "basename", "cksum"):
        (tmp_path / tool).symlink_to(f"/usr/bin/{tool}")
    done = subprocess.run(
        ["/bin/bash", "-c", f"source {ROOT}/scripts/lib.sh; ensure_env run"],
        env={"PATH": str(tmp_path), "FLORI_VENV": str(tmp_path / "venv")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3
    assert "Python 3.11 or newer" in done.stderr


def test_without_a_compiler_the_message_says_how_to_get_one(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").write_text("#!/bin/sh\nexit 1\n")  # "llama_cpp is not installed"
    (tmp_path / "bin/python").chmod(0o755)
    for tool in ("dirname", "basename"):
        (tmp_path / tool).symlink_to(f"/usr/bin/{tool}")
    done = subprocess.run(
        ["/bin/bash", "-c", f"source {ROOT}/scripts/lib.sh; need_compiler"],
        env={"PATH": str(tmp_path), "FLORI_VENV": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3
    assert "C++ compiler" in done.stderr


def test_every_package_of_the_list_is_declared_and_installed_by_run() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    name = re.compile(r"[A-Za-z0-9._-]+")
    extras = bash("-c", f"source {ROOT}/scripts/lib.sh; echo $EXTRAS_run").stdout.strip().split(",")
    lines = project["dependencies"] + [line for extra in extras for line in project["optional-dependencies"][extra]]
    declared = {name.match(line)[0] for line in lines}  # type: ignore[index]
    assert set(OWNERS_LIST) <= declared


def test_every_declared_version_is_pinned_for_the_scripts() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = {line.split("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line}
    extras = project["optional-dependencies"]
    lines = (
        project["dependencies"] + extras["sbert"] + extras["media"] + extras["ocr"] + extras["saved"] + extras["dev"]
    )
    names = {re.match(r"[A-Za-z0-9._-]+", line)[0].lower() for line in lines}  # type: ignore[index]
    assert names <= pinned
