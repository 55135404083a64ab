"""The research turn, in the order in which it happens. Read it top to bottom and you know what the engine does.

A stage reads the state and yields events; the runner appends and applies them and calls the stage again until it is
done. A stage that was interrupted is simply run again: what is in the state already is not done twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workstation.core.budget import LIMITS, Budget
from workstation.core.cancel import CancelToken
from workstation.engine.gathering import gather, needs_without_thesis, theses
from workstation.engine.services import EngineServices
from workstation.memory.events import (
    BriefWritten,
    Classified,
    Event,
    ParagraphWritten,
    PlanProposed,
    ReportVerified,
    RunEnded,
)
from workstation.memory.state import ResearchState
from workstation.planning import planner
from workstation.planning.brief import restate, title_of
from workstation.report.markdown import render_report
from workstation.synthesis.extractive import paragraphs
from workstation.verification.check import check_report
from workstation.verification.release import outcome_of

Run = Callable[[ResearchState, EngineServices, Budget | None, CancelToken], Iterator[Event]]


@dataclass(frozen=True, slots=True)
class Stage:
    """`done` reads the state; `interruptible` stages stop in the middle when the user says enough."""

    name: str
    done: Callable[[ResearchState], bool]
    run: Run
    interruptible: bool = False


def classify(state: ResearchState, services: EngineServices, *_: object) -> Iterator[Event]:
    yield Classified(intent="research")


def brief(state: ResearchState, services: EngineServices, *_: object) -> Iterator[Event]:
    language = services.detect_language(state.question)
    yield BriefWritten(restated=restate(state.question), title=title_of(state.question, language), language=language)


def plan(state: ResearchState, services: EngineServices, *_: object) -> Iterator[Event]:
    yield PlanProposed(items=planner.plan(state.restated, state.language, state.depth), limits=LIMITS[state.depth])


def write(state: ResearchState, services: EngineServices, *_: object) -> Iterator[Event]:
    yield from _unwritten(state)


def verify(state: ResearchState, services: EngineServices, *_: object) -> Iterator[Event]:
    yield ReportVerified(check=check_report(render_report(state), state, services.stored_text).check)


def release(state: ResearchState, services: EngineServices, budget: Budget | None, *_: object) -> Iterator[Event]:
    outcome, reason = outcome_of(state)
    yield RunEnded(
        outcome=outcome,
        exit_reason=reason,
        seconds=round(budget.seconds_spent(), 2) if budget else 0.0,
        model_calls=services.model_calls,
    )


def _unwritten(state: ResearchState) -> list[ParagraphWritten]:
    written = {p.id for p in state.paragraphs}
    return [p for p in paragraphs(state) if p.id not in written]


STAGES: tuple[Stage, ...] = (
    Stage("classify", lambda s: bool(s.intent), classify),
    Stage("brief", lambda s: bool(s.title), brief),
    Stage("plan", lambda s: bool(s.plan_hash), plan),
    Stage("gather", lambda s: s.enough or not s.open_needs(), gather, interruptible=True),
    Stage("theses", lambda s: not needs_without_thesis(s), theses, interruptible=True),
    Stage("write", lambda s: not _unwritten(s), write),
    Stage("verify", lambda s: s.check is not None, verify),
    Stage("release", lambda s: s.ended is not None, release),
)
