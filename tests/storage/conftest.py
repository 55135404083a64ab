"""A library in a temporary folder, and what makes sources for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.library import Library

from .making import DIMENSION, Maker, make_version


@pytest.fixture
def new() -> Maker:
    return make_version


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture
def library(folder: Path) -> Iterator[Library]:
    with Library.open(folder, write=True, create=True) as opened:
        opened.bind_embedder("random", DIMENSION, b"codec")
        yield opened
