"""A plan that was talked about or edited: what was not mentioned stays word for word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workstation.core.budget import PLAN_SIZE
from workstation.memory.events import Depth, SubQuestion
from workstation.planning.editing import changed, edited
from workstation.planning.planner import plan
from workstation.planning.talking import Said, read

QUESTION = "How did the Atlantic cable change trade?"
ASPECTS = ("Valentia", "Cyrus Field", "cotton prices", "the Great Eastern", "gutta-percha")
PLAN = plan(QUESTION, "en", "thorough", aspects=ASPECTS)


def after(words: str, depth: Depth = "thorough") -> tuple[SubQuestion, ...]:
    said = read(words, len(PLAN))
    assert said.understood, said
    return changed(PLAN, said, question=QUESTION, language="en", depth=said.depth or depth, aspects=ASPECTS)


def test_a_topic_that_is_added_stands_before_the_counter_question() -> None:
    result = after("also cover Moldova")
    assert result[: len(PLAN) - 1] == PLAN[:-1]
    assert result[-1] == PLAN[-1]
    assert result[-1].counter
    assert "Moldova" in result[-2].text
    assert result[-2].id not in {item.id for item in PLAN}


def test_lines_are_dropped_and_merged_by_their_numbers() -> None:
    assert after("drop 3") == (*PLAN[:2], *PLAN[3:])
    merged = after("merge 2 and 4")
    assert merged[1].text == f"{PLAN[1].text} {PLAN[3].text}"
    assert (merged[0], merged[2], merged[3:]) == (PLAN[0], PLAN[2], PLAN[4:])


def test_a_topic_that_is_left_out_takes_its_lines_with_it() -> None:
    assert after("leave out cotton prices") == tuple(item for item in PLAN if "cotton prices" not in item.text)


@pytest.mark.parametrize("depth", ["quick", "thorough", "deep"])
def test_another_depth_has_another_size_and_keeps_what_it_can(depth: Depth) -> None:
    result = after(f"make it {depth}", depth)
    least, most = PLAN_SIZE[depth]
    assert least <= len(result) <= most
    assert [item for item in PLAN if item in result] == [item for item in result if item in PLAN]
    assert result[0] == PLAN[0]
    assert result[-1] == PLAN[-1]


def test_a_file_that_was_edited_keeps_the_lines_that_stand_as_they_were() -> None:
    lines = [(item.text, item.settles) for item in PLAN if item is not PLAN[2]]
    lines.insert(1, ("Who paid for it?", ""))
    result = edited(PLAN, lines)
    assert [item for item in result if item in PLAN] == [item for item in PLAN if item is not PLAN[2]]
    assert result[1].text == "Who paid for it?"
    assert result[1].id not in {item.id for item in PLAN}


NUMBERS = st.lists(st.integers(-2, 12), max_size=4).map(tuple)


@given(NUMBERS, NUMBERS.filter(lambda n: len(n) > 1).map(lambda n: (n,)), NUMBERS)
def test_numbers_that_name_no_line_change_nothing_and_no_id_is_given_twice(
    drop: tuple[int, ...], merge: tuple[tuple[int, ...], ...], order: tuple[int, ...]
) -> None:
    said = Said(drop=drop, merge=merge, order=order)
    result = changed(PLAN, said, question=QUESTION, language="en", depth="thorough")
    assert len({item.id for item in result}) == len(result)
    touched = {n for numbers in (drop, *merge) for n in numbers}
    for number, item in enumerate(PLAN, start=1):
        assert number in touched or item in result
