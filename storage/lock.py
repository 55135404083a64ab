"""One writer at a time: an OS lock on a file. The kernel drops it when the holder dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from storage.errors import LibraryBusy, NotWritable


class WriterLock:
    """Held from construction to `release()`. LibraryBusy at once, with the holder's process id, when another has it."""

    def __init__(self, path: Path) -> None:
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise NotWritable(f"{path}: {error.strerror}") from error
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._fd, 32, 0).decode("ascii", "replace").strip()
            os.close(self._fd)
            raise LibraryBusy(f"Process {holder or 'unknown'} is writing to {path.parent}.") from None
        except OSError as error:
            os.close(self._fd)
            raise NotWritable(f"{path} cannot be locked: {error.strerror}") from error
        os.ftruncate(self._fd, 0)
        os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let the next writer in. The file stays: unlinking it would let two writers lock two files of one name."""
        if self._fd >= 0:
            os.ftruncate(self._fd, 0)
            os.close(self._fd)
            self._fd = -1
