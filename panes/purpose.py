"""What the ask line is for: it follows the run that is open, and its label says what Enter will do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from panes.run_view import Snapshot

Kind = Literal["ask", "answer", "change", "follow", "reject", "correct"]


@dataclass(frozen=True, slots=True)
class Purpose:
    """`label` names what Enter does with a text and `alone` what it does on the empty line, where that is something;
    `hint` is read there."""

    kind: Kind
    label: str
    hint: str
    alone: str = ""

    def does(self, *, empty: bool) -> str:
        """What Enter will do."""
        return (empty and self.alone) or self.label


ASK = Purpose("ask", "Ask", "Ask your library a question")
ANSWER = Purpose("answer", "Answer", "or answer: a number, an option, your own words", "Leave it to flori")
CHANGE = Purpose(
    "change", "Change the plan", "or say what to change: drop 2, add costs, make it deep", "Approve the plan"
)
FOLLOW = Purpose("follow", "Follow up", "with another question: this run answers it too")

REJECT = Purpose("reject", "Reject", "Why? Enter alone: without a reason", "Reject")
CORRECT = Purpose("correct", "Correct", "What the quote should be, word for word in its source")


def purpose_of(run: Snapshot) -> Purpose:
    """What a run that is open has to be told, if anything."""
    if run.asked:
        return ANSWER
    if run.waiting:
        return CHANGE
    return FOLLOW if run.done else ASK
