"""A file or a fetched page on its way into the library."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workstation.content.errors import Unreadable

HEAD_BYTES = 4096  # enough for every signature, and for the tags of a page behind a long comment
HELD_BYTES = 64 << 20  # up to here a file is read once and kept, so that its hash and its text are of one moment


class Document:
    """Bytes with a name. `path` is what the library calls it; `origin` is the URL it came from, if any.

    Reading raises Unreadable when the file system refuses.
    """

    def __init__(
        self, path: str, *, file: Path | None = None, data: bytes | None = None, origin: str | None = None
    ) -> None:
        if (file is None) == (data is None):
            raise ValueError("a document has either a file or data")
        self.path = path
        self.file = file
        self.origin = origin
        self.name = file.name if file is not None else path.split("?")[0].split("#")[0].rstrip("/").rsplit("/", 1)[-1]
        self._data = data
        self._digest: str | None = None

    @property
    def stem(self) -> str:
        """The name as a person would say it: no suffix, blanks for underscores."""
        return " ".join(Path(self.name).stem.replace("_", " ").split()) or self.name

    @property
    def size(self) -> int:
        if self._data is not None:
            return len(self._data)
        assert self.file is not None
        try:
            return self.file.stat().st_size
        except OSError as error:
            raise Unreadable(_why(error)) from error

    def head(self) -> bytes:
        if self._data is not None:
            return self._data[:HEAD_BYTES]
        assert self.file is not None
        try:
            with self.file.open("rb") as stream:
                return stream.read(HEAD_BYTES)
        except OSError as error:
            raise Unreadable(_why(error)) from error

    def read(self) -> bytes:
        """All bytes; kept until `release`."""
        if self._data is None:
            assert self.file is not None
            try:
                self._data = self.file.read_bytes()
            except OSError as error:
                raise Unreadable(_why(error)) from error
        return self._data

    def sha256(self) -> str:
        """Hex digest of the bytes; kept until `release`."""
        if self._digest is None:
            self._digest = self._hashed()
        return self._digest

    def _hashed(self) -> str:
        if self._data is not None or self.size <= HELD_BYTES:
            return hashlib.sha256(self.read()).hexdigest()
        assert self.file is not None
        try:
            with self.file.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise Unreadable(_why(error)) from error

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """A file with the bytes, for as long as the context lasts."""
        if self.file is not None:
            yield self.file
            return
        with tempfile.NamedTemporaryFile(suffix=Path(self.name).suffix) as copy:
            copy.write(self.read())
            copy.flush()
            yield Path(copy.name)

    def release(self) -> None:
        """Lets go of bytes that can be read again."""
        if self.file is not None:
            self._data = self._digest = None


def _why(error: OSError) -> str:
    return f"cannot be opened: {(error.strerror or type(error).__name__).lower()}"
