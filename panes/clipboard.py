"""Copying to where the user can paste from: the tmux buffer or the terminal (OSC 52), and always a file as well.

No terminal says whether it took what it was sent (many must be told to allow it), so the file is always named.
"""

from __future__ import annotations

import base64
import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from workstation.core.text import printable
from workstation.paths import private_folder, state_dir

FILE = "copied.txt"
MOST = 74_994
"""Bytes of text that a terminal is sent: 100,000 bytes of sequence, which is what common terminals accept."""
SCREEN_PART = 76
"""Base64 characters in one string that GNU screen passes on: it drops strings of more than 768 bytes."""
TMUX_S = 3.0


@dataclass(frozen=True, slots=True)
class Copied:
    """What became of a text. `file` holds it, None when none could be written; `trouble` is why a part did not work."""

    file: Path | None
    trouble: str = ""

    def said(self, what: str) -> str:
        """The answer in a line: Copied: quote [3] (also in ~/.local/state/florilegium/copied.txt)"""
        if self.file is None:
            return f"Copied: {what} (no file: {self.trouble})"
        place = _short(self.file)
        return f"Only in {place}: {what} ({self.trouble})" if self.trouble else f"Copied: {what} (also in {place})"


def copy(text: str, send: Callable[[str], None] | None, env: Mapping[str, str] | None = None) -> Copied:
    """Copies `text`, control characters made visible. `send` writes to the terminal; None: there is none to write to.

    Under tmux the text goes to its newest buffer, and from there to the terminal if tmux may (set-clipboard).
    """
    env = os.environ if env is None else env
    text = printable(text)
    file, trouble = _keep(text)
    if env.get("TMUX") and _to_tmux(text, env):
        return Copied(file, trouble)
    if send is None or env.get("TERM", "") in ("", "dumb", "unknown", "linux"):
        return Copied(file, trouble or "this terminal has no clipboard")
    size = len(text.encode())
    if size > MOST:
        return Copied(file, trouble or f"{size:,} bytes; a terminal takes {MOST:,}")
    send(_sequence(text, screen="STY" in env or env.get("TERM", "").startswith("screen")))
    return Copied(file, trouble)


def _sequence(text: str, *, screen: bool) -> str:
    """OSC 52; through GNU screen in strings that it passes on to the terminal below."""
    data = base64.b64encode(text.encode()).decode()
    if not screen:
        return f"\x1b]52;c;{data}\x07"
    parts = [data[at : at + SCREEN_PART] for at in range(0, len(data), SCREEN_PART)] or [""]
    return "\x1bP\x1b]52;c;" + "\x1b\\\x1bP".join(parts) + "\x07\x1b\\"


def _to_tmux(text: str, env: Mapping[str, str]) -> bool:
    """Whether tmux took it. An old one (before 3.2) has no -w and keeps the text in its buffer alone."""
    tmux = shutil.which("tmux", path=env.get("PATH"))
    for options in (("-w",), ()) if tmux else ():
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            command = [str(tmux), "load-buffer", *options, "-"]
            done = subprocess.run(
                command, input=text.encode(), capture_output=True, env=dict(env), timeout=TMUX_S, check=False
            )
            if done.returncode == 0:
                return True
    return False


def _keep(text: str) -> tuple[Path | None, str]:
    """Writes the file, readable by its owner alone; or says why that was not possible."""
    path = state_dir() / FILE
    half = path.with_name(f".{FILE}-{os.getpid()}")
    try:
        private_folder(path.parent)
        half.unlink(missing_ok=True)
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(text.encode())
        half.replace(path)
    except OSError as error:
        return None, error.strerror or str(error)
    return path, ""


def _short(path: Path) -> str:
    with contextlib.suppress(ValueError, RuntimeError):
        return f"~/{path.relative_to(Path.home())}"
    return str(path)
