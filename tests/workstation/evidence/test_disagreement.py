"""Sources that answer a question differently: found in a corpus with planted disagreement, and in single sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, Flori
from workstation.engine.workbench import Workbench
from workstation.evidence.disagreement import Comparison, Dated, aged
from workstation.options import resolve
from workstation.reading.expected import amounts, expected, holds
from workstation.reading.spelled import with_digits
from workstation.services import Services

FLOOR, MOST_FALSE = 0.4, 4  # seen: 7 of 13 set against the answer on this half, 4 sources that do not speak against it
CORPUS = ROOT / "tests" / "data" / "dissent"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, models_dir: Path) -> Iterator[Workbench]:
    flori = Flori(tmp_path_factory.mktemp("dissent"), models_dir)
    assert flori("ingest", CORPUS / "files").code == 0
    with Services(resolve({"library": str(flori.library), "models": str(models_dir)})) as services:
        yield Workbench(services)


def sides(question: dict[str, Any], bench: Workbench) -> set[str]:
    """The files whose statements are set against each other."""
    found = bench.find(question["question"], spans=60, wide=True).spans
    language = bench.detect_language(question["question"])

    def text_of(span: Any) -> str:
        return bench.stored_text(span.candidate.passage.source, span.candidate.passage.version) or ""

    comparison = Comparison(question["question"], language, found, text_of)
    reference = comparison.reference()
    spans = [reference, *(a.span for a in comparison.against(reference))] if reference else []
    return {Path(span.candidate.passage.path).name for span in spans if len(spans) > 1}


def test_planted_disagreement_is_found_and_little_else(bench: Workbench) -> None:
    """On the half of the corpus that the rules were not made with; a file counts whichever side is taken to lead."""
    planted = told = false = 0
    for question in json.loads((CORPUS / "labels.json").read_text(encoding="utf-8"))["questions"]:
        if question["split"] != "test":
            continue
        against = {a["file"] for a in question["against"]}
        shown = sides(question, bench)
        planted, told = planted + len(against), told + len(against & shown)
        false += len(shown - against - set(question["answers"]))
    assert told / planted >= FLOOR
    assert false <= MOST_FALSE


@pytest.mark.parametrize(
    ("question", "language", "sentence", "held"),
    [
        ("How long is the bridge?", "en", "It measures 3,760 feet.", True),
        ("How long is the bridge?", "en", "It was opened in 1971.", False),
        ("How many days of leave do I have?", "en", "You can take twenty-four days off.", True),
        ("Wie viele Einwohner hat das Dorf?", "de", "Im Dorf wohnen 487 Menschen.", True),
        ("When was it opened?", "en", "It was opened on 14 June 1971.", True),
        ("When was it opened in 1971?", "en", "In 1971 it was opened.", False),
        ("Who designed it?", "en", "It is the work of Ingrid Falkenau.", True),
        ("Quand a-t-il été ouvert ?", "fr", "Il a été ouvert le 3 mai 1902.", True),
        ("有多少人？", "zh", "村里有 412 人。", True),
    ],
)
def test_a_sentence_holds_the_kind_of_answer_that_is_asked_for(
    question: str, language: str, sentence: str, held: bool
) -> None:
    wanted = expected(question, language)
    assert wanted is not None
    assert holds(sentence, wanted, question, language) is held


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("It is 3,760 feet long.", "It is 1,146 metres long.", True),
        ("It is 1,146 m long.", "It is twelve hundred and twelve metres long.", False),
        ("The mirror measures 1.88 m.", "The mirror measures 188 cm.", True),
    ],
)
def test_the_same_length_in_other_units_is_no_disagreement(one: str, other: str, equal: bool) -> None:
    wanted = expected("How long is it?", "en")
    assert wanted is not None
    a, b = amounts(one, wanted, "en"), amounts(other, wanted, "en")
    assert any(x.equals(y) for x in a for y in b) is equal


def test_number_words_are_read_in_the_languages_that_have_them() -> None:
    assert with_digits("zweihundertdreißig Menschen", "de") == "230 Menschen"
    assert with_digits("in eighteen ninety-four, one of them", "en") == "in 1894, 1 of them"
    assert with_digits("двадцать человек", "ru") == "двадцать человек"


def test_a_source_is_an_older_version_only_of_what_has_the_same_title() -> None:
    lead, old = Dated("2024-01-01", "Leave policy, 2024"), Dated("2019-03-01", "Leave policy, 2019")
    assert aged("other_figure", lead, old, "en") == "older_version"
    assert aged("other_figure", old, lead, "en") == "newer_version"
    assert aged("other_figure", lead, Dated("2019", "Letters to the editor"), "en") == "other_figure"
    assert aged("other_figure", lead, Dated(None, "Leave policy"), "en") == "other_figure"
