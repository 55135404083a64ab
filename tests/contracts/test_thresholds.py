"""The numbers that yes/no questions are decided by: each with its reason, for every embedder that is shipped."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from local_models.loader import Loader
from workstation.retrieval.thresholds import Thresholds, thresholds_for

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))

from benchlib.choosing import choose  # noqa: E402  (the path comes first)
from benchlib.observing import Observation, Observed  # noqa: E402
from benchlib.thresholds_file import section, with_section  # noqa: E402

FILE = ROOT / "workstation/retrieval/thresholds.toml"
NUMBERS = set(Thresholds.__slots__)
SHIPPED = tomllib.loads((ROOT / "local_models/catalogue.toml").read_text(encoding="utf-8"))["model"]
EMBEDDERS = [model["id"] for model in SHIPPED if model["role"] == "embedder"]


def text() -> str:
    return FILE.read_text(encoding="utf-8")


def sections(toml: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(toml)["embedder"]
    return found


def test_every_section_has_all_numbers_and_each_is_a_share_of_one() -> None:
    for numbers in (*sections(text()), tomllib.loads(text())["unmeasured"]):
        assert set(numbers) - {"fingerprint"} == NUMBERS
        assert all(0 <= numbers[name] < 1 for name in NUMBERS)


def test_every_measured_number_stands_below_the_clusters_that_it_was_chosen_from() -> None:
    lines = text().partition("[unmeasured]")[0].splitlines()
    measured = [at for at, line in enumerate(lines) if line.split(" ")[0] in NUMBERS]
    assert len(measured) == len(NUMBERS) * len(sections(text()))
    assert all(lines[at - 1].startswith("# ") for at in measured)


def test_an_embedder_that_nobody_measured_refuses_nothing() -> None:
    assert thresholds_for("never seen") == Thresholds(0, 0, 0, 0, 0)


@pytest.mark.parametrize("embedder", EMBEDDERS)
def test_every_shipped_embedder_is_measured(embedder: str, models_dir: Path) -> None:
    loader = Loader(models_dir, choices={"embedder": embedder})
    try:
        assert thresholds_for(loader.embedder().fingerprint).covered > 0
    finally:
        loader.close()


def numbers(value: float) -> dict[str, tuple[float, str]]:
    return {name: (value, f"why {name} is what it is, " + "at length " * 20) for name in Thresholds.__slots__}


def test_writing_a_section_again_changes_no_other() -> None:
    first = sections(text())[0]
    new = section(first["fingerprint"] + "0123456789abcdef", "An embedder.", numbers(0.25))
    written = with_section(text(), new)
    assert sections(written)[0] == {"fingerprint": first["fingerprint"]} | dict.fromkeys(NUMBERS, 0.25)
    assert sections(written)[1:] == sections(text())[1:]
    assert written.count("[[embedder]]") == text().count("[[embedder]]")
    assert with_section(written, new) == written
    assert max(map(len, written.splitlines())) <= 120


def test_another_embedder_gets_a_section_of_its_own_before_the_unmeasured_one() -> None:
    written = with_section(text(), section("another", "An embedder.", numbers(0.25)))
    assert sections(written)[:-1] == sections(text())
    assert sections(written)[-1]["fingerprint"] == "another"
    assert written.index("another") < written.index("[unmeasured]")


def scores(language: str, inside: bool, *matches: float) -> list[Observation]:
    return [Observation(language, inside, 16, m, m if inside else None, 0.1) for m in matches]


def test_clusters_that_stand_apart_cost_at_most_two_questions_in_a_hundred() -> None:
    known = scores("en", True, *(0.5 + n / 1000 for n in range(100))) + scores("en", False, *[0.2] * 100)
    chosen = choose(Observed(known, 10, "en"))
    covered = chosen["covered"].value + chosen["short_question"].value / 4
    assert sum(o.match < covered for o in known if o.inside) <= 2
    assert covered > 0.49
    assert chosen["covered_cross"].value == chosen["covered"].value  # no question in another language was asked


def test_clusters_that_overlap_are_parted_where_both_errors_are_as_frequent() -> None:
    apart = scores("en", True, *[0.9] * 50) + scores("en", False, *[0.1] * 50)
    spread = [n / 200 for n in range(101)]
    overlapping = scores("de", True, *(0.3 + s for s in spread)) + scores("de", False, *(0.2 + s for s in spread))
    chosen = choose(Observed(apart + overlapping, 10, "en"))
    gate = chosen["covered_cross"].value + chosen["short_question"].value / 4
    refused = sum(o.match < gate for o in overlapping if o.inside)
    answered = sum(o.match >= gate for o in overlapping if not o.inside)
    assert abs(refused - answered) <= 3
