"""Figures, dates and names: what a quote carries, and what it does not."""

from __future__ import annotations

from decimal import Decimal

import pytest

from workstation.reading.names import names_in, uncarried_names
from workstation.reading.numbers import readings, uncarried


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("1,234.5", {"1234.5"}),
        ("1.234,5", {"1234.5"}),
        ("1 234,5", {"1234.5"}),
        ("1'234", {"1234"}),
        ("12,34,567", {"1234567"}),
        ("1,234", {"1234", "1.234"}),
        ("0.125", {"0.125"}),
        ("12,5", {"12.5"}),
    ],
)
def test_a_number_has_the_values_that_it_can_mean(written: str, values: set[str]) -> None:
    assert readings(written) == set(map(Decimal, values))


@pytest.mark.parametrize(
    ("sentence", "evidence"),
    [
        ("It ended in 1763.", "on 10 February 1763"),
        ("It ended on 10 February 1763.", "1763-02-10"),
        ("Es endete am 10. Februar 1763.", "February 10th, 1763"),
        ("It ended in February 1763.", "le 10 février 1763"),
        ("战争于1763年2月10日结束", "10.02.1763"),
        ("انتهت عام ١٧٦٣", "in 1763"),
        ("12 percent of 1,234 men", "12% of 1.234 Mann"),
        ("about 4.2 million", "4,200,000"),
        ("about $4.2 million", "(in millions of dollars) sales 4.2"),
        ("2 billion euros", "2 Milliarden Euro"),
        ("a 7-year war over 3,000 km", "7 years, 3000 kilometres"),
        ("vitamin B12 at 14:30", "at 14:30 the B12 level"),
        ("between 1754 and 1763", "1754–1763"),
    ],
)
def test_the_same_figure_in_another_notation_is_carried(sentence: str, evidence: str) -> None:
    assert uncarried(sentence, [evidence]) == []


@pytest.mark.parametrize(
    ("sentence", "evidence", "missing"),
    [
        ("It ended on 11 February 1763.", "on 10 February 1763", ["11 February 1763"]),
        ("It ended in 1963.", "in 1763", ["1963"]),
        ("12 percent", "12 people and 13 %", ["12"]),
        ("10 ships", "10 February", ["10"]),
        ("20 %", "20.5 %", ["20"]),
        ("5 °C", "-5 °C", ["5"]),
        ("4.2 billion", "4.2 million", ["4.2"]),
        ("vitamin B12", "vitamin B6", ["B12"]),
        ("at 14:30", "at 14:03", ["14:30"]),
        ("£5", "$5", ["5"]),
    ],
)
def test_another_figure_is_not(sentence: str, evidence: str, missing: list[str]) -> None:
    assert uncarried(sentence, [evidence]) == missing


@pytest.mark.parametrize(
    ("sentence", "evidence", "language", "missing"),
    [
        ("The war ended when Napoleon signed in Paris.", "signed in Paris", "en", ["Napoleon"]),
        ("NATO's men met John F. Kennedy.", "the men of Nato met Kennedy", "en", ["John"]),
        ("They met in February 1763.", "1763-02-10", "en", []),
        ("Der Krieg endete unter König Georg in Kanada.", "the war ended", "de", ["König", "Georg"]),
        ("Он жил в Москве и Париже.", "Москва", "ru", ["Париже"]),
        ("C'est l'oncle d'Angleterre.", "la France", "fr", ["Angleterre"]),
        ("战争在 Paris 结束", "战争", "zh", []),
    ],
)
def test_names_are_told_by_their_capitals(sentence: str, evidence: str, language: str, missing: list[str]) -> None:
    assert uncarried_names(sentence, [evidence], language) == missing


def test_a_name_that_begins_a_sentence_is_known_from_elsewhere() -> None:
    known = names_in(["The army of Napoleon won.", "The winners left"])

    assert uncarried_names("Napoleon won.", ["won"], "en", known) == ["Napoleon"]
    assert uncarried_names("Winners left.", ["won"], "en", known) == []
