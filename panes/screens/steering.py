"""What a screen can ask of the engine, off the event loop and with every refusal and error said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from panes.asking import Asking
from panes.ports import Engine
from panes.troubles import tell
from workstation.errors import FloriError

if TYPE_CHECKING:
    from textual.screen import Screen

    from panes.following import Snapshot
    from workstation.memory.events import Command, SubQuestion

CONTINUABLE = frozenset({"cancelled", "budget_spent", "model_failed", "unreadable"})
"""Outcomes after which going on can change something."""

EvidenceKind = Literal["reject", "restore", "correct"]
Told = Literal["", "sent", "started"]
"""What became of a command: nothing, sent to the engine that works on the run, or sent and an engine started for it."""


class NotTaken(FloriError):
    title = "The evidence could not be changed"
    hint = "engine.log in the run's folder says why; it is taken when the run goes on"


@dataclass(frozen=True, slots=True)
class Steered:
    """A run as far as steering it goes. `asked` is the question that waits for an answer, `plan` the plan that waits
    for approval, as it was shown; `done`: it has ended and can be asked for more; `open`: how many of its
    sub-questions are not fully answered; `stale`: something is to be written again."""

    folder: Path
    going: bool
    outcome: str = ""
    asked: str = ""
    plan: tuple[SubQuestion, ...] = ()
    done: bool = False
    open: int = 0
    stale: bool = False

    @property
    def continuable(self) -> bool:
        """Whether an engine that is started on it would find something to do."""
        return not self.going and (not self.outcome or self.outcome in CONTINUABLE or self.stale)


def steered(run: Snapshot) -> Steered:
    """The run as it was last read, as far as steering it goes."""
    state = run.state
    return Steered(
        run.folder,
        going=run.life in ("running", "starting"),
        outcome=state.ended.outcome if state.ended and run.life == "ended" else "",
        asked=run.asked.id if run.asked else "",
        plan=state.proposed if run.waiting else (),
        done=run.done,
        open=sum(need.status != "answered" for need in state.needs),
        stale=bool(run.stale),
    )


class Steering:
    """Speaks to the engine for one screen; `say` shows a short answer there."""

    def __init__(self, screen: Screen[Any], engine: Engine, say: Callable[[str], None]) -> None:
        self._screen, self._engine, self._say = screen, engine, say

    def fail(self, error: Exception) -> None:
        """Says what went wrong."""
        tell(self._screen, error)

    async def start(self, question: str, asking: Asking) -> Path | None:
        """Makes a run for `question` and starts its engine; None when it could not be made."""
        try:
            folder = await asyncio.to_thread(self._engine.new_run, question, asking.depth, asking.format, asking.web)
        except (FloriError, OSError) as error:
            self.fail(error)
            return None
        await self._done(self._engine.launch, folder)
        return folder

    async def answer(self, run: Steered, words: str) -> Told:
        """Answers the question that waits; without words the choice is left to the engine."""
        if not run.asked:
            self._say("No question waits for your answer.")
            return ""
        return await self._tell(run, _command("answer", words), "Answered." if words else "Left to flori.")

    async def approve(self, run: Steered) -> Told:
        """Approves the plan that waits, and no other than the one that was shown."""
        if not run.plan:
            self._say("No plan waits for your approval.")
            return ""
        return await self._tell(run, lambda: _approval(run.plan), "Approved.")

    async def change(self, run: Steered, words: str) -> Told:
        """Says what to change in the plan that waits; without words plan.md was edited. Plain consent approves it."""
        if not run.plan:
            self._say("No plan waits for your approval: there is nothing to change.")
            return ""
        consent = bool(words) and await asyncio.to_thread(lambda: _consents(words))
        if consent:
            return await self.approve(run)
        return await self._tell(run, _command("edit_plan", words), "The plan is being changed.")

    async def deepen(self, run: Steered, words: str = "") -> Told:
        """Asks a run that has ended for more: a follow-up question, or without one, all that is not fully answered."""
        if not run.done:
            self._say("The run can be asked for more when it has ended." if not run.outcome else "It had no plan yet.")
        elif not words and not run.open and not run.stale:
            self._say("All is answered. Ask a follow-up question.")
        else:
            return await self._tell(run, _command("deepen", words), "It goes deeper." if not words else "Asked.")
        return ""

    async def tell_run(self, run: Steered | None, kind: Literal["enough", "cancel"]) -> None:
        """Sends a command to a run that is going on."""
        if run is None or not run.going:
            self._say("No engine is at work on this run." if run else "No run is open.")
        elif await self._done(self._engine.send, run.folder, _command(kind)()):
            self._say("Cancelling: what was found is kept." if kind == "cancel" else "Enough: it writes now.")

    async def go_on(self, run: Steered | None) -> bool:
        """Starts an engine on a run that was stopped; true when that was done."""
        if run is None or run.going:
            self._say("The run is going on already." if run else "No run is open.")
        elif not run.continuable:
            self._say("This run is finished.")
        elif await self._done(self._engine.launch, run.folder):
            self._say("The engine is starting.")
            return True
        return False

    async def judge(self, run: Steered, kind: EvidenceKind, note: str, words: str = "") -> bool:
        """Tells the run what becomes of a quote; where no engine is at work, one takes just that. True when it went."""
        try:
            await asyncio.to_thread(self._pass_judgement, run, kind, note, words)
        except (FloriError, OSError) as error:
            tell(self._screen, error)
            return False
        self._say({"reject": "Rejected.", "restore": "Restored.", "correct": "Corrected."}[kind])
        return True

    def _pass_judgement(self, run: Steered, kind: EvidenceKind, note: str, words: str) -> None:
        from workstation.memory.events import Command

        command = Command(kind=kind, note=note, value=words)
        if run.going:
            self._engine.send(run.folder, command)
        elif not self._engine.deliver(run.folder, command) and not self._engine.attend(run.folder):
            raise NotTaken(str(run.folder))

    async def _tell(self, run: Steered, make: Callable[[], Command], said: str) -> Told:
        """Sends the command that `make` makes, and says so; an engine is started where none takes it."""
        try:
            started = await asyncio.to_thread(self._pass_on, run, make)
        except (FloriError, OSError) as error:
            self.fail(error)
            return ""
        self._say(said)
        return "started" if started else "sent"

    def _pass_on(self, run: Steered, make: Callable[[], Command]) -> bool:
        if run.going:
            self._engine.send(run.folder, make())
            return False
        if self._engine.deliver(run.folder, make()):
            return False
        self._engine.launch(run.folder)
        return True

    async def _done(self, call: Callable[..., object], *arguments: object) -> bool:
        try:
            await asyncio.to_thread(call, *arguments)
        except (FloriError, OSError) as error:
            self.fail(error)
            return False
        return True


def _command(
    kind: Literal["answer", "edit_plan", "approve", "enough", "deepen", "cancel"], value: str = ""
) -> Callable[[], Command]:
    """How the command is made, where it is sent."""

    def make() -> Command:
        from workstation.memory.events import Command  # pydantic: not before the first frame

        return Command(kind=kind, value=value)

    return make


def _approval(plan: tuple[SubQuestion, ...]) -> Command:
    """Consent to exactly this plan: one that changed meanwhile is not approved unseen."""
    from workstation.planning.planner import plan_hash  # the stop words of all languages: not before it is needed

    return _command("approve", plan_hash(plan))()


def _consents(words: str) -> bool:
    """Whether words about a plan are nothing but a yes."""
    from workstation.planning.talking import Said, read

    return words.casefold() == "y" or read(words) == Said(approve=True)
