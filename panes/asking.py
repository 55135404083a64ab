"""What the next question will become, and the questions before it: shared by every screen that has an ask line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workstation.memory.events import Depth, Format


@dataclass
class Asking:
    """`history` holds each question once, the latest last."""

    depth: Depth = "thorough"
    format: Format = "report"
    history: list[str] = field(default_factory=list)

    def remember(self, questions: Iterable[str]) -> None:
        """Adds questions, oldest first; one that was asked before moves to the end."""
        for question in questions:
            if question in self.history:
                self.history.remove(question)
            if question.strip():
                self.history.append(question)
