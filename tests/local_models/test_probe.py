"""What a writing model is trusted with is measured, and kept beside the model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from local_models.manifest import ModelEntry, read_manifest, write_manifest
from local_models.probe import TASKS, probe
from local_models.registry import MANIFEST, Registry
from local_models.scripted import ScriptedGenerator

GOOD: list[dict[str, Any]] = [
    {"title": "The Orlen mill"},
    {"passages": [1]},
    {"passages": [2]},
    {"known": False, "passages": []},
    {"sentence": "The mill was destroyed by fire in 1907."},
    {"sentence": "Anna Kestrel built the mill in 1842."},
]


def test_a_model_that_passes_everything_may_paraphrase() -> None:
    assert probe(ScriptedGenerator(GOOD)).mode == "abstractive"


@pytest.mark.parametrize(
    ("task", "answer", "mode"),
    [
        (0, {"title": "This is a very long title about the old Orlen mill"}, "extractive"),
        (1, {"passages": [3]}, "extractive"),
        (3, {"known": True, "passages": [1]}, "extractive"),
        (2, "no JSON at all", "extractive"),
        (4, {"sentence": "The mill burnt down in 1908."}, "guided"),
        (5, {"sentence": "In 1842 Anna Kestrel of Bremen built it."}, "guided"),
    ],
)
def test_one_failure_takes_the_trust_away(task: int, answer: Any, mode: str) -> None:
    answers: list[Any] = [*GOOD[:task], answer, *GOOD[task + 1 :]]
    assert probe(ScriptedGenerator(answers)).mode == mode
    assert len(TASKS) == len(GOOD)


def test_the_mode_is_kept_in_the_list_of_models(tmp_path: Path) -> None:
    entries = (ModelEntry("one", "generator", "gguf", ()), ModelEntry("two", "generator", "gguf", (), default=True))
    write_manifest(tmp_path / MANIFEST, entries)
    Registry(tmp_path).replace(replace(entries[0], mode="guided"))
    assert [(e.id, e.mode, e.default) for e in read_manifest(tmp_path / MANIFEST)] == [
        ("one", "guided", False),
        ("two", "", True),
    ]
