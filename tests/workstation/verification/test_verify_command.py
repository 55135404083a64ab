"""`flori verify FOLDER` on a real run folder and a real library."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storage.library import Library
from tests.storage.making import DIMENSION, make_version
from tests.workstation.verification.made import HISTORY, LETTERS, check_of, events
from workstation.commands import verify
from workstation.engine.launch import NotARun
from workstation.memory import events as e
from workstation.memory.folding import apply, fold
from workstation.memory.log import RunLog
from workstation.memory.projections import render_files
from workstation.options import Options, resolve

Verify = Callable[[], tuple[int, dict[str, Any]]]
PATHS = {"/docs/history.pdf": HISTORY, "/docs/letters.md": LETTERS, "/docs/vain.txt": "nothing"}


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return resolve(
        {"library": str(tmp_path / "library"), "reports": str(tmp_path), "models": str(tmp_path), "json": True}
    )


@pytest.fixture
def folder(tmp_path: Path, options: Options) -> Path:
    """A finished run whose sources are in the library."""
    with Library.open(options.library, write=True, create=True) as library:
        library.bind_embedder("random", DIMENSION, b"codec")
        sources = {path: library.add_version(make_version(path, text)) for path, text in PATHS.items()}
    folder = tmp_path / "run"
    with RunLog(folder) as log:
        state = fold([])
        for event in events():
            if isinstance(event, e.SourceRegistered):
                source = sources[event.path]
                event = event.model_copy(update={"source": source.id, "version": source.version})
            state = apply(state, log.append(event))
        texts = {(s.id, s.version): PATHS[s.path] for s in sources.values()}
        state = apply(state, log.append(e.ReportVerified(check=check_of(state, texts))))
    render_files(folder, state)
    return folder


@pytest.fixture
def run_verify(folder: Path, options: Options, capsys: pytest.CaptureFixture[str]) -> Verify:
    def run() -> tuple[int, dict[str, Any]]:
        code = verify.run(options, folder)
        return code, json.loads(capsys.readouterr().out)

    return run


def test_a_finished_run_verifies(run_verify: Verify, folder: Path) -> None:
    code, said = run_verify()

    assert code == 0
    assert said["ok"] is True
    assert said["folder"] == str(folder)
    assert said["verification"]["located"] == said["verification"]["sentences"] == 5
    assert (said["failures"], said["changed"], said["edited"]) == ([], [], False)


def test_a_source_that_changed_since_is_said_and_does_not_fail(run_verify: Verify, options: Options) -> None:
    with Library.open(options.library, write=True) as library:
        library.add_version(make_version("/docs/history.pdf", "A new edition. " + HISTORY))
    code, said = run_verify()

    assert code == 0
    assert [(s["number"], s["path"]) for s in said["changed"]] == [(1, "/docs/history.pdf")]
    assert said["changed"][0]["cited"] != said["changed"][0]["current"]


def test_a_source_that_was_deleted_fails(run_verify: Verify, options: Options) -> None:
    with Library.open(options.library, write=True) as library:
        library.purge(library.sources()[0].id)
    code, said = run_verify()

    assert code == 1
    assert any(failure.startswith("stored version missing: [1]") for failure in said["failures"])


def test_edits_are_checked_as_they_stand(run_verify: Verify, folder: Path) -> None:
    report = (folder / "report.md").read_text()
    (folder / "report.md").write_text(
        report.replace("\n## Sources", "\nThe moon is made of cheese [999].\n\n## Sources", 1)
    )
    (folder / "sources.json").write_text("{}")
    code, said = run_verify()

    assert code == 1
    assert said["edited"] is True
    assert {failure.split(":")[0] for failure in said["failures"]} == {
        "number never handed out",
        "sources.json differs from the log",
    }


def test_a_person_is_shown_the_line_and_what_failed(
    folder: Path, options: Options, capsys: pytest.CaptureFixture[str]
) -> None:
    report = folder / "report.md"
    report.write_text(report.read_text().replace("Canada", "\x1b[31mQuebec"))
    spoken = resolve({"library": str(options.library), "reports": str(folder), "models": str(folder)})

    assert verify.run(spoken, folder) == 1
    out = capsys.readouterr().out
    assert out.startswith("5 sentences: 5 cited, 4 located, 4 supported, 0 marked unverified\n")
    assert "failed: quote not in its source: “France ceded" in out
    assert "\x1b" not in out


def test_another_folder_is_no_run(options: Options, tmp_path: Path) -> None:
    with pytest.raises(NotARun) as caught:
        verify.run(options, tmp_path)
    assert caught.value.exit_code == 3


def test_verification_loads_no_model_and_no_screen() -> None:
    import subprocess

    code = "import sys, workstation.verification.check, workstation.memory.projections; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert not {"textual", "llama_cpp", "numpy", "apsw", "torch"} & set(loaded)
