"""Work beside the workstation: one ingest after another, each in its own process."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from benchlib.material import Material

LOOK_S = 0.1


class Ingests:
    """Use as a context manager: they go on until its end."""

    def __init__(self, material: Material) -> None:
        self._material = material
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _work(self) -> None:
        for command in self._commands():
            if self._over.is_set():
                return
            self._run(command)

    def _commands(self) -> Iterator[list[str]]:
        """Copies of the documents under ever new names, so that there is always something to read."""
        while True:
            folder = Path(tempfile.mkdtemp(prefix="more-", dir=self._material.home))
            for document in self._material.documents:
                shutil.copy(document, folder / document.name)
            yield self._material.flori("--quiet", "ingest", folder)

    def _run(self, command: list[str]) -> None:
        process = subprocess.Popen(
            command,
            env=self._material.environment,
            cwd=self._material.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None:
            if self._over.wait(LOOK_S):
                process.terminate()
                process.wait()
