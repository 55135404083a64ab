"""What a run of a given depth may spend, and how much of it is left."""

from __future__ import annotations

import time
from dataclasses import dataclass

from workstation.memory.events import Depth, Limits

PLAN_SIZE: dict[Depth, tuple[int, int]] = {"quick": (3, 4), "thorough": (4, 6), "deep": (6, 8)}

# Ceilings, not targets: with the default models a thorough run over 48 articles needs a few seconds.
LIMITS: dict[Depth, Limits] = {
    "quick": Limits(seconds=120, searches=10, sources=10, tokens=8_000, reserve_s=15),
    "thorough": Limits(seconds=900, searches=30, sources=40, tokens=40_000, reserve_s=60),
    "deep": Limits(seconds=2400, searches=80, sources=80, tokens=120_000, reserve_s=60),
}


@dataclass(frozen=True, slots=True)
class Budget:
    """Counts against the limits from `started` (time.monotonic seconds)."""

    limits: Limits
    started: float

    def seconds_left(self) -> float:
        """Seconds that research may still take: the reserve for writing and verification is not part of it."""
        return self.limits.seconds - self.limits.reserve_s - self.seconds_spent()

    def seconds_spent(self) -> float:
        return time.monotonic() - self.started

    def spent(self, searches: int, sources: int) -> str:
        """Which limit is reached, in words; empty while there is something left."""
        if self.seconds_left() <= 0:
            return "time"
        if searches >= self.limits.searches:
            return "searches"
        if sources >= self.limits.sources:
            return "sources"
        return ""
