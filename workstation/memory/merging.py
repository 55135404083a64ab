"""A person's edits kept when a text is written anew: a three-way merge of paragraphs."""

from __future__ import annotations

from difflib import SequenceMatcher


def merged(base: str, edited: str, fresh: str) -> tuple[str, bool]:
    """`fresh` with the changes that led from `base` to `edited`; and whether all of both could be kept.

    Where both changed the same paragraphs, the person's stay and those of `fresh` are left out.
    """
    old, mine, new = (text.split("\n\n") for text in (base, edited, fresh))
    place = _places(old, new)
    result: list[list[str]] = [[block] for block in new]
    head: list[str] = []
    whole = True
    for tag, i1, i2, j1, j2 in SequenceMatcher(a=old, b=mine, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        kept = [place[i] for i in range(i1, i2) if i in place]
        if len(kept) == i2 - i1:
            for at in kept:
                result[at] = []
        else:
            whole = False
            start, end = _gap(place, i1, i2, len(new))
            result[start:end] = [[] for _ in range(start, end)]
        before = max((place[i] for i in range(i1) if i in place), default=-1)
        (result[before] if before >= 0 else head).extend(mine[j1:j2])
    blocks = [*head, *(block for group in result for block in group)]
    return "\n\n".join(blocks), whole


def _places(old: list[str], new: list[str]) -> dict[int, int]:
    """Where each block of `old` that is still there stands in `new`."""
    matches = SequenceMatcher(a=old, b=new, autojunk=False).get_matching_blocks()
    return {m.a + n: m.b + n for m in matches for n in range(m.size)}


def _gap(place: dict[int, int], i1: int, i2: int, end: int) -> tuple[int, int]:
    """The blocks of the new text that stand in place of old[i1:i2]."""
    before = max((place[i] for i in range(i1) if i in place), default=-1)
    after = min((at for i, at in place.items() if i >= i2), default=end)
    return before + 1, max(after, before + 1)
