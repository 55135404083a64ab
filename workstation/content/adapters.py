"""Readers of files, one adapter a kind, chosen by content first and by name second.

An adapter that needs a heavy package is a `LazyAdapter`: its row here is cheap, and its module is imported at the first
file. A further kind is one module with an `extract` function and one row.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Protocol

from storage.records import Page
from workstation.content.document import Document
from workstation.content.errors import NothingToRead, Unreadable
from workstation.content.signatures import foreign_kind, is_html, is_media, is_pdf
from workstation.core.cancel import CancelToken

MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Segment:
    """text[start:end] was spoken from t0 to t1, in seconds from the start of the recording."""

    start: int
    end: int
    t0: float
    t1: float


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a reader got out of a file.

    `pages` and `segments` hold exact character offsets into `text`, in order; a format without pages or time has none.
    `language` is a two-letter code when the file states one. `date` is ISO (YYYY-MM-DD). `status` is "ok" or says in
    words what is wrong with a file that could still be read in part. `markdown`: a # at the start of a line marks
    a heading.
    """

    text: str
    title: str
    kind: str
    pages: tuple[Page, ...] = ()
    segments: tuple[Segment, ...] = ()
    language: str | None = None
    date: str | None = None
    status: str = "ok"
    markdown: bool = True
    meta: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageText:
    """What a page reader saw on the image of one page; `confidence` in [0, 1]."""

    text: str
    confidence: float


class PageReader(Protocol):
    """Reads the image of a page (OCR). `number` counts from 1."""

    def read(self, pdf: bytes, number: int, cancel: CancelToken) -> PageText: ...


class Adapter(Protocol):
    """Reads one kind of file."""

    @property
    def kind(self) -> str: ...

    @property
    def suffixes(self) -> frozenset[str]:
        """File name endings in lower case, with the dot."""

    @property
    def max_bytes(self) -> int: ...

    def sniff(self, head: bytes) -> bool:
        """Is this surely a file of this kind, by its first bytes?"""

    def extract(self, document: Document, cancel: CancelToken) -> Extraction:
        """Raises Unreadable, NothingToRead or Cancelled."""


def _never(head: bytes) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class LazyAdapter:
    """An adapter whose module is imported at its first file. `options` go to the module's `extract` by name."""

    kind: str
    module: str
    suffixes: frozenset[str]
    max_bytes: int
    looks_like: Callable[[bytes], bool] = _never
    options: Mapping[str, Any] = field(default_factory=dict)

    def sniff(self, head: bytes) -> bool:
        return self.looks_like(head)

    def given(self, **options: Any) -> LazyAdapter:
        """The same adapter with these options as well."""
        return replace(self, options={**self.options, **options})

    def extract(self, document: Document, cancel: CancelToken) -> Extraction:
        extraction: Extraction = importlib.import_module(self.module).extract(document, cancel, **self.options)
        return extraction


def _suffixes(names: str) -> frozenset[str]:
    return frozenset("." + name for name in names.split())


# Reading holds a file in memory several times over; the limits keep that under about 2 GB. 16 MB of plain text are four
# Bibles and take an hour to embed, and until then their vectors (some 20 kB a passage) are held in memory too.
PDF = LazyAdapter("pdf", "workstation.content.pdf", _suffixes("pdf"), 512 * MEGABYTE, is_pdf)
HTML = LazyAdapter("html", "workstation.content.html", _suffixes("html htm xhtml"), 32 * MEGABYTE, is_html)
TEXT = LazyAdapter(
    "text",
    "workstation.content.text",
    _suffixes(
        "txt text md markdown mdown rst org adoc asciidoc tex log csv tsv json jsonl ndjson xml yaml yml toml ini"
    ),
    16 * MEGABYTE,
)
# A recording is read piece by piece, whatever its size. Without options (the models that transcribe) the subtitles that
# come with one are read, and no other.
MEDIA_SUFFIXES = _suffixes(
    "mp3 mp2 mpga m4a m4b aac ac3 flac wav wave aif aiff aifc au caf ogg oga opus spx wma amr ape wv "
    "mp4 m4v mov mkv webm mka avi wmv asf flv 3gp mpg mpeg ogv mts m2ts"
)
SUBTITLE_SUFFIXES = _suffixes("srt vtt")
RECORDING = LazyAdapter("recording", "workstation.content.media", MEDIA_SUFFIXES, 1 << 40, is_media)
SUBTITLES = LazyAdapter("subtitles", "workstation.content.subtitles", SUBTITLE_SUFFIXES, 16 * MEGABYTE)


class Adapters:
    """The registry. Content decides before the name; what is left over is text, or is named and refused."""

    def __init__(
        self, adapters: tuple[Adapter, ...] = (PDF, HTML, RECORDING, SUBTITLES, TEXT), fallback: Adapter = TEXT
    ) -> None:
        self._adapters = adapters
        self._fallback = fallback

    def adding(self, *adapters: Adapter) -> Adapters:
        """A registry in which `adapters` are asked first (an adapter of the same kind is replaced)."""
        kinds = {adapter.kind for adapter in adapters}
        return Adapters((*adapters, *(a for a in self._adapters if a.kind not in kinds)), self._fallback)

    def choose(self, document: Document) -> Adapter:
        """Raises NothingToRead for a kind that has no reader."""
        head = document.head()
        for adapter in self._adapters:
            if adapter.sniff(head):
                return adapter
        suffix = PurePath(document.name).suffix.lower()
        if foreign := foreign_kind(head):
            named = next((a for a in self._adapters if suffix in a.suffixes and a is not self._fallback), None)
            if named is None:
                raise NothingToRead(f"{foreign}: there is no reader for this kind of file")
            return named
        return next((adapter for adapter in self._adapters if suffix in adapter.suffixes), self._fallback)

    def extract(self, document: Document, cancel: CancelToken) -> Extraction:
        """Reads one document. Raises Unreadable, NothingToRead or Cancelled."""
        if not document.size:
            raise NothingToRead("the file is empty")
        adapter = self.choose(document)
        if document.size > adapter.max_bytes:
            raise Unreadable(
                f"too large: {document.size / MEGABYTE:.0f} MB (the limit for {adapter.kind} is "
                f"{adapter.max_bytes // MEGABYTE} MB)"
            )
        return adapter.extract(document, cancel)
