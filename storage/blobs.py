"""Original files, each under the sha256 of its bytes: blobs/ab/abcdef..."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from storage.errors import DiskFull, OriginalChanged, StorageError

FOLDER = "blobs"

# Temporary names start with it; whatever bears one when the writer lock is free was left by a writer that died.
PARTIAL = ".partial-"

_HASH = re.compile("[0-9a-f]{64}")
_BLOCK = 1 << 20


def path_of(folder: Path, digest: str) -> Path:
    """Where the original with this hash stands, or would. ValueError for what is not a sha256 in hex."""
    if not _HASH.fullmatch(digest):
        raise ValueError(f"not a sha256 in hex: {digest!r}")
    return folder / FOLDER / digest[:2] / digest


def put(folder: Path, original: bytes | Path, digest: str) -> Path:
    """Keep an original. It appears under its name whole and flushed to the disk, or not at all. OriginalChanged when
    its bytes do not have this hash."""
    target = path_of(folder, digest)
    if target.exists():
        return target
    partial = ""
    try:
        for parent in (folder / FOLDER, target.parent):
            parent.mkdir(mode=0o700, exist_ok=True)
        descriptor, partial = tempfile.mkstemp(prefix=PARTIAL, dir=target.parent)  # mode 0600
        with os.fdopen(descriptor, "wb") as copy:
            found = _copy(original, copy)
            copy.flush()
            os.fsync(copy.fileno())
        if found != digest:
            name = original if isinstance(original, Path) else "These bytes"
            raise OriginalChanged(f"{name}: expected sha256 {digest[:12]}, found {found[:12]}.")
        Path(partial).replace(target)
        partial = ""
        _flush_folder(target.parent)
    except OSError as error:
        if error.errno in (28, 122):  # ENOSPC, EDQUOT
            raise DiskFull(f"{target.parent}: {error.strerror}") from error
        raise StorageError(f"The original could not be kept: {error}") from error
    finally:
        if partial:
            Path(partial).unlink(missing_ok=True)
    return target


def these(folder: Path, digests: Iterable[str]) -> Iterator[Path]:
    """Where originals with these hashes stand, or would; what is no sha256 stands nowhere."""
    yield from (path_of(folder, digest) for digest in set(digests) if _HASH.fullmatch(digest))


def stored(folder: Path) -> Iterator[Path]:
    """Every original, in no order."""
    yield from (path for path in (folder / FOLDER).glob("??/*") if _HASH.fullmatch(path.name))


def partials(folder: Path) -> Iterator[Path]:
    """What writers that died left behind."""
    yield from (folder / FOLDER).glob(f"??/{PARTIAL}*")


def _copy(original: bytes | Path, copy: BinaryIO) -> str:
    if isinstance(original, bytes):
        copy.write(original)
        return hashlib.sha256(original).hexdigest()
    digest = hashlib.sha256()
    with original.open("rb") as source:
        while block := source.read(_BLOCK):
            digest.update(block)
            copy.write(block)
    return digest.hexdigest()


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
