"""The doctor sees what is wrong, says how to mend it, and is quick."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from tests.conftest import Flori


@pytest.fixture
def patient(sample_flori: Flori, tmp_path: Path) -> Flori:
    """A copy of the sample library, to be broken."""
    shutil.copytree(sample_flori.library, tmp_path / "library")
    return Flori(tmp_path)


def wrong(flori: Flori, **env: str) -> dict[str, str]:
    done = flori("--json", "doctor", **env)
    findings = done.json["findings"]
    found = {row["check"]: row["mend"] for row in findings if row["state"] == "wrong"}
    assert done.code == (1 if found else 0)
    assert all(row["mend"] for row in findings if row["state"] == "wrong")
    return found


def test_a_whole_library_is_well_in_under_two_seconds(patient: Flori) -> None:
    start = time.monotonic()
    assert wrong(patient) == {}
    assert time.monotonic() - start < 4  # two seconds, and a busy machine's margin
    assert patient("--json", "doctor").json["seconds"] < 2


def test_nothing_installed_yet_is_no_fault_of_the_library(flori: Flori) -> None:
    states = {row["check"]: row["state"] for row in flori("--json", "doctor").json["findings"]}
    assert states["library"] == "note"


def test_files_that_others_can_read_are_found_and_mended(patient: Flori) -> None:
    (patient.library / "library.db").chmod(0o644)
    assert any("privacy" in check or "exposed" in check for check in wrong(patient))
    assert patient("doctor", "--mend").code == 0


def test_a_database_that_is_none_is_said(patient: Flori) -> None:
    (patient.library / "library.db").write_bytes(b"this is not a database" * 1000)
    assert any(check.startswith("library") for check in wrong(patient))


def test_missing_models_are_named_with_the_way_to_get_them(patient: Flori, tmp_path: Path) -> None:
    found = wrong(patient, FLORI_MODELS=str(tmp_path / "none"))
    assert any("embedder" in check for check in found)
    assert any("install_models" in mend for mend in found.values())


def test_a_truncated_model_file_is_named(patient: Flori, tmp_path: Path, models_dir: Path) -> None:
    models = tmp_path / "models"
    models.mkdir()
    shutil.copy(models_dir / "models.toml", models)
    for file in models_dir.glob("*/*"):
        (models / file.parent.name).mkdir(exist_ok=True)
        (models / file.parent.name / file.name).write_bytes(file.read_bytes()[:1000])
    done = patient("doctor", FLORI_MODELS=str(models))
    assert done.code == 1
    assert str(models) in done.out
