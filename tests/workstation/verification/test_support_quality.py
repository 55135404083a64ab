"""The support scorer on labelled public sets. Needs their folder: FLORI_BENCH_DATA=... (scifact and wice)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workstation.verification.support import THRESHOLD, score

DATA = Path(os.environ.get("FLORI_BENCH_DATA", "/nowhere"))
pytestmark = [
    pytest.mark.quality,
    pytest.mark.skipif(not (DATA / "scifact").is_dir(), reason="FLORI_BENCH_DATA holds no scifact"),
]


def lines(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / path).read_text(encoding="utf-8").splitlines()]


def passed(pairs: list[tuple[str, str]]) -> float:
    return sum(score(claim, evidence) >= THRESHOLD for claim, evidence in pairs) / len(pairs)


def scifact(label: str) -> Iterator[tuple[str, str]]:
    """Claims with the sentences that support or contradict them."""
    corpus = {d["_id"]: d for d in lines("scifact/corpus.jsonl")}
    for claim in lines("scifact/dev/claims.jsonl"):
        for document, rationales in claim["evidence"].items():
            text, ends = corpus[document]["text"], [0, *corpus[document]["sent_ends"]]
            for rationale in (r for r in rationales if r["label"] == label):
                kept = [i for i in rationale["sentences"] if i + 1 < len(ends)]
                yield claim["text"], " ".join(text[ends[i] : ends[i + 1]] for i in kept)


def wice(label: str) -> list[tuple[str, str]]:
    """Claims with their smallest set of supporting sentences."""
    return [
        (c["claim"], " ".join(c["evidence"][i] for i in min(c["supporting_sentences"], key=len)))
        for c in lines("wice/dev/claims.jsonl")
        if c["label"] == label
    ]


def test_few_wrong_pairs_pass_and_the_figures_are_those_in_the_module() -> None:
    assert passed(list(scifact("SUPPORT"))) >= 0.16
    assert passed(list(scifact("CONTRADICT"))) <= 0.03
    assert passed(wice("supported")) >= 0.60
    assert passed(wice("partially_supported")) <= 0.25
