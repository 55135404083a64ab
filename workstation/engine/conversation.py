"""What a person says to a run becomes events: answers, changes of the plan, going deeper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from workstation.core.budget import LIMITS, extended
from workstation.engine.services import EngineServices
from workstation.memory import events as e
from workstation.memory.events import Event, SubQuestion
from workstation.memory.projections import PLAN, is_edited, read_plan
from workstation.memory.staleness import stale
from workstation.memory.state import ResearchState
from workstation.planning import editing, planner
from workstation.planning.aspects import aspects
from workstation.planning.talking import Said, read

UNDO = frozenset(
    ("undo", "rückgängig", "annuler", "deshacer", "desfazer", "annulla", "отменить", "撤销", "元に戻す", "تراجع")
)
MOST_ASPECTS = 8  # the longest plan has eight lines


def answered(state: ResearchState, answer: str) -> Iterator[Event]:
    """An answer to the question that waits. Leaving the choice to us answers it and all after it."""
    asked = state.waiting_for()
    if asked is None:
        yield warning(f"Nothing was asked that {answer!r} could answer.")
    elif not answer.strip() or read(answer).you_choose:
        yield from defaults(state)
    else:
        yield e.ClarificationAnswered(id=asked.id, answer=_chosen(asked, answer))


def defaults(state: ResearchState) -> Iterator[Event]:
    """Leaves all that is still open to us."""
    for clarified in state.clarifications or ():
        if clarified.answer is None:
            yield e.ClarificationAnswered(id=clarified.question.id, answer="")


def changed_plan(state: ResearchState, words: str, folder: Path, services: EngineServices) -> Iterator[Event]:
    """The plan as it is after `words`, or after plan.md was edited when there are none."""
    if state.plan_hash or not state.proposed:
        yield warning("There is no plan that waits for approval. Go deeper with: flori deepen FOLDER ...")
    elif not words.strip():
        yield from edited_file(state, folder)
    elif words.strip().casefold() in UNDO:
        yield from _undone(state, words)
    else:
        yield from _talked(state, words, services)


def edited_file(state: ResearchState, folder: Path) -> Iterator[Event]:
    """The plan as a person left it in plan.md; nothing when they did not touch it."""
    if not is_edited(folder, PLAN):
        return
    lines = read_plan((folder / PLAN).read_text(encoding="utf-8", errors="replace"))
    items = editing.edited(state.proposed, [(line.text, line.settles) for line in lines])
    if not items:
        yield warning("plan.md holds no sub-question: the plan stays as it was.")
    elif items != state.proposed:
        yield e.PlanProposed(items=items, limits=LIMITS[state.depth], change=PLAN)


def deepened(state: ResearchState, words: str) -> Iterator[Event]:
    """A follow-up question becomes a line of its own; without one, what is not fully answered is opened again."""
    words = " ".join(words.split())
    if not state.plan_hash:
        yield warning("The run has no approved plan yet: say what to change in it instead.")
        return
    asked = _follow_up(words, state) if words else ()
    outdated = stale(state).needs
    unsettled = [n.question.id for n in state.needs if n.status in ("partly", "unresolved")]
    reopened = () if words else tuple(dict.fromkeys((*unsettled, *sorted(outdated))))
    items = planner.numbered([n.question for n in state.needs] + list(asked))
    fresh = items[len(state.needs) :]
    limits = extended(state.limits or LIMITS[state.depth], state.depth)
    yield e.PlanExtended(asked=words, items=fresh, reopened=reopened, limits=limits, plan_hash=planner.plan_hash(items))


def warning(words: str) -> e.Warned:
    """What the user should know about what they said."""
    return e.Warned(text=words)


def consents(words: str) -> bool:
    """Whether what was said to a plan agrees to it, with the changes that it asks for: "ok", "drop 3 and start"."""
    said = read(words)
    return said.approve and said.understood


def _undone(state: ResearchState, words: str) -> Iterator[Event]:
    """The plan as it was before the last change that was not taken back yet."""
    if state.earlier:
        yield e.PlanProposed(items=state.earlier[-1], limits=LIMITS[state.depth], change=words)
    else:
        yield warning("The plan is as it was proposed: there is no change to take back.")


def _talked(state: ResearchState, words: str, services: EngineServices) -> Iterator[Event]:
    said = read(words, len(state.proposed))
    if said == Said(approve=True):
        return
    if said.rest or not said.understood:
        yield warning(f"Not understood: {said.rest or words}. The plan stays as it was.")
        return
    left_out = tuple(dict.fromkeys((*state.left_out, *said.leave_out)))
    depth = said.depth or state.depth
    if said.depth or said.format or left_out != state.left_out:
        yield e.BriefWritten(
            restated=state.restated,
            title=state.title,
            language=state.language,
            left_out=left_out,
            depth=said.depth,
            format=said.format,
        )
    found = aspects(services.survey(state.restated), state.restated, state.language, MOST_ASPECTS) if said.depth else ()
    items = editing.changed(
        state.proposed,
        said,
        question=state.restated,
        language=state.language,
        depth=depth,
        aspects=found,
        left_out=left_out,
    )
    if items:
        yield e.PlanProposed(items=items, limits=LIMITS[depth], change=words)
    else:
        yield warning("That would leave no sub-question: the plan stays as it was.")


def _follow_up(words: str, state: ResearchState) -> tuple[SubQuestion, ...]:
    """What was said as a line of the plan: what names nothing of the topic is asked in connection with it."""
    topic = planner.topic_of(state.restated, state.language)
    said: Said = read(words)
    if said.cover and not said.rest:
        return tuple(planner.aspect(name, topic, state.language) for name in said.cover)
    return (SubQuestion(id="", text=words, query=words, direct=False),)


def _chosen(asked: e.Clarification, answer: str) -> str:
    """The option that a number or its text names, else the answer as it was typed."""
    plain = " ".join(answer.split())
    if plain.isdigit() and 1 <= int(plain) <= len(asked.options):
        return asked.options[int(plain) - 1]
    return next((o for o in asked.options if o.casefold() == plain.casefold()), plain)
