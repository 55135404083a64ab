"""Commands that consist of known words only: a depth, a format, an approval, "drop 2 and 4", "3 first"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workstation.planning.talking.spans import LOOKS, NUMERIC, SOFT
from workstation.planning.talking.words import BESIDE, PLAIN, SURE, Token

ACTS = {"cut": "drop", "merge": "merge", "top": "order"}
NUMBERS = "numbers"  # line numbers of which it is not said what to do with them
LINES_OF = frozenset(ACTS.values())
WITHOUT = "without"  # beside another verb: "without dropping 3", "不要删除3"
MOST_LINES = 99  # a number above is a quantity or a year, not a line of a plan
BARRIER = Token(0, 0, {"and": PLAIN})


@dataclass(frozen=True, slots=True)
class Command:
    """One thing said. `kind` is a depth, a format, approve, choose, drop, merge, order, reword, cover, leave_out, or
    numbers alone; `level` is how unmistakable the form is; `text` is the span of a topic or of a line's words."""

    kind: str
    level: int = PLAIN
    numbers: tuple[int, ...] = ()
    text: tuple[int, int] = (0, 0)


def closed(tokens: Sequence[Token], lines: int) -> tuple[Command, ...] | None:
    """What the words say together; nothing if they are courtesy only, None if they do not fit together."""
    looks = [(kind, token) for token in tokens for kind in LOOKS if kind in token.kinds]
    acts = _acts(tokens)
    numbered = any(_counts(token, acts) for token in tokens) or (len(tokens) == 1 and bool(tokens[0].numbers))
    if looks:
        fits = acts <= {"top"} and not numbered
        return _looks(looks, tokens) if fits and _all(tokens, *LOOKS, "approve", "change", "to") else None
    if numbered:
        return _lines(tokens, acts, lines)
    said = [kind for kind in ("approve", "choose") if any(kind in token.kinds for token in tokens)]
    if not said and acts and _all(tokens, "top"):
        return ()  # "First, drop 3"
    if not _all(tokens, *said) or (said == ["approve"] and _frames_only(tokens)):
        return () if len(tokens) == 1 and "nay" in tokens[0].kinds else None
    return tuple(Command(kind, max(t.kinds.get(kind, BESIDE) for t in tokens)) for kind in said)


def verb_first(tokens: Sequence[Token]) -> bool:
    """Whether the numbers follow the verb, so that more numbers may follow them."""
    acts = [n for n, token in enumerate(tokens) if any(act in token.kinds for act in (*ACTS, "cut<"))]
    numbers = [n for n, token in enumerate(tokens) if token.numbers]
    return not numbers or (bool(acts) and acts[0] < numbers[-1])


def unique(numbers: Sequence[int]) -> tuple[int, ...]:
    """Each number once, in order."""
    return tuple(dict.fromkeys(numbers))


def _counts(token: Token, acts: set[str]) -> bool:
    """Whether the token can only be a number here: "one" and "une" can be more, and so can "first" without a verb."""
    return (
        not NUMERIC.isdisjoint(token.kinds)
        and "fill" not in token.kinds
        and ("top" not in token.kinds or not acts <= {"top"})
    )


def _all(tokens: Sequence[Token], *kinds: str) -> bool:
    known = SOFT.union(kinds)
    return all(not known.isdisjoint(token.kinds) for token in tokens)


def _frames_only(tokens: Sequence[Token]) -> bool:
    """Whether a mild approval stands in a wish: "make it a good one"."""
    framed = any("frame" in t.kinds and {"polite", "approve"}.isdisjoint(t.kinds) for t in tokens)
    return framed and not any(t.kinds.get("approve") == SURE for t in tokens)


def _looks(looks: list[tuple[str, Token]], tokens: Sequence[Token]) -> tuple[Command, ...]:
    framed = any(
        "frame" in t.kinds or "polite" in t.kinds for t in tokens if not any(kind in t.kinds for kind in LOOKS)
    )
    return tuple(Command(kind, SURE if framed or token.kinds[kind] == SURE else BESIDE) for kind, token in looks)


def _acts(tokens: Sequence[Token]) -> set[str]:
    """What is to be done with lines. "First" among other verbs is a number or says when, and is no verb."""
    kinds = {kind for token in tokens for kind in token.kinds}
    acts = {act for act in ACTS if act in kinds}
    if {"cut<", "cut>"} <= kinds:
        acts.add("cut")
    if any("cut?" in t.kinds and {"cut", "line", "nay"}.isdisjoint(t.kinds) for t in tokens):
        acts = {"cut", WITHOUT} if acts else {"cut"}
    return acts - {"top"} or acts


def _lines(tokens: Sequence[Token], acts: set[str], lines: int) -> tuple[Command, ...] | None:
    if len(acts) > 1 or not _all(
        tokens, *NUMERIC, *ACTS, "cut<", "cut>", "cut?", "range", *(() if "top" in acts else ("approve",))
    ):
        return None
    act = next(iter(acts), "")
    numbers = _numbers([token for n, token in enumerate(tokens) if not _adverb(tokens, n, act)], lines)
    if not numbers or not all(1 <= number <= (lines or MOST_LINES) for number in numbers):
        return None
    return (Command(ACTS.get(act, NUMBERS), SURE if act else BESIDE, unique(numbers)),)


def _adverb(tokens: Sequence[Token], n: int, act: str) -> bool:
    """Whether a "first" says when or where, and not which: "first drop 3", "3 first"."""
    if "top" not in tokens[n].kinds:
        return False
    if act == "top":
        return not any("top" in t.kinds for k, t in enumerate(tokens) if k != n) or "first" not in tokens[n].kinds
    before = tokens[n - 1].kinds if n else {}
    after = tokens[n + 1].kinds if n + 1 < len(tokens) else {}
    which = any(kind in before for kind in ("fill", "line", "cut", "cut<", "merge")) and before is not BARRIER.kinds
    return not which and NUMERIC.isdisjoint(after) and "line" not in after and "fill" not in after


def _numbers(tokens: Sequence[Token], lines: int) -> list[int]:
    """Line numbers, with "2 to 4" and "the last two" counted out; 0 stands for a line that cannot be counted."""
    found: list[int] = []
    since: str | None = None  # "first" or "last" directly before
    upto = False
    for n, token in enumerate(tokens):
        if token is BARRIER:
            since, upto = None, False
        elif "range" in token.kinds and n and tokens[n - 1].numbers and not token.numbers:
            upto = True
        elif token.numbers:
            first, last = token.numbers[0], token.numbers[-1]
            if since and len(token.numbers) == 1 and first > 1:
                found[-1:] = _counted(since, first, lines)
            elif upto:
                found += range(found[-1] + 1, last + 1) if found[-1] < last else [0]
            elif "fill" not in token.kinds or not found:
                found += token.numbers or [0]
            since, upto = None, False
        elif "first" in token.kinds or "last" in token.kinds:
            since = "first" if "first" in token.kinds else "last"
            many = found and len(found) == 1 and found[0] > 1 and tokens[-1] is token and "number" in tokens[-2].kinds
            found[-1 if many else len(found) :] = _counted(since, found[-1] if many else 1, lines)
        elif "before_last" in token.kinds:
            found.append(lines - 1 if lines else 0)
    return found


def _counted(since: str, many: int, lines: int) -> list[int]:
    """The first or the last so many lines."""
    if since == "first":
        return list(range(1, many + 1))
    return list(range(lines - many + 1, lines + 1)) if lines else [0]
