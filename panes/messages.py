"""What panes tell their screen. A pane never acts on another pane, on the run or on the application."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from panes.citations import Citation
    from panes.purpose import Kind
    from panes.run_view import Snapshot
    from workstation.config import Config


class StateChanged(Message):
    """The run's folder changed: its folded state, the text being written, and whether an engine works on it."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__()
        self.snapshot = snapshot


class Said(Message):
    """Something was entered on the ask line, for what the line says that it is for. `text` may be empty."""

    def __init__(self, kind: Kind, text: str) -> None:
        super().__init__()
        self.kind: Kind = kind
        self.text = text


class PurposeChanged(Message):
    """What Enter does on the ask line is something else."""


class OptionChosen(Message):
    """One of the likely answers to a clarifying question was chosen, by its number; none: the choice is left to us."""

    def __init__(self, number: str) -> None:
        super().__init__()
        self.number = number


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


class UsesAsked(Message):
    """Every claim that uses a source was asked for, by its citation number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class NoteOpened(Message):
    """A line of the evidence was chosen."""

    def __init__(self, note: str) -> None:
        super().__init__()
        self.note = note


class NoteJudged(Message):
    """A quote is to be rejected (or, when it is, restored), or corrected."""

    def __init__(self, note: str, how: Literal["reject", "correct"]) -> None:
        super().__init__()
        self.note = note
        self.how: Literal["reject", "correct"] = how


class PlanEdited(Message):
    """A line of the plan that waits is to be changed, dropped or moved (`by` lines), or one to be added, or the last
    change to be taken back."""

    def __init__(self, how: Literal["change", "drop", "move", "add", "undo"], line: str = "", by: int = 0) -> None:
        super().__init__()
        self.how: Literal["change", "drop", "move", "add", "undo"] = how
        self.line, self.by = line, by


class WhyAsked(Message):
    """Why a line of the evidence was found, and others were not, was asked for."""

    def __init__(self, note: str) -> None:
        super().__init__()
        self.note = note


class CitationFollowed(Message):
    """The way from a citation to its evidence was asked for."""

    def __init__(self, citation: Citation) -> None:
        super().__init__()
        self.citation = citation


class CopyAsked(Message):
    """`text` is to be copied to where the user can paste it from; `what` says what it is, for the answer."""

    def __init__(self, text: str, what: str) -> None:
        super().__init__()
        self.text, self.what = text, what


class AskLeft(Message):
    """The ask line was left: the keyboard goes back to where it came from."""


class RunOpened(Message):
    """A run is to be shown; `launched` says that its engine was just started."""

    def __init__(self, folder: Path, *, launched: bool = False) -> None:
        super().__init__()
        self.folder, self.launched = folder, launched


class CatalogueAsked(Message):
    """The library's list of sources was asked for: of all, or of those about something."""

    def __init__(self, question: str, about: str) -> None:
        super().__init__()
        self.question, self.about = question, about


class PlaceFound(Message):
    """A place in the library was asked for, and the look-up found it: its `ask` document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        super().__init__()
        self.document = document


class SettingsChanged(Message):
    """A setting or a key was changed in the file; `config` is what it says with the environment and the options."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config


class LibraryChosen(Message):
    """The workstation is to work on another library; None: on the one that it was started with."""

    def __init__(self, library: Path | None) -> None:
        super().__init__()
        self.library = library
