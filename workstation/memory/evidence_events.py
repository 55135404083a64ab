"""What a person does to the evidence of a run, and what is taken back because of it. Nothing is deleted: the log keeps
what was found, and what became of it.
"""

from __future__ import annotations

from typing import Literal

from workstation.memory.base import EventBase, Place


class NoteRejected(EventBase):
    """A quote is no evidence any more. `along`: the note that was named, when this one holds the same words."""

    type: Literal["note_rejected"] = "note_rejected"
    id: str
    need: str
    reason: str = ""
    along: str = ""


class NoteRestored(EventBase):
    """A rejected quote is again what it was."""

    type: Literal["note_restored"] = "note_restored"
    id: str
    need: str


class NoteCorrected(EventBase):
    """Another span of the same source version stands in place of a quote; it was found there word for word."""

    type: Literal["note_corrected"] = "note_corrected"
    id: str
    need: str
    quote: str
    place: Place


class NoteMoved(EventBase):
    """A quote belongs to another sub-question: `need`."""

    type: Literal["note_moved"] = "note_moved"
    id: str
    need: str


class ThesisWithdrawn(EventBase):
    """Nothing carries this claim any more."""

    type: Literal["thesis_withdrawn"] = "thesis_withdrawn"
    id: str
    need: str


class ParagraphWithdrawn(EventBase):
    """A paragraph of which nothing is left."""

    type: Literal["paragraph_withdrawn"] = "paragraph_withdrawn"
    id: str
    need: str = ""
