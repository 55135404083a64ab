"""Keeping the library: what is read into it by jobs, and what is taken out and put back. The screen itself writes
nothing: a job and a change are processes of their own."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from panes.ports import Options
from panes.troubles import LookupFailed

if TYPE_CHECKING:
    from workstation.jobs.listing import Watch
    from workstation.jobs.state import Job

CHANGE_S = 60.0
"""Taking out a source of a thousand passages takes a second."""


class Keeper(Protocol):
    """All calls may touch the disk: screens make them off the event loop. `removed`: the sources (with their titles)
    that were taken out since the workstation was opened, and can be put back, the last one at the end."""

    removed: list[tuple[int, str]]

    def jobs(self) -> Sequence[Job]:
        """The jobs of the library as they stand, newest first, whoever started them."""

    def add(self, line: str) -> Path:
        """Begins to read what a typed line names; the job's folder."""

    def resume(self, folder: Path) -> None:
        """Goes on with a job that did not come to its end."""

    def cancel(self, folder: Path) -> None:
        """Stops a job, or gives up one that was interrupted."""

    def remove(self, source: int) -> None: ...
    def restore(self, source: int) -> None: ...


class LocalKeeper:
    """The library on this machine."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.removed: list[tuple[int, str]] = []
        self._watch: Watch | None = None
        self._one_at_a_time = threading.Lock()

    def jobs(self) -> Sequence[Job]:
        from workstation.jobs.listing import Watch

        with self._one_at_a_time:
            self._watch = self._watch or Watch(self._options.library)
            return self._watch.look()

    def add(self, line: str) -> Path:
        from workstation.jobs.launch import start
        from workstation.jobs.naming import named_in

        return start(self._options, named_in(line))

    def resume(self, folder: Path) -> None:
        from workstation.jobs.launch import resume

        resume(folder, self._options)

    def cancel(self, folder: Path) -> None:
        from workstation.jobs.launch import give_up

        give_up(folder)

    def remove(self, source: int) -> None:
        self._change("remove", source)

    def restore(self, source: int) -> None:
        self._change("restore", source)

    def _change(self, verb: str, source: int) -> None:
        options = self._options
        folders = ["--library", str(options.library), "--models", str(options.models), "--offline"]
        command = [sys.executable, "-P", "-m", "workstation", *folders, "sources", verb, str(source)]
        title = "The library could not be changed"
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=CHANGE_S, check=False)
        except subprocess.TimeoutExpired:
            raise LookupFailed(title, f"no answer within {CHANGE_S:.0f} s", "Try again") from None
        if done.returncode:
            said = [line.strip() for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
            told = next((at for at, line in enumerate(said) if line.startswith("flori: ")), 0)
            first, *rest = said[told:] or [title]
            raise LookupFailed(first.removeprefix("flori: "), " ".join(rest[:-1]), rest[-1] if rest else "")
