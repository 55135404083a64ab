"""Is a model file the one that the registry names?

Hashing 100 MB takes about 0.1 s and a large generator several seconds, so a file is hashed once and then recognised by
its stamp: size, modification time, change time and inode. Writing to a file moves at least one of the times even when
the size stays the same; the change time cannot be set back by a program.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Literal

from local_models.errors import ModelFileCorrupt, ModelMissing
from local_models.manifest import ModelFile, write_atomically

STAMPS = ".verified.json"
Stamp = list[int | str]
Health = Literal["verified", "not verified", "damaged", "missing"]
"""Best first. Not verified: there, with the right size, but its hash was not compared since it last changed."""
WORST = ("missing", "damaged", "not verified", "verified")


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class Integrity:
    """Checks files below one models folder, remembering which were already hashed."""

    def __init__(self, models_dir: Path) -> None:
        self._dir = models_dir
        self._stamps = self._read()

    def check(self, file: ModelFile, *, full: bool = False) -> Path:
        """The path of a file that is there and whole. full: hash it even if its stamp is known.

        Raises ModelMissing or ModelFileCorrupt, each naming the file.
        """
        path = self._dir / file.name
        try:
            status = path.stat()
        except FileNotFoundError as error:
            raise ModelMissing(f"{path} is not there") from error
        if status.st_size != file.size:
            raise ModelFileCorrupt(f"{path} has {status.st_size:,} bytes, expected {file.size:,}")
        stamp = _stamp(status, file)
        if full or self._stamps.get(file.name) != stamp:
            if sha256_of(path) != file.sha256:
                self._forget(file.name)
                raise ModelFileCorrupt(f"{path} has another content than the registry says (SHA-256 differs)")
            self._remember(file.name, stamp)
        return path

    def look(self, file: ModelFile) -> Health:
        """How a file is, as far as that can be said without reading it."""
        try:
            status = (self._dir / file.name).stat()
        except OSError:
            return "missing"
        if status.st_size != file.size:
            return "damaged"
        return "verified" if self._stamps.get(file.name) == _stamp(status, file) else "not verified"

    def _remember(self, name: str, stamp: Stamp) -> None:
        self._stamps[name] = stamp
        self._write()

    def _forget(self, name: str) -> None:
        if self._stamps.pop(name, None) is not None:
            self._write()

    def _read(self) -> dict[str, Stamp]:
        try:
            stamps = json.loads((self._dir / STAMPS).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return stamps if isinstance(stamps, dict) else {}

    def _write(self) -> None:
        with suppress(OSError):  # a read-only models folder: this process remembers, the next one hashes again
            write_atomically(self._dir / STAMPS, json.dumps(self._stamps, indent=1).encode())


def _stamp(status: os.stat_result, file: ModelFile) -> Stamp:
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, file.sha256]
