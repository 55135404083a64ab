"""The user's own editor on a file: the workstation gives it the terminal, and takes it back when it is closed."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

from textual.app import App


def command() -> list[str]:
    """How the user's editor is started; empty when none is named."""
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        return shlex.split(named)
    except ValueError:  # a quotation mark that is not closed
        return [named]


def edit(app: App[Any], path: Path) -> bool:
    """Opens the file and waits; whether it is another one afterwards.

    Raises OSError when the file or the editor is not there, SuspendNotSupported where the terminal cannot be lent.
    """
    before = path.read_bytes()
    with app.suspend():
        subprocess.run([*command(), str(path)])
    return path.read_bytes() != before
