"""Talking to the run that is open: its questions, its plan, going deeper. The ask line follows what it waits for."""

from __future__ import annotations

from abc import abstractmethod

from textual.app import SuspendNotSupported

from panes import editor
from panes.messages import OptionChosen, Said
from panes.purpose import ASK, Kind, Purpose, purpose_of
from panes.run_view import RunView, Snapshot
from panes.screens.asking import AskingScreen
from panes.screens.steering import Steered, Told, steered
from panes.troubles import tell
from panes.widgets.ask import AskInput, AskLine

PLAN_FILE = "plan.md"


class TalkingScreen(AskingScreen):
    """Tells the run what the user says to it, on the ask line or with a key."""

    _asks_new = False
    """Whether the ask line is for a new question, whatever the run waits for."""
    _answered = ""
    """The question of the run that an answer is on its way to."""
    _kind: Kind = "ask"
    _aside: Purpose | None = None
    """What the ask line is for meanwhile, whatever the run waits for."""

    @property
    @abstractmethod
    def snapshot(self) -> Snapshot:
        """The run that is open, as it is shown."""

    @abstractmethod
    def leave_ask(self, pane: str = "") -> None:
        """Gives the keyboard to a pane, or to the one that had it."""

    def follow_purpose(self, *, now: bool = False) -> None:
        """Makes the ask line serve what the run waits for, or a new question where that was wanted."""
        line, purpose = self.query_one(AskLine), purpose_of(self.snapshot)
        if purpose.kind != self._kind and not self.asks:
            self._asks_new = False  # the run waits for something else by now, and nobody is about to ask
        self._kind = purpose.kind
        line.offer(self._aside or (ASK if self._asks_new else purpose), now=now)

    async def take(self, said: Said) -> None:
        """What was said on the ask line: a new question, or something to the run."""
        run = self._steered()
        match said.kind:
            case "answer":
                told = await self._answer(run, said.text)
            case "change":
                told = await (self._steer.change(run, said.text) if said.text else self._steer.approve(run))
            case "follow":
                told = await self._steer.deepen(run, said.text)
            case _:
                await super().take(said)
                return
        if told:
            self._told(told)
            self.query_one(AskInput).taken(said.text)
            if said.kind == "follow" or not said.text:
                self.leave_ask("plan")
        self.follow_purpose(now=not told)  # what was refused had another meaning when it was typed

    async def on_option_chosen(self, event: OptionChosen) -> None:
        self._told(await self._answer(self._steered(), event.number))

    async def action_approve(self) -> None:
        self._told(await self._steer.approve(self._steered()))

    async def action_deepen(self) -> None:
        self._told(await self._steer.deepen(self._steered()))

    async def action_enough(self) -> None:
        await self._steer.tell_run(self._steered(), "enough")

    async def action_cancel(self) -> None:
        await self._steer.tell_run(self._steered(), "cancel")

    async def action_continue(self) -> None:
        if await self._steer.go_on(self._steered()):
            self._told("started")

    def action_follow_up(self) -> None:
        """Goes to the ask line for a follow-up question."""
        if self.snapshot.done:
            self._asks_new = False
            self.follow_purpose(now=True)
            self.action_ask()
        else:
            self._say("A follow-up question can be asked when the run has ended.")

    def action_new_question(self) -> None:
        """From talking to the run to a new question and, in the ask line, back."""
        self._asks_new = not (self.asks and self._asks_new)
        self.follow_purpose(now=True)
        self.action_ask()

    async def action_edit_plan(self) -> None:
        """Opens plan.md in the user's editor, and tells the run when it was changed there."""
        path = self.snapshot.folder / PLAN_FILE
        if not self.snapshot.waiting:
            self._say("No plan waits for your approval: there is nothing to edit.")
        elif not editor.command():
            self._say(f"No editor is named: set VISUAL or EDITOR. The file: {path}")
        else:
            try:
                if editor.edit(self.app, path):
                    self._told(await self._steer.change(self._steered(), ""))
                else:
                    self._say("plan.md is as it was.")
            except SuspendNotSupported:
                self._say(f"This terminal cannot be given to an editor. The file: {path}")
            except OSError as error:
                tell(self, error)

    async def _answer(self, run: Steered, words: str) -> Told:
        """Answers once: a second Enter comes before the run has heard the first."""
        if run.asked and run.asked == self._answered:
            return ""
        told = await self._steer.answer(run, words)
        self._answered = run.asked if told else ""
        return told

    def _told(self, told: Told) -> None:
        if told == "started":
            self.query_one(RunView).expect_engine()

    def _steered(self) -> Steered:
        return steered(self.snapshot)
