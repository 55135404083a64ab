"""The research turn, in the order in which it happens. Read it top to bottom and you know what the engine does.

A stage reads the state and yields events; the runner appends and applies them and calls the stage again until it is
done. A stage that was interrupted is simply run again: what is in the state already is not done twice. One that waits
for something yields None now and then, so that the user is heard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workstation.core.budget import LIMITS, Budget
from workstation.core.cancel import CancelToken
from workstation.engine.conversation import MOST_ASPECTS, defaults
from workstation.engine.discovering import discover
from workstation.engine.disputes import dispute
from workstation.engine.gathering import gather, needs_without_thesis, next_need, theses
from workstation.engine.proposing import propose_lines
from workstation.engine.revising import revise, revised
from workstation.engine.services import EngineServices
from workstation.memory.events import (
    BriefWritten,
    ClarificationAsked,
    Classified,
    Event,
    ParagraphWithdrawn,
    ParagraphWritten,
    PlanApproved,
    PlanProposed,
    ReportVerified,
    RunEnded,
)
from workstation.memory.staleness import stale
from workstation.memory.state import ResearchState
from workstation.planning import planner
from workstation.planning.aspects import aspects
from workstation.planning.brief import restate, title_of, with_answers
from workstation.planning.clarify import Answering, clarifications
from workstation.planning.classify import classify as route_of
from workstation.planning.talking import separate
from workstation.report.markdown import render_report
from workstation.synthesis.extractive import paragraphs
from workstation.verification.check import check_report
from workstation.verification.release import outcome_of

Run = Callable[[ResearchState, EngineServices, Budget, CancelToken], Iterator[Event | None]]


@dataclass(frozen=True, slots=True)
class Stage:
    """`done` reads the state; `interruptible` stages stop in the middle when the user says enough. `waits` says whether
    the user has to be heard before the stage can go on; what `agree` yields stands for their consent."""

    name: str
    done: Callable[[ResearchState], bool]
    run: Run
    interruptible: bool = False
    waits: Callable[[ResearchState], bool] = lambda state: False
    agree: Callable[[ResearchState], Iterator[Event]] = lambda state: iter(())


def classify(state: ResearchState, services: EngineServices, *_: object) -> Iterator[Event]:
    route = route_of(state.question)
    if route.intent == "nothing" or route.intent == "greeting":  # a run was started for it all the same: then look
        yield Classified(intent="unknown")
    else:
        yield Classified(intent=route.intent, options=route.options)


def brief(state: ResearchState, services: EngineServices, *_: object) -> Iterator[Event]:
    asked = separate(state.question)
    question = asked.question or restate(state.question)
    language = services.detect_language(question)
    yield BriefWritten(
        restated=question, title=title_of(question, language), language=language, left_out=asked.leave_out
    )


def clarify(state: ResearchState, services: EngineServices, *_: object) -> Iterator[Event]:
    """Asks once, and then takes the answers into the brief."""
    if state.clarifications is None:
        found = services.find(state.restated, spans=12, wide=True)
        spans = found.spans if found.retrieval.coverage.covered else ()
        answers = [Answering(s.candidate.passage.source, s.candidate.passage.title, s.score) for s in spans]
        yield ClarificationAsked(questions=clarifications(state.restated, state.language, answers))
    elif not state.waiting_for() and (said := with_answers(state.restated, state.clarifications)) != state.restated:
        yield BriefWritten(restated=said, title=state.title, language=state.language, left_out=state.left_out)


def plan(state: ResearchState, services: EngineServices, budget: Budget, cancel: CancelToken) -> Iterator[Event]:
    if state.proposed:
        return
    survey = services.survey(state.restated)
    proposed, used = propose_lines(state, survey, services, budget, cancel)
    if used:
        yield used
    items = planner.plan(
        state.restated,
        state.language,
        state.depth,
        options=state.options,
        proposed=proposed,
        aspects=aspects(survey, state.restated, state.language, MOST_ASPECTS),
        left_out=state.left_out,
    )
    yield PlanProposed(items=items, limits=LIMITS[state.depth])


def approve(state: ResearchState) -> Iterator[Event]:
    yield PlanApproved(items=state.proposed, plan_hash=planner.plan_hash(state.proposed))


def evidence(state: ResearchState, services: EngineServices, budget: Budget, cancel: CancelToken) -> Iterator[Event]:
    """The next sub-question: what answers it, or, for the counter-question, what speaks against the answers."""
    work = dispute if next_need(state).question.counter else gather
    yield from work(state, services, budget, cancel)


def write(state: ResearchState, services: EngineServices, *_: object) -> Iterator[Event]:
    yield from _withdrawn(state)
    yield from _unwritten(state)


def verify(state: ResearchState, services: EngineServices, *_: object) -> Iterator[Event]:
    yield ReportVerified(check=check_report(render_report(state), state, services.stored_text).check)


def release(state: ResearchState, services: EngineServices, budget: Budget, *_: object) -> Iterator[Event]:
    outcome, reason = outcome_of(state)
    yield RunEnded(
        outcome=outcome,
        exit_reason=reason,
        seconds=round(budget.seconds_spent(), 2),
        model_calls=state.model_calls,
    )


def draft(state: ResearchState) -> str:
    """The report as far as the evidence goes, while it is still being gathered."""
    return "\n\n".join(p.text for p in paragraphs(state)) if state.facts() else ""


def _unwritten(state: ResearchState) -> list[ParagraphWritten]:
    outdated = stale(state).paragraphs
    written = {(p.id, p.text) for p in state.paragraphs if p.id not in outdated}
    return [p for p in paragraphs(state) if (p.id, p.text) not in written]


def _withdrawn(state: ResearchState) -> list[ParagraphWithdrawn]:
    """The stale paragraphs of which nothing is left."""
    gone = stale(state).paragraphs - {p.id for p in paragraphs(state)} if state.revision else frozenset()
    return [ParagraphWithdrawn(id=p.id, need=p.need) for p in state.paragraphs if p.id in gone]


def _clarified(state: ResearchState) -> bool:
    return (
        state.clarifications is not None
        and not state.waiting_for()
        and with_answers(state.restated, state.clarifications) == state.restated
    )


STAGES: tuple[Stage, ...] = (
    Stage("classify", lambda s: bool(s.intent), classify),
    Stage("brief", lambda s: bool(s.title), brief),
    Stage(
        "clarify",
        lambda s: _clarified(s) or bool(s.plan_hash),
        clarify,
        waits=lambda s: s.waiting_for() is not None,
        agree=defaults,
    ),
    Stage("plan", lambda s: bool(s.plan_hash), plan, waits=lambda s: bool(s.proposed), agree=approve),
    Stage("discover", lambda s: s.enough or s.crawl_is_over(), discover, interruptible=True),
    Stage("gather", lambda s: s.enough or not s.open_needs(), evidence, interruptible=True),
    Stage("revise", revised, revise),
    Stage("theses", lambda s: not needs_without_thesis(s), theses, interruptible=True),
    Stage("write", lambda s: not (_unwritten(s) or _withdrawn(s)), write),
    Stage("verify", lambda s: s.check is not None, verify),
    Stage("release", lambda s: s.ended is not None, release),
)
