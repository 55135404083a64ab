"""Pages as they were fetched last, on disk: bodies under their hash, and for each address what is known of it.

    entries/<sha256 of the address>.json      bodies/<two digits>/<sha256 of the body>

Bounded: when it has grown too large, what was not used for longest goes first.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

MOST_BYTES = 512 << 20
_KEPT = 0.8  # of the bound, after a clean-up


@dataclass(frozen=True, slots=True)
class Entry:
    """What a server said about a body. `stored` is a POSIX time."""

    url: str
    status: int
    media_type: str
    encoding: str | None
    etag: str | None
    last_modified: str | None
    body: str
    size: int
    stored: float

    @property
    def age(self) -> float:
        return max(0.0, time.time() - self.stored)

    def conditions(self) -> dict[str, str]:
        """Headers that ask for the body only if it is another one by now."""
        asked = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in asked.items() if value}


class Cache:
    """Use from one thread. A cache that cannot be read or written is an empty one."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder, self._most = folder, most_bytes
        self._size: int | None = None

    def entry(self, url: str) -> Entry | None:
        """What is known of an address; None when there is nothing, or its body is gone."""
        path = self._entry_path(url)
        try:
            found = Entry(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        return found if found.url == url and self._body_path(found.body).exists() else None

    def body(self, entry: Entry) -> bytes | None:
        """The bytes, unless they are damaged."""
        path = self._body_path(entry.body)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(data).hexdigest() != entry.body:
            return None
        with suppress(OSError):
            os.utime(path)
            os.utime(self._entry_path(entry.url))
        return data

    def put(
        self,
        url: str,
        body: bytes,
        *,
        status: int,
        media_type: str,
        encoding: str | None,
        etag: str | None,
        last_modified: str | None,
    ) -> None:
        digest = hashlib.sha256(body).hexdigest()
        entry = Entry(url, status, media_type, encoding, etag, last_modified, digest, len(body), time.time())
        with suppress(OSError):
            if not (path := self._body_path(digest)).exists():
                _write(path, body)
                self._size = self._counted() + len(body)
            _write(self._entry_path(url), json.dumps(asdict(entry)).encode())
            if self._counted() > self._most:
                self._clean()

    def confirm(self, entry: Entry) -> None:
        """The server said that the body is still the same."""
        with suppress(OSError):
            _write(self._entry_path(entry.url), json.dumps(asdict(entry) | {"stored": time.time()}).encode())

    def _counted(self) -> int:
        if self._size is None:
            self._size = sum(path.stat().st_size for path in self._folder.glob("bodies/*/*"))
        return self._size

    def _clean(self) -> None:
        left = self._counted()
        for path in sorted(self._folder.glob("bodies/*/*"), key=lambda each: each.stat().st_mtime):
            if left <= _KEPT * self._most:
                break
            left -= path.stat().st_size
            path.unlink(missing_ok=True)
        self._size = left
        for path in self._folder.glob("entries/*.json"):
            try:
                gone = not self._body_path(json.loads(path.read_bytes())["body"]).exists()
            except (OSError, ValueError, KeyError, TypeError):
                gone = True
            if gone:
                path.unlink(missing_ok=True)

    def _entry_path(self, url: str) -> Path:
        return self._folder / "entries" / f"{hashlib.sha256(url.encode()).hexdigest()}.json"

    def _body_path(self, digest: str) -> Path:
        return self._folder / "bodies" / digest[:2] / digest


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all, for the owner alone."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    draft.replace(path)
