"""What a person says to a plan, and wishes inside a question: as people type it, in ten languages.

The rows stand in tests/data/planning: said.tsv (text, what it says) and asked.tsv (text, the question that is left,
what was taken out; "=" where nothing may be). A star behind the language marks what is not understood as it is meant.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workstation.planning.talking import Asked, Said, read, separate

DATA = Path(__file__).parents[2] / "data" / "planning"
LANGUAGES = {"en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ar"}


def rows(name: str) -> list[list[str]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()[1:]
    return [line.replace("\\n", "\n").split("\t") for line in lines]


def cases(name: str, text: int) -> list[object]:
    marks = pytest.mark.xfail(strict=True, reason="not understood as it is meant")
    return [
        pytest.param(*row[1:], id=f"{row[0]}: {row[text]}", marks=[marks] if "*" in row[0] else [])
        for row in rows(name)
    ]


def shown(said: Said | Asked) -> list[str]:
    """A reading in the words of the tables."""
    parts = [f"depth={said.depth}" if said.depth else "", f"format={said.format}" if said.format else ""]
    if isinstance(said, Said):
        parts += [f"cover={' ; '.join(said.cover)}" if said.cover else ""]
        parts += [f"drop={' '.join(map(str, said.drop))}" if said.drop else ""]
        parts += [f"merge={' '.join('+'.join(map(str, merged)) for merged in said.merge)}" if said.merge else ""]
        parts += [f"reword={line}>{text}" for line, text in said.reword]
        parts += [f"order={' '.join(map(str, said.order))}" if said.order else ""]
        parts += ["approve" * said.approve, "you_choose" * said.you_choose, f"rest={said.rest}" if said.rest else ""]
    parts += [f"leave_out={' ; '.join(said.leave_out)}" if said.leave_out else ""]
    return sorted(filter(None, parts))


def expected(cell: str) -> list[str]:
    return sorted(part for part in cell.split(" | ") if part not in ("", "="))


@pytest.mark.parametrize(("lines", "text", "said"), cases("said.tsv", 2))
def test_what_is_said_to_a_plan(lines: str, text: str, said: str) -> None:
    result = read(text, int(lines))
    assert shown(result) == expected(said)
    assert result.understood == ("rest=" not in said)


@pytest.mark.parametrize(("text", "question", "wishes"), cases("asked.tsv", 1))
def test_wishes_in_a_question(text: str, question: str, wishes: str) -> None:
    result = separate(text)
    assert result.question == (text if question == "=" else question)
    assert shown(result) == expected(wishes)


def test_all_languages_are_in_both_tables() -> None:
    for name in ("said.tsv", "asked.tsv"):
        assert {row[0].strip("*") for row in rows(name)} == LANGUAGES


def test_a_line_is_read_by_itself() -> None:
    said = read("drop 3\n\nnimm Moldau dazu\n2: When did it end, and why?", 6)
    assert said == Said(drop=(3,), cover=("Moldau",), reword=((2, "When did it end, and why?"),))


def test_of_two_depths_the_last_counts() -> None:
    assert read("make it deep. No, make it quick.") == Said(depth="quick")


def test_a_plan_without_a_known_length_has_no_last_line() -> None:
    assert read("drop 3 and 12") == Said(drop=(3, 12))
    assert not read("drop the last two").understood
    assert read("drop 3 and 12", 6) == Said(drop=(3,), rest="12")


def test_ok_starts_nothing_while_something_else_is_asked_for() -> None:
    assert read("ok").approve
    assert not read("ok, but shorter", 6).approve
    assert not read("ok, what is line 3 about?", 6).approve
    assert read("ok, shorter, then start", 6).approve


NEUTRAL = [
    "river",
    "stone",
    "Ada",
    "cloud",
    "1763",
    "seven",
    "Garten",
    "мост",
    "桥",
    "川",
    "نهر",
    "dog's",
    "North-West",
]
PLAIN = [
    *NEUTRAL,
    "3.5",
    "e.g.",
    "12%",
    "(x)",
    "über",
    ",",
    ".",
    "?",
    ";",
    " - ",
    "\n",
    "\t",
    " ",
    "(",
    ")",
    '"',
    "。",
    "，",
]
PIECES = st.sampled_from(PLAIN)
COMMANDS = [row[2] for row in rows("said.tsv")] + [row[1] for row in rows("asked.tsv")]
WORDS = sorted({word for text in COMMANDS for word in text.split()})
SPOKEN = st.lists(st.sampled_from(WORDS) | PIECES, max_size=25).map(" ".join) | st.text(max_size=120)


@given(SPOKEN, st.integers(0, 9))
def test_any_text_can_be_said(text: str, lines: int) -> None:
    said = read(text, lines)
    flat = " ".join(text.split())
    for topic in (*said.cover, *said.leave_out, *(words for _, words in said.reword)):
        assert topic
        assert topic in flat
    of_lines = (*said.drop, *said.order, *(line for line, _ in said.reword), *(line for m in said.merge for line in m))
    assert all(1 <= line <= (lines or 99) for line in of_lines)
    assert all(len(merged) > 1 for merged in said.merge)
    assert all(word in flat for word in said.rest.split())


@given(SPOKEN)
def test_any_text_can_be_asked(text: str) -> None:
    asked, flat = separate(text), " ".join(text.split())
    assert all(topic and topic in flat for topic in asked.leave_out)
    assert len(asked.question) <= len(flat)
    if not (asked.depth or asked.format or asked.leave_out):
        assert asked.question == flat


@given(st.lists(PIECES, max_size=30).map(" ".join))
def test_a_text_without_wishes_is_only_collapsed(text: str) -> None:
    assert separate(text) == Asked(" ".join(text.split()), None, None, ())


@given(st.sampled_from([row[2] for row in rows("said.tsv") if row[0] == "en"]))
def test_full_width_digits_are_digits(text: str) -> None:
    wide = text.translate({ord(digit): ord(digit) + 0xFEE0 for digit in "0123456789"})
    assert read(wide, 6).drop == read(text, 6).drop
    assert read(wide, 6).merge == read(text, 6).merge


@pytest.mark.parametrize(
    "text",
    [
        "The war ended in 1763, and Britain gained Canada. ",
        "no prices, ",
        "drop 3, 4 and ",
        "2: the war? ",
        "「",
        "وو",
        "a",
    ],
)
def test_a_long_text_takes_a_few_seconds_at_most(text: str) -> None:
    long = text * (100_000 // len(text))
    start = time.process_time()
    read(long, 6)
    separate(long)
    assert time.process_time() - start < 10  # measured: 0.3 s for prose, up to 2 s for commands only
