"""What comes back when a page is asked for: the page, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Trouble = Literal[
    "offline", "address", "robots", "url", "size", "time", "redirects", "dns", "connection", "encoding", "status",
    "busy",
]  # fmt: skip
"""What was in the way. offline, address, robots, url: nothing was sent for the page itself. busy: the host asked to be
left alone, or has failed too often."""


class FetchFailed(Exception):
    """`reason` is one line in plain words. `transient`: the same request may succeed later; `wait`: seconds after which
    the server said so."""

    def __init__(
        self, trouble: Trouble, reason: str, *, transient: bool = False, status: int = 0, wait: float | None = None
    ) -> None:
        super().__init__(reason)
        self.trouble, self.reason, self.transient = trouble, reason, transient
        self.status, self.wait = status, wait


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may take. Bytes are counted after decompression."""

    seconds: float = 30.0
    page_bytes: int = 16 << 20  # the longest laws and books in HTML have about 10 MB
    pdf_bytes: int = 64 << 20


@dataclass(frozen=True, slots=True)
class Exchange:
    """One answer of a server. Header names are in lower case; `body` is decompressed; `received` counts the bytes of
    the body as they came over the wire."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    received: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page. `url` is what was asked for, `final` where it was found in the end. `encoding` is the one that the server
    named; `cached`: the bytes are those of an earlier fetch, and still good. `read` is an ISO date."""

    url: str
    final: str
    body: bytes
    media_type: str
    encoding: str | None = None
    cached: bool = False
    read: str = ""
    redirects: tuple[str, ...] = field(default=())
