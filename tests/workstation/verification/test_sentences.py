"""Prose into sentences, with what each of them cites."""

from __future__ import annotations

import pytest

from workstation.report.cite import quote_sentence
from workstation.verification.sentences import sentences


def read(block: str, language: str = "en") -> list[tuple[str, tuple[int, ...]]]:
    return [(s.text, s.numbers) for s in sentences(block, language)]


def test_a_quotation_of_several_sentences_is_one_sentence() -> None:
    block = (
        quote_sentence("It ended in 1763. It was long.", 1) + " " + quote_sentence("Britain gained [4] Canada", 2, 3)
    )

    assert [(s.quotes, s.numbers, s.is_quotation) for s in sentences(block, "en")] == [
        (("It ended in 1763. It was long.",), (1,), True),
        (("Britain gained [4] Canada",), (2, 3), True),
    ]


def test_a_citation_or_mark_after_the_full_stop_belongs_to_what_it_follows() -> None:
    block = "The French left. [1] Mr. Smith, Ph.D., left in Jan. 1764 [3, 4]. The moon is cheese. *(unverified)* So."
    found = sentences(block, "en")

    assert [s.numbers for s in found] == [(1,), (3, 4), (), ()]
    assert [s.unverified for s in found] == [False, False, True, False]


def test_a_sentence_goes_on_after_a_quotation() -> None:
    assert [s.numbers for s in sentences("“Who won?” [1] asked the king [2]. He left.", "en")] == [(1, 2), ()]
    assert [s.numbers for s in sentences("He wrote ‘we won’ [2]. He lost [3]. then more [4].", "en")] == [
        (2,),
        (3,),
        (4,),
    ]


@pytest.mark.parametrize(
    ("language", "block", "numbers"),
    [
        (
            "de",
            "„Der Krieg endete 1763.“ [1] Am 10. Februar 1763 endete er [2]. »Quebec fiel« [3].",
            [(1,), (2,), (3,)],
        ),
        ("zh", "战争于1763年结束[1]。“英国获得了加拿大。”[2]他走了【3】。", [(1,), (2,), (3,)]),
        ("ar", "انتهت الحرب عام ١٧٦٣ [١]. «كسبت بريطانيا كندا» [2].", [(1,), (2,)]),
        ("fr", "« La guerre finit. » [1] Elle coûta cher [2].", [(1,), (2,)]),
    ],
)
def test_sentences_end_where_they_end_in_each_language(language: str, block: str, numbers: list[object]) -> None:
    assert [s.numbers for s in sentences(block, language)] == numbers


def test_what_is_shown_counts_not_how_it_is_written() -> None:
    (only,) = sentences("See [the *war*](http://x.y) and \\[9\\] or [**1**2] <!-- no --> here.", "en")

    assert only.text == "See the war and or here."
    assert only.numbers == (9, 12)
