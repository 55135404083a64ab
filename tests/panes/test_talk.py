"""What a change did to a plan, and what was said about it."""

from __future__ import annotations

from functools import reduce

from panes.talk import SILENCE, Talk, difference
from workstation.memory import events as e
from workstation.memory.events import SubQuestion

from .recorded import PLAN, changed_events, refused_events, waiting_events


def heard(*events: e.Event) -> Talk:
    return reduce(Talk.hear, events, SILENCE)


def line(id: str, text: str = "") -> SubQuestion:
    return SubQuestion(id=id, text=text or id)


def test_a_line_in_the_place_of_another_is_a_changed_one() -> None:
    done = difference((line("a"), line("b"), line("c")), (line("a"), line("x"), line("c"), line("y")))
    assert done.words == {"x": "changed", "y": "new"}
    assert done.gone == ()


def test_lines_that_were_merged_are_one_changed_line_and_one_gone() -> None:
    done = difference((line("a"), line("b"), line("c")), (line("ab"), line("c")))
    assert done.words == {"ab": "changed"}
    assert [item.id for item in done.gone] == ["b"]


def test_a_line_that_only_moved_is_neither_new_nor_gone() -> None:
    done = difference((line("a"), line("b"), line("c")), (line("c"), line("a"), line("b")))
    assert (done.words, done.gone) == ({}, ())


def test_other_words_for_what_settles_a_line_change_it() -> None:
    settled = line("a").model_copy(update={"settles": "a sum"})
    assert difference((line("a"),), (settled,)).words == {"a": "changed"}


def test_the_first_plan_is_no_change() -> None:
    assert heard(*waiting_events()).before == ()
    changed = heard(*waiting_events(), *changed_events("drop 3", PLAN[:2]))
    assert (changed.change, changed.before) == ("drop 3", PLAN)


def test_an_objection_stands_until_the_next_command_or_plan() -> None:
    refused = (*waiting_events(), *refused_events("wug"))
    assert heard(*refused).objection.startswith("Not understood: wug.")
    assert heard(*refused, e.CommandTaken(command_seq=2, command="approve")).objection == ""
    assert heard(*refused, *changed_events("drop 3", PLAN[:2])).objection == ""


def test_a_warning_that_answers_nothing_is_no_objection() -> None:
    assert heard(*waiting_events(), e.Warned(text="A source changed.")).objection == ""
