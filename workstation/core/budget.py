"""What a run of a given depth may spend, and how much of it is left."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from workstation.memory.events import Cause, Depth, Limits
from workstation.memory.state import ResearchState

PLAN_SIZE: dict[Depth, tuple[int, int]] = {"quick": (3, 4), "thorough": (4, 6), "deep": (6, 8)}

# Ceilings, not targets: with the default models a thorough run over 48 articles needs a few seconds.
LIMITS: dict[Depth, Limits] = {
    "quick": Limits(seconds=120, searches=10, sources=10, tokens=8_000, reserve_s=15, pages=24),
    "thorough": Limits(seconds=900, searches=30, sources=40, tokens=40_000, reserve_s=60, pages=60),
    "deep": Limits(seconds=2400, searches=80, sources=80, tokens=120_000, reserve_s=60, pages=150),
}


def extended(limits: Limits, depth: Depth) -> Limits:
    """The limits of a run that goes deeper: what another run of that depth may spend comes on top."""
    more = LIMITS[depth]
    return Limits(
        seconds=limits.seconds + more.seconds,
        searches=limits.searches + more.searches,
        sources=limits.sources + more.sources,
        tokens=limits.tokens + more.tokens,
        reserve_s=more.reserve_s,
        pages=limits.pages + more.pages,
    )


@dataclass(frozen=True, slots=True)
class Budget:
    """Counts what a run has spent, over all its processes, against its limits."""

    limits: Limits
    state: ResearchState
    since: float = field(default_factory=time.monotonic)

    def seconds_spent(self) -> float:
        return self.state.worked + time.monotonic() - self.since

    def seconds_left(self) -> float:
        """Seconds that research may still take: the reserve for writing and verification is not part of it."""
        return self.limits.seconds - self.limits.reserve_s - self.seconds_spent()

    def tokens_left(self) -> int:
        return self.limits.tokens - self.state.tokens

    def spent(self) -> Cause:
        """Which limit ends the search for evidence; empty while there is something left. Tokens are not one of them:
        what a model would propose has a way that needs none."""
        if self.seconds_left() <= 0:
            return "out_of_time"
        if len(self.state.searches) >= self.limits.searches:
            return "out_of_searches"
        if len(self.state.ledger) >= self.limits.sources:
            return "out_of_sources"
        return ""
