"""A command of `flori` run for the screen, as a process of its own: what it answers is one JSON document."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from panes.ports import Options
from workstation.errors import FloriError

ANSWERED = (0, 1)
"""Exit states after which there is a document: done, and done but nothing was found or the check failed."""


class CommandFailed(FloriError):
    title = "The command failed"
    hint = "Run it yourself to see more"

    def __init__(self, title: str, what: str, hint: str) -> None:
        super().__init__(what)
        self.title, self.hint = title or type(self).title, hint or type(self).hint


def flori(options: Options, *arguments: str) -> Mapping[str, Any]:
    """The document that `flori --json ARGUMENTS` prints. Blocks until it has ended."""
    places = ["--library", str(options.library), "--reports", str(options.reports), "--models", str(options.models)]
    given = [*places, *(["--offline"] if options.offline else []), "--json"]
    command = [sys.executable, "-P", "-m", "workstation", *given, *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, start_new_session=True)
    if done.returncode in ANSWERED:
        try:
            document = json.loads(done.stdout)
        except ValueError:
            document = None
        if isinstance(document, dict):
            return document
    raise _failed(done.stderr.decode(errors="replace"), done.returncode)


def _failed(complaint: str, status: int) -> CommandFailed:
    """The notice that the command ended with: its title behind the program's name, then what and hint."""
    _, begun, notice = complaint.rpartition("flori: ")
    title, what, hint, *_ = [*(line.strip() for line in notice.splitlines()), "", "", ""]
    return CommandFailed(title, what, hint) if begun else CommandFailed("", f"exit status {status}", "")
