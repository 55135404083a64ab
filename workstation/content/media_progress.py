"""How far a recording is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Heard:
    """`total` and `left` are seconds, None when not known: of the recording, and until it is done."""

    name: str
    seconds: float
    total: float | None
    left: float | None


@dataclass(slots=True)
class Pace:
    """Reckons the remaining time from the windows that were transcribed, and tells of it. total: seconds of the
    recording, None when not known."""

    name: str
    total: float | None
    tell: Callable[[Heard], None] | None
    _began: float = field(default_factory=time.monotonic)
    _from: float = 0.0

    def reached(self, seconds: float, *, before: bool) -> None:
        """The recording is done up to here; `before`: by an earlier run, which says nothing about the speed."""
        if self.tell is None:
            return
        if before:
            self._began, self._from = time.monotonic(), seconds
        covered, spent = seconds - self._from, time.monotonic() - self._began
        left = max(0.0, self.total - seconds) * spent / covered if self.total and covered > 0 else None
        self.tell(Heard(self.name, seconds, self.total, left))
