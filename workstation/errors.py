"""What can go wrong in the workstation itself. Storage and models have their own trees; `problems` shows all of them.

    FloriError
      BadInput             something the user gave cannot be used
        NotAvailable       asked for something that this version or this installation cannot do
          Offline          asked for a page, and the network is switched off
        BadSetting         a value that a setting cannot have
          BadFile          a mistake in config.toml
          BadVariable      one in an environment variable
      NothingFound         the work was done and has no result

Modules add their own below these, next to what raises them.
"""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The command line's exit status. Scripts depend on it: add, never change."""

    DONE = 0
    NEGATIVE = 1  # done, but the check failed or nothing was found
    USAGE = 2
    INPUT = 3
    MODEL = 4  # a model is missing or broken
    BUSY = 5  # another process is writing
    INTERNAL = 70  # an error in the program itself (sysexits' EX_SOFTWARE)
    INTERRUPTED = 130


class FloriError(Exception):
    """`title` says what happened, the message (str) says to what, `hint` says what to do next."""

    title = "The work could not be done"
    hint = ""
    exit_code: int = Exit.INPUT


class BadInput(FloriError):
    title = "This cannot be used"


class NotAvailable(BadInput):
    title = "This is not available"


class Offline(NotAvailable):
    title = "The network is switched off"
    hint = "Leave out --offline (or FLORI_OFFLINE, or the setting) to fetch pages"


class BadSetting(BadInput):
    title = "A setting cannot be used"
    hint = "Run: flori config"


class BadFile(BadSetting):
    """Every command reads the file first, so that none of them can mend it."""

    title = "The settings file has a mistake"
    hint = "Open the file in an editor, and mend that line or take it out"


class BadVariable(BadSetting):
    hint = "Give that environment variable another value, or unset it"


class NothingFound(FloriError):
    title = "Nothing was found"
    exit_code = Exit.NEGATIVE
