"""What an ingest did, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from storage.records import PAGE_STATES, Source


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an ingest is. `passages_total` counts those of the files read so far; `rate` is passages a second since
    the first was embedded; `seconds_left` is an estimate, None before there is anything to go by. `pages_total`: images
    of pages in the file at `path` that are being read, 0 when none are; `pages_done` of them have been."""

    files_done: int
    files_total: int
    passages_done: int
    passages_total: int
    rate: float
    seconds_left: float | None
    path: str
    pages_done: int = 0
    pages_total: int = 0


ProgressCallback = Callable[[Progress], None]
RefusalCallback = Callable[["Refusal", str], None]
"""Told of each path that is refused as soon as it is; the second argument is failed or skipped."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A source as ingest leaves it; `change` is added, updated or unchanged. `duplicate_of`: the path of the source of
    which one that was read in this run is a copy, or nearly."""

    source: int
    title: str
    kind: str
    path: str
    status: str
    passages: int
    pages: Mapping[str, int]
    change: str
    duplicate_of: str | None = None

    @classmethod
    def of(cls, source: Source, change: str, duplicate_of: str | None = None) -> Entry:
        return cls(
            source.id,
            source.title,
            source.kind,
            source.path,
            source.status,
            source.passages,
            dict(source.pages),
            change,
            duplicate_of,
        )


@dataclass(frozen=True, slots=True)
class Refusal:
    path: str
    reason: str


@dataclass(slots=True)
class IngestResult:
    """Every path that was found ends in exactly one of the first three lists. `vanished` are paths that the library
    knows below an ingested folder where no file is any more."""

    sources: list[Entry] = field(default_factory=list)
    skipped: list[Refusal] = field(default_factory=list)
    failed: list[Refusal] = field(default_factory=list)
    vanished: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def extend(self, other: IngestResult) -> None:
        """Takes over what another part of the same ingest did."""
        self.sources += other.sources
        self.skipped += other.skipped
        self.failed += other.failed
        self.vanished += other.vanished
        self.seconds += other.seconds

    def count(self, change: str) -> int:
        return sum(entry.change == change for entry in self.sources)

    def to_json(self) -> dict[str, Any]:
        """The shape that the command line prints."""
        return {
            "sources": [
                {
                    "source": entry.source,
                    "title": entry.title,
                    "kind": entry.kind,
                    "path": entry.path,
                    "status": entry.status,
                    "passages": entry.passages,
                    "pages": {state: int(entry.pages.get(state, 0)) for state in PAGE_STATES},
                    "change": entry.change,
                    "duplicate_of": entry.duplicate_of,
                }
                for entry in self.sources
            ],
            "skipped": [{"path": refusal.path, "reason": refusal.reason} for refusal in self.skipped],
            "failed": [{"path": refusal.path, "reason": refusal.reason} for refusal in self.failed],
            "vanished": list(self.vanished),
            "seconds": round(self.seconds, 3),
        }
