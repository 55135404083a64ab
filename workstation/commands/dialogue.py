"""What a run asks its user, on a terminal or from a file of answers: clarifying questions, and consent to the plan."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import click

from workstation.core.text import one_line
from workstation.errors import BadInput
from workstation.memory.events import ClarificationAnswered, ClarificationAsked, Command, Event, PlanProposed, Warned
from workstation.memory.log import send
from workstation.memory.projections import PLAN
from workstation.memory.state import ResearchState

CONSENT = "Start? Enter: yes, n: no, e: edit plan.md, or say what to change"


class Replies(Protocol):
    """Where the user's words come from; an empty reply leaves the choice to us, or agrees."""

    def reply(self, asked: str) -> str: ...


class Terminal:
    """Asks on stderr, so that stdout stays free for the report."""

    def reply(self, asked: str) -> str:
        answer: str = click.prompt(asked, default="", show_default=False, err=True)
        return answer


class Prepared:
    """Answers from a file, one a line, in the order in which they are asked for; afterwards everything is agreed to."""

    def __init__(self, path: Path) -> None:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{path}: {error}") from error
        self._lines: Iterator[str] = iter(lines)

    def reply(self, asked: str) -> str:
        return next(self._lines, "").strip()


class Dialogue:
    """Hears the run's events and sends what the user says to them."""

    def __init__(self, folder: Path, replies: Replies) -> None:
        self._folder, self._replies = folder, replies

    def hear(self, event: Event, state: ResearchState) -> None:
        if isinstance(event, ClarificationAsked | ClarificationAnswered):
            self._clarify(state)
        elif isinstance(event, PlanProposed) or (isinstance(event, Warned) and state.proposed and not state.plan_hash):
            self._agree()

    def _clarify(self, state: ResearchState) -> None:
        asked = state.waiting_for()
        if asked is None:
            return
        print(one_line(asked.text), file=sys.stderr)
        for number, option in enumerate(asked.options, start=1):
            print(f"  {number}. {one_line(option)}", file=sys.stderr)
        answer = self._replies.reply("A number, your own words, or Enter: all of them")
        send(self._folder, Command(kind="answer", value=answer))

    def _agree(self) -> None:
        answer = self._replies.reply(CONSENT)
        match answer.strip().casefold():
            case "" | "y" | "yes":
                command = Command(kind="approve")
            case "n" | "no":
                command = Command(kind="cancel")
            case "e" | "edit":
                click.edit(filename=str(self._folder / PLAN))
                command = Command(kind="edit_plan")
            case _:
                command = Command(kind="edit_plan", value=answer)
        send(self._folder, command)
