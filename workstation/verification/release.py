"""How a run ended, in words that a person can act on: from the state and its check."""

from __future__ import annotations

from workstation.memory.events import Outcome
from workstation.memory.state import ResearchState


def outcome_of(state: ResearchState) -> tuple[Outcome, str]:
    """(outcome, exit_reason) of a run that came to its end; being cancelled or failing is decided by the runner.

    exit_reason: plan_done | enough | budget.
    """
    reason = _exit_reason(state)
    if state.check is not None and not state.check.ok:
        return "unverified", reason
    if not state.facts():
        return _nothing(state, reason), reason
    # Where a search for dissent finds none, the question is answered all the same.
    if all(n.status == "answered" for n in state.needs if not n.question.counter):
        return "answered", reason
    return ("budget_spent" if reason == "budget" else "partly"), reason


def _exit_reason(state: ResearchState) -> str:
    if state.enough:
        return "enough"
    return "budget" if any(n.cause.startswith("out_of") for n in state.needs) else "plan_done"


def _nothing(state: ResearchState, reason: str) -> Outcome:
    if reason == "budget":
        return "budget_spent"
    return "unreadable" if any(n.kind == "extraction_error" for n in state.notes) else "not_in_library"
