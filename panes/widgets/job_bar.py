"""The jobs of the library, a line each: still text that changes when a job's log does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from panes.job_words import headline
from panes.widgets.bars import Bar

if TYPE_CHECKING:
    from workstation.jobs.state import Job

MOST = 3
"""Lines; the jobs' own screen shows all."""


class JobBar(Bar):
    """Not there when there is nothing to say."""

    def __init__(self) -> None:
        super().__init__("jobs")
        self.display = False
        self._lines = 0

    def show(self, jobs: Sequence[Job]) -> None:
        lines = [headline(job, advised=True) for job in jobs[:MOST]]
        if len(jobs) > MOST:
            lines[-1] += f"   and {len(jobs) - MOST + 1} more: J"
        self.put(Content("\n".join(lines)))
        if len(lines) != self._lines:  # only then anything else on the screen moves
            self._lines = len(lines)
            self.display = bool(lines)
            self.styles.height = max(1, len(lines))
