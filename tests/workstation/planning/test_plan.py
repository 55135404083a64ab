"""The brief and the plan: sizes by depth, parts of a question that name their topic, safe folder names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workstation.core.budget import PLAN_SIZE
from workstation.memory.events import Depth
from workstation.planning.brief import SLUG_BYTES, restate, slug, title_of
from workstation.planning.planner import plan, plan_hash, topic_of

DEPTHS: tuple[Depth, ...] = ("quick", "thorough", "deep")


@given(st.text(max_size=120), st.sampled_from(DEPTHS))
def test_a_plan_of_any_question_fits_its_depth_and_ends_with_the_counter_question(question: str, depth: Depth) -> None:
    items = plan(restate(question), "en", depth)
    least, most = PLAN_SIZE[depth]
    assert least <= len(items) <= most
    assert [item.counter for item in items] == [False] * (len(items) - 1) + [True]
    assert items[0].direct
    assert len({item.id for item in items}) == len(items)


def test_the_parts_of_a_question_are_asked_one_by_one_and_name_their_topic() -> None:
    items = plan("How did the French and Indian War end, and who gained territory?", "en", "quick")
    assert [item.text for item in items if item.direct] == [
        "How did the French and Indian War end?",
        "Who gained territory (French and Indian War)?",
    ]


@pytest.mark.parametrize(
    ("question", "language", "topic"),
    [
        ("Why did the Atlantic cable of 1858 fail?", "en", "Atlantic cable of 1858"),
        ("Why was Smeaton's Eddystone lighthouse replaced?", "en", "Smeaton's Eddystone lighthouse"),
        ("What is oxygen?", "en", "oxygen"),
        ("Wer erfand das Telefon?", "de", "Telefon"),
    ],
)
def test_the_topic_of_a_question(question: str, language: str, topic: str) -> None:
    assert topic_of(question, language) == topic


def test_another_plan_has_another_hash() -> None:
    items = plan("What is oxygen?", "en", "quick")
    assert plan_hash(items) == plan_hash(plan("What is oxygen?", "en", "quick"))
    assert plan_hash(items) != plan_hash(items[::-1])


@given(st.text(min_size=1, max_size=300))
def test_a_folder_name_is_safe_whatever_was_asked(question: str) -> None:
    name = slug(title_of(question, "en"))
    assert 0 < len(name.encode()) <= SLUG_BYTES + len("-run")
    assert not set(name) & set('/\\:*?"<>|\0. ')
    assert name.isprintable()
