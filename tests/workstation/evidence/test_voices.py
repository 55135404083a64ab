"""Who speaks: what copies of one text say is said once."""

from __future__ import annotations

from workstation.evidence.voices import Statement, distinct

SAID = "The tower was lit on 16 October 1759 and stood for more than a century."


def test_a_copy_with_wrong_letters_repeats_and_another_figure_does_not() -> None:
    misread = Statement(1, SAID.replace("tower", "towcr").replace("century", "centurv"))
    other_year = Statement(1, SAID.replace("1759", "1758"))
    other_source = Statement(2, SAID)
    assert distinct([Statement(1, SAID), misread, other_year, other_source]) == [
        Statement(1, SAID),
        other_year,
        other_source,
    ]
