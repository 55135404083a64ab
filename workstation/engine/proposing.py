"""Where a capable model is installed, it is asked for sub-questions: kept are those that the library can answer."""

from __future__ import annotations

from collections.abc import Sequence

from workstation.core.budget import PLAN_SIZE, Budget
from workstation.core.cancel import CancelToken
from workstation.engine.services import EngineServices
from workstation.memory.events import ModelUsed, SubQuestion
from workstation.memory.state import ResearchState
from workstation.planning.aspects import Surveyed
from workstation.planning.proposals import ANSWER_TOKENS, SYSTEM, accepted, request, schema


def propose_lines(
    state: ResearchState, survey: Sequence[Surveyed], services: EngineServices, budget: Budget, cancel: CancelToken
) -> tuple[tuple[SubQuestion, ...], ModelUsed | None]:
    """The lines that hold up, and what asking for them cost; nothing where no model is trusted with it."""
    most = min(ANSWER_TOKENS, budget.tokens_left())
    if most < ANSWER_TOKENS:
        return (), None
    wanted = PLAN_SIZE[state.depth][1] - 2  # beside the question itself and the counter-question
    asked = request(state.restated, [s.text for s in survey])
    answer = services.propose(SYSTEM, asked, schema(wanted), cancel, most)
    if answer is None:
        return (), None
    lines = accepted(answer.value, state.restated, state.language) if answer.value else ()
    kept = tuple(line for line in lines if services.find(line.text, spans=1).retrieval.coverage.covered)
    used = ModelUsed(
        purpose="plan", prompt_tokens=answer.prompt_tokens, output_tokens=answer.output_tokens, accepted=bool(kept)
    )
    return kept, used
