"""One instance a role, within the memory budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from local_models.errors import ModelRefused
from local_models.loader import Loader
from local_models.protocols import Prompt
from local_models.residency import Residency


class Fake:
    """A backend that only counts."""

    def __init__(self, megabytes: int) -> None:
        self.label = f"fake {megabytes}"
        self.memory_bytes = megabytes * 2**20
        self.opened = self.shut = 0

    def open_native(self) -> None:
        self.opened += 1

    def shut_native(self) -> None:
        self.shut += 1


def test_the_least_recently_used_model_makes_room() -> None:
    residency = Residency(100 * 2**20)
    first, second, third = Fake(40), Fake(40), Fake(40)
    for model in (first, second, first, third, first):
        with residency.use(model):
            pass
    assert [(m.opened, m.shut) for m in (first, second, third)] == [(1, 0), (1, 1), (1, 0)]
    with pytest.raises(ModelRefused, match="fake 200"), residency.use(Fake(200)):
        pass


@pytest.mark.models
def test_models_that_do_not_fit_together_take_turns(models_dir: Path) -> None:
    loader = Loader(models_dir, memory_budget_bytes=400 * 2**20)
    embedder, generator = loader.embedder(), loader.generator()
    assert generator is not None
    assert loader.embedder() is embedder
    before = embedder.embed_query("tea")
    assert "Paris" in generator.generate(Prompt("", "Name the capital of France."), max_tokens=30).text
    assert embedder.embed_query("tea").vector @ before.vector > 0.9999
    loader.close()
