"""Foreign text reaches a terminal as text."""

from __future__ import annotations

import json
import os
import re

from hypothesis import given
from hypothesis import strategies as st

from workstation.core.text import one_line, printable
from workstation.output import json_line, table

STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def test_an_escape_sequence_is_shown_and_does_nothing() -> None:
    assert printable("\x1b[2Jgone\x07") == "␛[2Jgone␇"


def test_reordering_and_hidden_marks_are_shown_by_their_code_points() -> None:
    assert printable("abc\u202etxt.exe") == "abc<U+202E>txt.exe"
    assert printable("a\U000e0041b") == "a<U+E0041>b"


def test_eight_bit_controls_are_shown() -> None:
    assert printable("\x9b31m") == "<U+009B>31m"


def test_an_undecodable_byte_of_a_file_name_is_shown() -> None:
    assert printable(os.fsdecode(b"caf\xe9.txt")) == "caf<E9>.txt"


def test_text_in_any_script_is_left_alone() -> None:
    for text in ("Übergröße", "Привет", "中文，标点", "שלום", "नमस्ते", "a\u200cb", "line\nline\ttab"):
        assert printable(text) == text


def test_one_line_has_no_line_breaks_and_fits() -> None:
    assert one_line("a\n b\r\n\tc") == "a b c"
    assert one_line("abcdefgh", 5) == "abcd…"


@given(st.text(st.characters()))
def test_nothing_printable_steers_a_terminal_or_fails_to_encode(text: str) -> None:
    shown = printable(text)
    shown.encode("utf-8")
    assert not STEERS.search(shown)


@given(st.text(st.characters()))
def test_json_output_reads_back_as_it_was_and_holds_no_controls(text: str) -> None:
    line = json_line({"text": text})
    line.encode("utf-8")
    assert json.loads(line) == {"text": text}
    assert not STEERS.search(line)


def test_a_table_lines_up_for_wide_characters() -> None:
    shown = table(("id", "title"), [(1, "中文"), (22, "x")], right=(0,)).splitlines()
    assert shown == ["id  title", " 1  中文", "22  x"]
