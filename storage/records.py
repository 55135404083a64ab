"""The values that go into the library and come out of it. Ids are SQLite row ids; offsets count code points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from storage.times import Time, between

PAGE_STATES = ("text", "ocr", "needs_ocr", "blank", "failed")


@dataclass(frozen=True, slots=True)
class Locator:
    """Where a passage or quote stands: text[start:end] of its version, on `page` (from 1), under `heading`, at
    t0..t1 seconds. `ocr`: how sure the reader was of the page's image, in [0, 1], when the text was read from it (the
    least sure page, when the passage reaches over several); stored with the page, not with the passage."""

    start: int
    end: int
    page: int | None = None
    heading: str | None = None
    t0: float | None = None
    t1: float | None = None
    ocr: float | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One line of a source's page ledger: text[start:end] came from page `number`; `state` is one of PAGE_STATES."""

    number: int
    state: str
    start: int
    end: int
    note: str = ""
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class NewPassage:
    """A slice of the text with everything retrieval needs: unit vector (d,), token ids (n,), their offsets within the
    passage (n,), and the packed token vectors (see retrieval.token_codec)."""

    locator: Locator
    vector: NDArray[np.float32]
    token_ids: NDArray[np.int32]
    token_starts: NDArray[np.int32]
    token_codes: bytes


@dataclass(frozen=True, slots=True)
class NewVersion:
    """The content of a source as read at one time. `content_hash` is the sha256 of the original bytes."""

    path: str
    title: str
    kind: str
    language: str
    content_hash: str
    text: str
    pages: tuple[Page, ...]
    passages: tuple[NewPassage, ...]
    status: str = "ok"
    date: str | None = None
    origin: str | None = None
    meta: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Source:
    """A source with its current version. `versions` lists content hashes, oldest first."""

    id: int
    path: str
    title: str
    kind: str
    language: str
    status: str
    version: str
    versions: tuple[str, ...]
    passages: int
    pages: Mapping[str, int]
    date: str | None
    origin: str | None
    added: str
    seen: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A stored passage: `text` equals the version's text[locator.start:locator.end]. times: of the pieces of speech in
    it (see storage.times), by their offsets in the version's text."""

    id: int
    source: int
    version: str
    title: str
    path: str
    kind: str
    language: str
    locator: Locator
    text: str
    times: tuple[Time, ...] = ()

    def place(self, start: int, end: int) -> Locator:
        """Where text[start:end] of this passage stands; of something spoken with the time of just these words."""
        at = self.locator
        start, end = at.start + start, at.start + end
        t0, t1 = between(self.times, start, end) or (at.t0, at.t1)
        return replace(at, start=start, end=end, t0=t0, t1=t1)


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """The stored token vectors of one passage, still packed."""

    passage: int
    ids: NDArray[np.int32]
    starts: NDArray[np.int32]
    codes: bytes


@dataclass(frozen=True, slots=True)
class Problem:
    """A path that could not be ingested: `state` is failed or skipped."""

    path: str
    state: str
    reason: str
    content_hash: str | None = None
