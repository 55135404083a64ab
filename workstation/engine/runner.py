"""The runner: the only one that appends to a run's log. It walks the stages, obeys commands, and can start anywhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from local_models.errors import Cancelled as ModelCancelled
from workstation import __version__
from workstation.core.budget import LIMITS, Budget
from workstation.core.cancel import Cancelled, CancelToken
from workstation.engine import conversation
from workstation.engine.revising import changed_evidence
from workstation.engine.services import EngineServices
from workstation.engine.stages import STAGES, Stage, draft
from workstation.memory.events import (
    EVIDENCE_COMMANDS,
    Command,
    CommandTaken,
    Event,
    PlanExtended,
    ReportVerified,
    RunEnded,
    RunResumed,
    StageEntered,
)
from workstation.memory.folding import apply, fold
from workstation.memory.log import RunLog, read_commands, read_log
from workstation.memory.projections import REPORT, keep_version, render_files, write_draft
from workstation.memory.staleness import stale
from workstation.memory.state import ResearchState
from workstation.planning.planner import plan_hash
from workstation.verification.check import check_report

POLL_S = 0.1  # while waiting for the user
WHOLE = ("answer", "deepen", *EVIDENCE_COMMANDS)
"""Commands that are in the log with all that follows from them, or not at all: after a kill they are obeyed anew."""


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
        self._folder, self._services, self._agreed = folder, services, approve
        self._cancel, self._on_event = cancel, on_event
        self.state = ResearchState()

    def run(self) -> ResearchState:
        with RunLog(self._folder) as self._log:
            self.state = fold(read_log(self._folder))
            if self.state.stage:
                self._append(RunResumed(program=__version__))
            try:
                self._obey()
                while self._goes_on():  # a last wish while the report is written starts another round
                    for stage in STAGES:
                        self._walk(stage)
                    self._obey()
            except (Cancelled, ModelCancelled):
                self._append(self._cancelled())
            self._finish()
        return self.state

    def attend(self) -> ResearchState:
        """Takes what was said about the evidence of a run that nobody works on, and goes no further."""
        with RunLog(self._folder) as self._log:
            self.state = fold(read_log(self._folder))
            for command in read_commands(self._folder, after=self.state.commands_taken):
                if command.kind not in EVIDENCE_COMMANDS:
                    break  # it waits for an engine that goes on with the run, and all after it does
                self._take(command)
            if self.state.ended:
                self._finish()
            else:
                render_files(self._folder, self.state)
        return self.state

    def _goes_on(self) -> bool:
        """Whether something is left to do; what was concluded too early is concluded again."""
        if self.state.ended and stale(self.state):
            self._append(RunResumed(program=__version__))
        return self.state.ended is None

    def _finish(self) -> None:
        """Brings the files up to date. A report that a person edited is checked again as it stands, with what is new in
        it."""
        kept = render_files(self._folder, self.state).kept
        write_draft(self._folder, "")
        if REPORT in kept and self.state.check:
            text = (self._folder / REPORT).read_text(encoding="utf-8", errors="replace")
            check = check_report(text, self.state, self._services.stored_text).check
            if check != self.state.check:
                self._append(ReportVerified(check=check))
                render_files(self._folder, self.state)

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
                if event is not None:
                    self._append(event)
                self._obey()
                if stage.interruptible and self.state.enough:
                    break
            if stage.interruptible:
                write_draft(self._folder, draft(self.state))
            if stage.waits(self.state) and not stage.done(self.state):
                self._hear(stage)
            render_files(self._folder, self.state)
            if self.state.seq == before:
                return

    def _hear(self, stage: Stage) -> None:
        """Waits until the user has said yes, or something else that the stage has to look at."""
        render_files(self._folder, self.state)
        before = self.state.seq
        while not self._agreed and self.state.seq == before and not stage.done(self.state):
            time.sleep(POLL_S)
            self._obey()
        if self._agreed and not stage.done(self.state):
            self._append_all(stage.agree(self.state))

    def _budget(self) -> Budget:
        return Budget(self.state.limits or LIMITS[self.state.depth], self.state)

    def _append(self, event: Event) -> None:
        self._enter(self._log.append(event))

    def _append_all(self, events: Iterable[Event]) -> None:
        for event in events:
            self._append(event)

    def _enter(self, stamped: Event) -> None:
        self.state = apply(self.state, stamped)
        self._on_event(stamped, self.state)

    def _obey(self) -> None:
        self._cancel.check()
        for command in read_commands(self._folder, after=self.state.commands_taken):
            self._take(command)
        self._cancel.check()

    def _take(self, command: Command) -> None:
        taken = CommandTaken(command_seq=command.seq, command=command.kind)
        if command.kind not in WHOLE:
            self._append(taken)
            self._append_all(self._events_of(command))
            return
        events = [taken, *self._events_of(command)]
        if self.state.check and any(isinstance(event, PlanExtended) for event in events):
            keep_version(self._folder, self.state.rounds + 1)
        for stamped in self._log.append_together(events):
            self._enter(stamped)

    def _events_of(self, command: Command) -> Iterator[Event]:
        state = self.state
        match command.kind:
            case "cancel" if state.ended is None:
                self._cancel.cancel()
            case "enough":
                self._agreed = True
            case "approve":
                yield from self._approved(command.value)
            case "answer":
                yield from conversation.answered(state, command.value)
            case "edit_plan":
                yield from conversation.changed_plan(state, command.value, self._folder, self._services)
                if conversation.consents(command.value) and not state.plan_hash:
                    yield from self._approved("")
            case "deepen":
                yield from conversation.deepened(state, command.value)
            case "reject" | "restore" | "correct" | "move":
                yield from changed_evidence(state, command, self._services)

    def _approved(self, seen: str) -> Iterator[Event]:
        """Consent to the plan as it is in plan.md. `seen` is the hash of the plan that was shown, when it is known."""
        if seen and seen != plan_hash(self.state.proposed):
            yield conversation.warning("The plan has changed since it was shown: look at it, and approve it again.")
            return
        yield from conversation.edited_file(self.state, self._folder)
        self._agreed = True

    def _cancelled(self) -> RunEnded:
        return RunEnded(
            outcome="cancelled",
            exit_reason="cancelled",
            detail="Continue with: flori continue FOLDER",
            seconds=round(self.state.worked, 2),
            model_calls=self.state.model_calls,
        )
