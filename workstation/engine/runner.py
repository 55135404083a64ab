"""The runner: the only one that appends to a run's log. It walks the stages, obeys commands, and can start anywhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from local_models.errors import Cancelled as ModelCancelled
from workstation import __version__
from workstation.core.budget import Budget
from workstation.core.cancel import Cancelled, CancelToken
from workstation.engine.services import EngineServices
from workstation.engine.stages import STAGES, Stage
from workstation.memory.events import CommandTaken, Event, PlanApproved, RunEnded, RunResumed, StageEntered
from workstation.memory.folding import apply, fold
from workstation.memory.log import RunLog, read_commands, read_log
from workstation.memory.projections import render_files
from workstation.memory.state import ResearchState
from workstation.planning.planner import plan_hash

POLL_S = 0.1  # while waiting for an approval


class Runner:
    """Runs one folder to its end. `on_event` hears every event after it is on disk."""

    def __init__(
        self,
        folder: Path,
        services: EngineServices,
        *,
        approve: bool,
        cancel: CancelToken,
        on_event: Callable[[Event, ResearchState], None] = lambda event, state: None,
    ) -> None:
        self._folder, self._services, self._approve = folder, services, approve
        self._cancel, self._on_event = cancel, on_event
        self.state = ResearchState()

    def run(self) -> ResearchState:
        with RunLog(self._folder) as self._log:
            self.state = fold(read_log(self._folder))
            self._began = time.monotonic()
            if self.state.stage:
                self._append(RunResumed(program=__version__))
            try:
                for stage in STAGES:
                    self._walk(stage)
            except (Cancelled, ModelCancelled):
                self._append(self._ending("cancelled", "cancelled", "Continue with: flori continue FOLDER"))
            render_files(self._folder, self.state)
        return self.state

    def _walk(self, stage: Stage) -> None:
        """Repeats a stage until its work is done; a round that changes nothing in memory ends it too."""
        entered = False
        while not stage.done(self.state):
            self._obey()
            if not entered:
                self._append(StageEntered(stage=stage.name))
                entered = True
            before = self.state.seq
            for event in stage.run(self.state, self._services, self._budget(), self._cancel):
                self._append(event)
                self._obey()
                if stage.interruptible and self.state.enough:
                    break
            if self.state.proposed and not self.state.plan_hash:
                self._await_approval()
            render_files(self._folder, self.state)
            if self.state.seq == before:
                return

    def _budget(self) -> Budget | None:
        return Budget(self.state.limits, self._began) if self.state.limits else None

    def _append(self, event: Event) -> None:
        stamped = self._log.append(event)
        self.state = apply(self.state, stamped)
        self._on_event(stamped, self.state)

    def _obey(self) -> None:
        self._cancel.check()
        for command in read_commands(self._folder, after=self.state.commands_taken):
            self._append(CommandTaken(command_seq=command.seq, command=command.kind))
            if command.kind == "cancel":
                self._cancel.cancel()
            elif command.kind in ("approve", "enough"):
                self._approve = True
        self._cancel.check()

    def _await_approval(self) -> None:
        render_files(self._folder, self.state)
        while not self._approve:
            self._obey()
            time.sleep(POLL_S)
        items = self.state.proposed
        self._append(PlanApproved(items=items, plan_hash=plan_hash(items)))

    def _ending(self, outcome: str, reason: str, detail: str = "") -> RunEnded:
        return RunEnded.model_validate(
            {
                "outcome": outcome,
                "exit_reason": reason,
                "detail": detail,
                "seconds": round(time.monotonic() - self._began, 2),
                "model_calls": self._services.model_calls,
            }
        )
