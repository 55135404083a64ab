"""Rows and their wrapping: nothing wider than the pane, nothing lost, nothing active."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from panes.rows import Pen, inert
from panes.wrapping import NARROWEST, _break, cut, pad, wrap

ONE_LINE = st.text(alphabet=st.characters(exclude_categories=("Cc", "Cs")), max_size=200)


@given(ONE_LINE, st.integers(1, 120), st.integers(0, 10))
def test_no_line_is_wider_than_the_pane_and_only_spaces_are_lost(text: str, width: int, hang: int) -> None:
    lines = wrap(text, width, hang)
    rooms = [max(width, NARROWEST), *[max(width - hang, NARROWEST)] * (len(lines) - 1)]
    for (start, end), room in zip(lines, rooms, strict=True):
        assert cell_len(text[start:end]) <= max(room, 2)
    kept = {i for start, end in lines for i in range(start, end)}
    assert all(text[i] == " " for i in range(len(text)) if i not in kept)
    assert [start for start, _ in lines] == sorted(start for start, _ in lines)


@given(st.text(alphabet="ab -", max_size=80), st.integers(8, 20), st.integers(0, 8))
def test_the_pattern_engine_breaks_where_the_rule_does(text: str, width: int, hang: int) -> None:
    lines, start, room = [], 0, width
    while len(text) - start > room:
        end = _break(text, start, start + room, one_cell=True)
        lines.append((start, end))
        start, room = end + len(text[end:]) - len(text[end:].lstrip(" ")), max(width - hang, NARROWEST)
    if start < len(text) or not lines:
        lines.append((start, len(text)))
    assert wrap(text, width, hang) == lines


def test_lines_break_at_spaces_and_between_wide_characters() -> None:
    text = "The tower was lit"
    assert [text[a:b] for a, b in wrap(text, 10)] == ["The tower", "was lit"]
    text = "灯台は一七五九年に点灯した"
    assert [cell_len(text[a:b]) for a, b in wrap(text, 10)] == [10, 10, 6]
    text = "unbreakable" * 3
    assert [text[a:b] for a, b in wrap(text, 11)] == ["unbreakable"] * 3


@given(ONE_LINE, st.integers(0, 60))
def test_cut_and_pad_keep_to_the_width(text: str, width: int) -> None:
    assert cell_len(cut(text, width)) <= width
    assert cell_len(pad(text, width)) == width


@given(st.text(max_size=80))
def test_no_control_or_bidi_character_gets_into_a_row(text: str) -> None:
    for char in inert(text):
        assert unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(char) not in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


@given(ONE_LINE, ONE_LINE, st.integers(8, 60))
def test_the_segments_of_all_lines_hold_the_whole_text(first: str, second: str, width: int) -> None:
    row = Pen().put(first, "cite", "t").put(second).row(hang=0)
    lines = row.lines(width)
    painted = [
        "".join(s.text for s in row.segments(n, width, lambda span: Style(bold=span is not None)))
        for n in range(len(lines))
    ]
    assert painted == [row.text[a:b] for a, b in lines]


@pytest.mark.parametrize("width", [40, 80])
def test_a_hundred_thousand_rows_are_laid_out_in_a_moment(width: int) -> None:
    """Seconds would be felt on every change of the window's size. Measured: 10 microseconds a row of four lines."""
    import time

    text = "The tower was lit on 16 October 1759 with 24 candles. It stood for more than a century. " * 3
    rows = [Pen().put(text).row() for _ in range(20_000)]
    began = time.process_time()
    assert sum(len(row.lines(width)) for row in rows) > 60_000
    assert time.process_time() - began < 2
