"""The list of models: what is there, what is wrong with it, what goes in and out."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import pytest

from local_models import admin
from local_models.errors import ModelError, ModelFileCorrupt, ModelMissing, ModelRefused, NotAModel
from local_models.loader import Loader
from local_models.manifest import ModelEntry, ModelFile
from local_models.registry import MANIFEST, Registry

CONTENT = b"weights " * 1000


def put(models_dir: Path, model_id: str, role: str = "embedder", *, default: bool = False) -> Path:
    """A model of one file, registered."""
    path = models_dir / model_id / "weights.gguf"
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    file = ModelFile("weights", f"{model_id}/weights.gguf", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
    Registry(models_dir).add(ModelEntry(model_id, role, "gguf", (file,), default=default, dimension=8))
    return path


def test_an_empty_folder_has_no_models_and_says_how_to_get_some(tmp_path: Path) -> None:
    loader = Loader(tmp_path)
    assert loader.generator() is None
    assert loader.reranker() is None
    with pytest.raises(ModelMissing) as caught:
        loader.embedder()
    assert "install_models" in caught.value.hint


def test_the_configured_model_wins_over_the_default(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        put(tmp_path, name, default=name == "b")
    assert [Registry(tmp_path, choices).pick("embedder").id for choices in ({}, {"embedder": "c"})] == ["b", "c"]  # type: ignore[union-attr]
    with pytest.raises(ModelMissing, match="'d'"):
        Registry(tmp_path, {"embedder": "d"}).pick("embedder")


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    put(tmp_path, "a")
    entry = Registry(tmp_path).get("a")
    odd = ModelEntry("odd", "embedder", "gguf", entry.files, query_prefix='say "ü\\\n\x7f": ', languages=("de", "en"))
    Registry(tmp_path).add(odd)
    assert Registry(tmp_path).get("odd") == odd


@pytest.mark.parametrize(
    ("damage", "error"),
    [
        (lambda path: path.unlink(), ModelMissing),
        (lambda path: path.write_bytes(CONTENT[:-1]), ModelFileCorrupt),
        (lambda path: path.write_bytes(b"W" + CONTENT[1:]), ModelFileCorrupt),
    ],
    ids=["missing", "truncated", "another content of the same size"],
)
def test_a_damaged_model_is_named_at_once(tmp_path: Path, damage: object, error: type[ModelError]) -> None:
    path = put(tmp_path, "a")
    registry = Registry(tmp_path)
    assert registry.paths(registry.get("a")) == {"weights": path}
    before = path.stat()
    damage(path)  # type: ignore[operator]
    if path.exists():
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # even a changed file that pretends to be old
    began = time.monotonic()
    with pytest.raises(error) as caught:
        Loader(tmp_path).embedder()
    assert time.monotonic() - began < 2
    assert str(path) in str(caught.value)
    assert "install_models" in caught.value.hint
    assert not admin.verify_models(tmp_path)[0].whole
    assert "a" in admin.list_models(tmp_path)[0].problem


def test_a_file_is_hashed_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, "a")
    registry = Registry(tmp_path)
    registry.paths(registry.get("a"))
    hashed: list[Path] = []
    monkeypatch.setattr("local_models.integrity.sha256_of", lambda file: hashed.append(file) or "")
    Registry(tmp_path).paths(registry.get("a"))
    assert hashed == []
    path.touch()
    with pytest.raises(ModelFileCorrupt):
        Registry(tmp_path).paths(registry.get("a"))
    assert hashed == [path]


def test_removing_the_default_leaves_another_in_its_place(tmp_path: Path) -> None:
    path = put(tmp_path, "a")
    put(tmp_path, "b")
    assert admin.remove_model(tmp_path, "a").default
    assert not path.parent.exists()
    assert [(model.id, model.default) for model in admin.list_models(tmp_path)] == [("b", True)]


@pytest.mark.parametrize(
    "text", ["[[model", '[[model]]\nid = "../x"\nrole = "embedder"\nbackend = "gguf"', "model = 3"]
)
def test_a_broken_list_is_an_error_that_names_it(tmp_path: Path, text: str) -> None:
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(ModelFileCorrupt, match=MANIFEST):
        Registry(tmp_path)


@pytest.mark.models
def test_a_brought_file_goes_in_and_out(models_dir: Path, tmp_path: Path) -> None:
    shipped = models_dir / "all-minilm-l6-v2" / "all-minilm-l6-v2-f16.gguf"
    taken = admin.import_model(tmp_path, shipped, "embedder", model_id="mine", query_prefix="q: ")
    assert (taken.id, taken.context, taken.in_use, taken.problem) == ("mine", 512, True, "")
    assert Registry(tmp_path).get("mine").query_prefix == "q: "
    assert admin.verify_models(tmp_path)[0].whole
    admin.remove_model(tmp_path, "mine")
    assert admin.list_models(tmp_path) == ()
    assert not (tmp_path / "mine").exists()


@pytest.mark.models
def test_a_file_that_cannot_do_the_role_is_refused(models_dir: Path, tmp_path: Path) -> None:
    embedder = models_dir / "all-minilm-l6-v2" / "all-minilm-l6-v2-f16.gguf"
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(embedder.read_bytes()[:-1000])
    text = tmp_path / "text.gguf"
    text.write_text("GG, but no model")
    for path, role, error in (
        (embedder, "generator", ModelRefused),
        (embedder, "reranker", ModelRefused),
        (models_dir / "whisper-tiny.en" / "ggml-tiny.en.bin", "embedder", ModelRefused),
        (cut, "embedder", ModelFileCorrupt),
        (text, "embedder", NotAModel),
        (tmp_path / "none.gguf", "embedder", ModelMissing),
    ):
        with pytest.raises(error):
            admin.import_model(tmp_path / "models", path, role)
    assert admin.list_models(tmp_path / "models") == ()
