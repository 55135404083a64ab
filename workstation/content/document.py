"""A file, a fetched page, or a part of a container (a message of a mailbox, a page of an archive) on its way into the
library."""

from __future__ import annotations

import hashlib
import io
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from workstation.content.errors import ContentError, Unreadable

HEAD_BYTES = 4096  # enough for every signature, and for the tags of a page behind a long comment
HELD_BYTES = 64 << 20  # up to here a file is read once and kept, so that its hash and its text are of one moment
INSIDE = "!/"  # between a container's path and the name of what is in it: mail.mbox!/abc@example.org!/report.pdf
_NAME_CHARACTERS = 300
_BLOCK = 1 << 20
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # controls, and marks that turn text


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a document from elsewhere: from the catalogue that lists it, or the archive that holds it."""

    title: str | None = None
    date: str | None = None
    meta: Mapping[str, str] = field(default_factory=dict)


class Document:
    """Bytes with a name. `path` is what the library calls it; `origin` is the URL it came from, if any; `container` is
    the document that it is a part of, `depth` how many there are around it.

    Reading raises Unreadable when the file system refuses, or `error` if the document came with one.
    """

    def __init__(
        self,
        path: str,
        *,
        file: Path | None = None,
        data: bytes | None = None,
        error: ContentError | None = None,
        origin: str | None = None,
        name: str | None = None,
        about: About | None = None,
        container: Document | None = None,
    ) -> None:
        if sum(part is not None for part in (file, data, error)) != 1:
            raise ValueError("a document has either a file, or data, or an error")
        self.path = path
        self.file = file
        self.origin = origin
        self.name = name or (file.name if file is not None else _last(path))
        self.about = about or About()
        self.container = container
        self.depth: int = container.depth + 1 if container else 0
        self._data = data
        self._error = error
        self._digest: str | None = None
        self._size: int | None = None

    def member(
        self,
        name: str,
        data: bytes | None = None,
        *,
        error: ContentError | None = None,
        origin: str | None = None,
        about: About | None = None,
        suffix: str = "",
    ) -> Document:
        """A part of this document. `suffix` says what it is where its name does not."""
        label = _UNSEEN.sub("", name).replace(INSIDE, "!")[:_NAME_CHARACTERS].strip() or "unnamed"
        last = _last(label)
        if suffix and not last.lower().endswith(suffix):
            last += suffix
        path = f"{self.path}{INSIDE}{label}"
        return Document(path, data=data, error=error, origin=origin, name=last, about=about, container=self)

    @property
    def outermost(self) -> Document:
        """The file that holds this document, or the document itself."""
        return self if self.container is None else self.container.outermost

    @property
    def stem(self) -> str:
        """The name as a person would say it: no suffix, blanks for underscores."""
        return " ".join(Path(self.name).stem.replace("_", " ").split()) or self.name

    @property
    def size(self) -> int:
        if self._data is not None:
            return len(self._data)
        if self._size is not None:
            return self._size
        if self._error is not None:
            return 0
        assert self.file is not None
        try:
            return self.file.stat().st_size
        except OSError as error:
            raise Unreadable(_why(error)) from error

    def head(self) -> bytes:
        if self._data is not None:
            return self._data[:HEAD_BYTES]
        with self.stream() as stream:
            return stream.read(HEAD_BYTES)

    def stream(self) -> BinaryIO:
        """The bytes from their start, for those who read a large file piece by piece."""
        if self._data is not None:
            return io.BytesIO(self._data)
        if self._error is not None:
            raise self._error
        assert self.file is not None
        try:
            return self.file.open("rb")
        except OSError as error:
            raise Unreadable(_why(error)) from error

    def read(self) -> bytes:
        """All bytes; kept until `release`."""
        if self._data is None:
            try:
                with self.stream() as stream:
                    self._data = stream.read()
            except OSError as error:
                raise Unreadable(_why(error)) from error
        return self._data

    def sha256(self) -> str:
        """Hex digest of the bytes; kept until `release`."""
        if self._digest is None:
            self._digest = self._hashed()
        return self._digest

    def _hashed(self) -> str:
        if self._data is not None or (self._error is None and self.size <= HELD_BYTES):
            return hashlib.sha256(self.read()).hexdigest()
        try:
            with self.stream() as stream:
                digest = hashlib.sha256()
                while block := stream.read(_BLOCK):
                    digest.update(block)
                return digest.hexdigest()
        except OSError as error:
            raise Unreadable(_why(error)) from error

    @property
    def held(self) -> int:
        """Bytes in memory that cannot be let go of before the document is stored."""
        return len(self._data) if self._data is not None and self.file is None else 0

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

    def forget(self) -> None:
        """Lets go of the bytes for good, where nothing more will be asked but their number."""
        if self._data is not None:
            self._size = len(self._data)
            self._data = None
            if self.file is None:
                self._error = Unreadable("it is not in memory any more")


def containers(path: str) -> list[str]:
    """The paths of the containers that a document with this path may lie in, outermost first. A folder's name may end
    with "!", so that only the file system knows."""
    found = []
    at = path.find(INSIDE)
    while at >= 0:
        found.append(path[:at])
        at = path.find(INSIDE, at + len(INSIDE))
    return found


def _last(path: str) -> str:
    """The last part of a path or a URL. A file's name may hold a ? or a #, a URL's does not."""
    if "://" in path:
        path = path.split("?")[0].split("#")[0]
    return path.rstrip("/").rsplit("/", 1)[-1]


def _why(error: OSError) -> str:
    return f"cannot be opened: {(error.strerror or type(error).__name__).lower()}"
