"""A stored text on the screen: every character where it is, paragraphs whole, quoted places exact."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from panes.finding import CHOSEN
from panes.source_text import Mark, SourceText, page_starts, paragraphs

from .recorded import quote_of, text_of


def chosen_text(source: SourceText, at: int) -> str:
    source.choose(at)
    return shown_as_chosen(source)


def shown_as_chosen(source: SourceText) -> str:
    return "".join(
        row.text[span.start : span.end] for row in source.rows for span in row.spans if span.target == CHOSEN
    )


@given(st.text(alphabet="ab \n\r.?“x", max_size=400))
def test_every_character_but_line_ends_is_shown_once_and_in_order(text: str) -> None:
    found = list(paragraphs(text))
    assert all(a[1] <= b[0] for a, b in pairwise(found))
    shown = {at for start, end in found for at in range(start, end)}
    assert all(text[at] in "\r\n" for at in range(len(text)) if at not in shown)


@given(st.data())
def test_the_chosen_place_is_exact_even_where_places_overlap(data: st.DataObject) -> None:
    text = text_of(0)
    spans = data.draw(st.lists(st.tuples(st.integers(0, len(text) - 1), st.integers(1, 300)), min_size=1, max_size=8))
    marks = [Mark(start, min(len(text), start + n), text[start : start + n], "") for start, n in spans]
    source = SourceText(text, marks, {})
    for at, mark in enumerate(marks):
        assert source.holds(mark)
        lost = sum(text[i] == "\n" for i in range(mark.start, mark.end))
        shown = chosen_text(source, at)
        assert len(mark.quote) - lost <= len(shown) <= len(mark.quote)
        assert shown.replace(" ", "") == mark.quote.replace("\n", "").replace(" ", "")


def test_a_quote_over_a_line_end_is_one_span_of_one_paragraph() -> None:
    quote, place = quote_of(0, "looked for a mortar", "modern cement.")
    assert "\n" in quote
    source = SourceText(text_of(0), [Mark(place.start, place.end, quote, "")], {})
    assert chosen_text(source, 0) == quote.replace("\n", " ")


def test_prose_is_joined_and_lists_and_verse_are_not() -> None:
    prose = (
        "A line that is so long that its writer's editor has broken it at its\nedge, and so it goes on in the next.\n"
    )
    assert len([1 for start, end in paragraphs(prose) if end > start]) == 1
    questions = "Why did the Atlantic cable of 1858 fail, and who was blamed for it then?\n" * 3
    assert len([1 for start, end in paragraphs(questions) if end > start]) == 3
    verse = "Full fathom five\nthy father lies\n"
    assert len([1 for start, end in paragraphs(verse) if end > start]) == 2


def test_pages_begin_with_a_rule() -> None:
    text = "one\n\ntwo\n\nthree"
    document = {"pages": [{"number": 1, "start": 0}, {"number": 2, "start": 5}, {"number": 3, "start": 10}]}
    rows = [row.text for row in SourceText(text, (), page_starts(document)).rows]
    assert rows == ["── page 1 ──", "one", "", "── page 2 ──", "two", "", "── page 3 ──", "three"]
    passages = [{"locator": {"page": n, "start": start, "end": start + 2}} for n, start in ((1, 0), (1, 2), (2, 5))]
    assert page_starts({"passages": passages}) == {0: 1, 5: 2}
    assert page_starts({"pages": [{"number": 1, "start": 0}]}) == {}
