"""`flori models`: bring one along, check it, take it out."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.conftest import Flori


@pytest.fixture
def alone(tmp_path: Path) -> Flori:
    """The command line with an empty models folder."""
    return Flori(tmp_path, models=tmp_path / "models")


@pytest.fixture
def gguf(models_dir: Path) -> Path:
    """A model file that a user might have brought."""
    return next(models_dir.glob("smollm2*/*.gguf"))


def test_an_empty_folder_lists_what_can_be_installed(alone: Flori) -> None:
    done = alone("models")
    assert done.code == 0
    assert "install_models" in done.out
    assert alone("--json", "models").json["offered"]


def test_a_model_is_imported_verified_and_removed(alone: Flori, gguf: Path) -> None:
    taken = alone("--json", "models", "import", gguf, "--role", "generator", "--id", "mine").json
    assert (taken["id"], taken["role"], taken["status"]) == ("mine", "generator", "ok")
    assert alone("models", "verify", "mine").code == 0
    assert alone("config", "generator", "mine").code == 0
    assert alone("models", "remove", "mine").code == 0
    assert alone("--json", "models").json["models"] == []


def test_a_damaged_file_is_told_in_two_seconds_with_its_name(alone: Flori, gguf: Path) -> None:
    assert alone("models", "import", gguf, "--role", "generator", "--id", "mine").code == 0
    (file,) = (alone.home / "models" / "mine").iterdir()
    with file.open("r+b") as stream:
        stream.truncate(1_000_000)
    start = time.monotonic()
    done = alone("models", "verify")
    assert time.monotonic() - start < 4  # two seconds, and a busy machine's margin
    assert done.code == 4
    assert str(file) in done.out


@pytest.mark.parametrize("content", [b"", b"this is no model", b"GGUF\x03\x00"])
def test_a_file_that_is_no_model_is_refused_and_leaves_nothing(alone: Flori, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.gguf").write_bytes(content)
    done = alone("models", "import", tmp_path / "odd.gguf", "--role", "generator")
    assert done.code == 4
    assert "odd.gguf" in done.err
    assert alone("--json", "models").json["models"] == []


def test_an_unknown_model_is_named(alone: Flori) -> None:
    for args in (("verify", "nope"), ("remove", "nope")):
        done = alone("models", *args)
        assert done.code == 4
        assert "nope" in done.err


def test_the_document_says_what_serves_each_role_and_why(alone: Flori, gguf: Path) -> None:
    for name in ("pen", "quill"):
        assert alone("models", "import", gguf, "--role", "generator", "--id", name, "--no-default").code == 0
    assert alone("config", "generator", "quill").code == 0
    document = alone("--json", "models").json
    roles = {role["role"]: (role["id"], role["why"]) for role in document["roles"]}
    assert roles["generator"] == ("quill", "chosen")
    assert roles["embedder"] == ("", "none")
    assert {model["id"]: model["health"] for model in document["models"]} == {"pen": "verified", "quill": "verified"}
    assert 0 < document["memory"]["together"] < document["memory"]["budget"]
    (file,) = (alone.home / "models" / "quill").iterdir()
    file.unlink()
    (quill,) = (model for model in alone("--json", "models").json["models"] if model["id"] == "quill")
    assert (quill["health"], str(file) in quill["problem"], bool(quill["hint"])) == ("missing", True, True)
