"""What panes tell their screen. A pane never acts on another pane, on the run or on the application."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from panes.citations import Citation
    from panes.run_view import Snapshot


class StateChanged(Message):
    """The run's folder changed: its folded state, the text being written, and whether an engine works on it."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__()
        self.snapshot = snapshot


class QuestionAsked(Message):
    """A question was entered on the ask line."""

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question


class NeedOpened(Message):
    """A sub-question of the plan was chosen."""

    def __init__(self, need: str) -> None:
        super().__init__()
        self.need = need


class SourceOpened(Message):
    """A source was chosen, by its citation number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class NoteOpened(Message):
    """A line of the evidence was chosen."""

    def __init__(self, note: str) -> None:
        super().__init__()
        self.note = note


class CitationFollowed(Message):
    """The way from a citation to its evidence was asked for."""

    def __init__(self, citation: Citation) -> None:
        super().__init__()
        self.citation = citation


class AskLeft(Message):
    """The ask line was left: the keyboard goes back to where it came from."""


class RunOpened(Message):
    """A run is to be shown; `launched` says that its engine was just started."""

    def __init__(self, folder: Path, *, launched: bool = False) -> None:
        super().__init__()
        self.folder, self.launched = folder, launched
