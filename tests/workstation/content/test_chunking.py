from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.records import Page
from tests.workstation.content.making import words
from workstation.content.adapters import Segment
from workstation.content.chunking import PassageSizes, chunk
from workstation.content.sentences import sentences

SMALL = PassageSizes(20, 30)
SENTENCE = st.lists(st.sampled_from(["one", "two", "Three", "1,024", "x-y"]), min_size=1, max_size=40).map(
    lambda found: " ".join(found) + "."
)
PARAGRAPH = st.lists(SENTENCE, min_size=1, max_size=6).map(" ".join)
BLOCK = st.one_of(PARAGRAPH, SENTENCE.map("# {}".format), SENTENCE.map("- {}".format), st.just("| a | 1 | 2 |"))
DOCUMENT = st.lists(BLOCK, max_size=8).map("\n\n".join)
ANYTHING = st.text(st.sampled_from("ab 1.\n#-|漢字é\u0301"), max_size=400)


@settings(max_examples=300, deadline=None)
@given(st.one_of(DOCUMENT, ANYTHING))
def test_passages_are_in_order_cover_the_text_and_keep_the_maximum(text: str) -> None:
    last = 0
    for at in chunk(text, words, SMALL):
        assert last <= at.start < at.end
        assert not text[last : at.start].strip()
        passage = text[at.start : at.end]
        assert passage == passage.strip()
        assert words(passage) <= SMALL.maximum
        last = at.end
    assert not text[last:].strip()


@settings(max_examples=100, deadline=None)
@given(DOCUMENT)
def test_passages_begin_and_end_with_sentences_when_these_are_short_enough(text: str) -> None:
    spans = sentences(text)
    if all(words(text[start:end]) <= SMALL.maximum for start, end in spans):
        starts, ends = {start for start, _ in spans}, {end for _, end in spans}
        assert all(at.start in starts and at.end in ends for at in chunk(text, words, SMALL))


def test_short_paragraphs_join_under_their_heading_and_headings_lead_their_text() -> None:
    text = (
        "# Tides\n\n## Spring\n\nHigh water. Twice a day.\n\nIt is highest at full moon.\n\n## Neap\n\n"
        + "Low water. " * 12
    )
    first, *others = chunk(text, words, SMALL)
    assert text[first.start : first.end].startswith("# Tides\n\n## Spring\n\nHigh")
    assert text[first.start : first.end].endswith("full moon.")
    assert first.heading == "Spring"
    assert text[others[0].start :].startswith("## Neap")
    assert {at.heading for at in others} == {"Neap"}


def test_a_long_paragraph_is_cut_at_sentence_ends_into_like_parts() -> None:
    text = " ".join(f"Sentence number {n} has seven words." for n in range(10))
    sizes = [words(text[at.start : at.end]) for at in chunk(text, words, SMALL)]
    assert max(sizes) - min(sizes) <= 14


@pytest.mark.parametrize("text", ["x" * 50_000, "無" * 5_000, "a1b2;" * 8_000, "word " * 9_000])
def test_what_has_no_sentences_is_cut_by_force(text: str) -> None:
    def count(piece: str) -> int:
        return len(piece) // 3 + 1

    parts = chunk(text, count, PassageSizes())
    assert all(count(text[at.start : at.end]) <= 220 for at in parts)
    assert "".join(text[at.start : at.end] for at in parts).replace(" ", "") == text.replace(" ", "")


def test_passages_stay_on_their_page_but_for_a_sentence_that_goes_on() -> None:
    one, two, three = "First page. It ends in the", "middle of a sentence. Second page.", "Third page."
    text = f"{one}\n{two}\n\n{three}"
    second, third = len(one) + 1, len(one) + len(two) + 3
    pages = [Page(1, "text", 0, len(one)), Page(2, "text", second, third - 2), Page(3, "text", third, len(text))]
    found = [(at.page, text[at.start : at.end]) for at in chunk(text, words, SMALL, pages=pages)]
    assert found == [(1, "First page. It ends in the\nmiddle of a sentence."), (2, "Second page."), (3, "Third page.")]


def test_a_table_keeps_its_caption_and_a_list_what_announces_it() -> None:
    text = "Filler. " * 18 + "\n\nRevenue by year (millions)\nTotal 195,929 166,761\nNet 5,007 4,002"
    last = chunk(text, words, SMALL)[-1]
    assert text[last.start :].startswith("Revenue by year")


def test_spoken_passages_have_times() -> None:
    text = "One two three. Four five six."
    (at,) = chunk(text, words, SMALL, segments=[Segment(0, 14, 0.5, 2.0), Segment(15, 29, 2.0, 4.5)])
    assert (at.t0, at.t1) == (0.5, 4.5)


def test_no_passage_is_larger_than_the_embedder_s_window() -> None:
    assert PassageSizes().within(100) == PassageSizes(100, 100)
