"""The real models, opened once a session; the budget keeps none of them from staying open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from local_models.loader import Loader
from local_models.protocols import Embedder, Generator

EMBEDDERS = ("multilingual-e5-small", "all-minilm-l6-v2")


@pytest.fixture(scope="session")
def embedders(models_dir: Path) -> Iterator[dict[str, Embedder]]:
    loaders = {name: Loader(models_dir, choices={"embedder": name}) for name in EMBEDDERS}
    yield {name: loader.embedder() for name, loader in loaders.items()}
    for loader in loaders.values():
        loader.close()


@pytest.fixture(params=EMBEDDERS)
def embedder(request: pytest.FixtureRequest, embedders: dict[str, Embedder]) -> Embedder:
    """Each shipped embedder in turn."""
    return embedders[request.param]


@pytest.fixture(scope="session")
def multilingual(embedders: dict[str, Embedder]) -> Embedder:
    return embedders["multilingual-e5-small"]


@pytest.fixture(scope="session")
def generator(models_dir: Path) -> Iterator[Generator]:
    loader = Loader(models_dir)
    found = loader.generator()
    assert found is not None, "no generator: run scripts/install_models"
    yield found
    loader.close()
