"""Why a file could not be read.

ContentError
  Unreadable       the file is damaged, encrypted or too large: it counts as failed
  NothingToRead    there is nothing in it for the library (empty, or a kind without a reader): it is skipped
    ReaderMissing    a reader exists, in a part of the program that is not installed
"""

from __future__ import annotations


class ContentError(Exception):
    """`reason` is one line in plain words."""

    title = "The file could not be read"
    hint = "Look at it in another program, or leave it out"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreadable(ContentError):
    """A reader exists for this kind of file, but this one defeats it."""


class NothingToRead(ContentError):
    """The file holds no text that a reader could take."""

    title = "There is nothing to read in the file"
    hint = "No action is needed"


class ReaderMissing(NothingToRead):
    """The library that reads this kind of file is not installed. `reason` ends with the command that installs it."""

    title = "A reader is not installed"
    hint = "Install it, then ingest the file again"

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} need a reader that is not installed: {INSTALL}'florilegium[{extra}]'")


INSTALL = "pip install "
