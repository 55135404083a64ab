"""A person's edits survive when the report is written anew."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workstation.memory.merging import merged

BLOCKS = st.lists(st.text("abc", min_size=1, max_size=2), min_size=1, max_size=6)


def _text(blocks: list[str]) -> str:
    return "\n\n".join(blocks)


def test_what_a_person_wrote_and_what_is_new_both_stand() -> None:
    base = _text(["# Title", "old answer", "finding", "## Sources", "- [1] a"])
    edited = _text(["# Title", "old answer", "my own remark", "finding, corrected", "## Sources", "- [1] a"])
    fresh = _text(["# Title", "old answer", "finding", "another finding", "## Sources", "- [1] a\n- [2] b"])
    assert merged(base, edited, fresh) == (
        _text(
            [
                *("# Title", "old answer", "my own remark", "finding, corrected"),
                *("another finding", "## Sources", "- [1] a\n- [2] b"),
            ]
        ),
        True,
    )


def test_where_both_changed_the_same_paragraph_the_persons_stays_and_that_is_said() -> None:
    result, whole = merged("t\n\na\n\nz", "t\n\nmine\n\nz", "t\n\nours\n\nz")
    assert (result, whole) == ("t\n\nmine\n\nz", False)


@given(BLOCKS, BLOCKS)
def test_one_side_alone_is_taken_as_it_is(base: list[str], changed: list[str]) -> None:
    one, other = _text(base), _text(changed)
    assert merged(one, other, one)[0] == other
    assert merged(one, one, other)[0] == other


@given(BLOCKS, BLOCKS, BLOCKS)
def test_nothing_that_a_person_added_is_lost(base: list[str], edited: list[str], fresh: list[str]) -> None:
    result, _ = merged(_text(base), _text(edited), _text(fresh))
    assert set(edited) - set(base) <= set(result.split("\n\n"))
