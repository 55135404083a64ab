"""How a run ended, in one word."""

from __future__ import annotations

from tests.workstation.verification.made import run
from workstation.memory.events import Check
from workstation.memory.state import ResearchState
from workstation.verification.release import outcome_of

STATE = run()


def closed(status: str, cause: str = "") -> ResearchState:
    """The state with its unanswered sub-questions closed in another way; the one for dissent is unresolved."""
    needs = tuple(
        n.model_copy(update={"status": "unresolved" if n.question.counter else status, "cause": cause})
        if n.status != "answered"
        else n
        for n in STATE.needs
    )
    return STATE.model_copy(update={"needs": needs})


def test_outcomes_are_told_apart() -> None:
    no_notes = STATE.model_copy(update={"notes": ()})
    broken = tuple(n.model_copy(update={"kind": "extraction_error"}) for n in STATE.notes)
    failed = Check(failures=("number never handed out: [9]",))

    assert outcome_of(closed("answered")) == ("answered", "plan_done")
    assert outcome_of(closed("partly")) == ("partly", "plan_done")
    assert outcome_of(closed("unresolved", "out_of_time")) == ("budget_spent", "budget")
    assert outcome_of(STATE.model_copy(update={"enough": True})) == ("partly", "enough")
    assert outcome_of(no_notes) == ("not_in_library", "plan_done")
    assert outcome_of(STATE.model_copy(update={"notes": broken})) == ("unreadable", "plan_done")
    assert outcome_of(closed("answered").model_copy(update={"check": failed})) == ("unverified", "plan_done")
