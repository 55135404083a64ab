"""Readers of files, one adapter a kind, chosen by content first and by name second.

An adapter that needs a heavy package is a `LazyAdapter`: its row here is cheap, and its module is imported at the first
file. A further kind is one module with an `extract` function and one row.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any, Protocol

from storage.records import Page
from workstation.content.document import Document
from workstation.content.errors import NothingToRead, Unreadable
from workstation.content.signatures import foreign_kind, is_html, is_pdf, is_picture
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
class PageImage:
    """How page `number` (from 1) of the file with this content hash looks. `picture` gives a file that shows it, for
    the time of the context, and which of that file's pictures it is, from 1; it raises Unreadable or Cancelled."""

    content_hash: str
    number: int
    picture: Callable[[CancelToken], AbstractContextManager[tuple[Path, int]]]


@dataclass(frozen=True, slots=True)
class PageText:
    """What a page reader saw on the image of one page: "" where there is no print. Paragraphs stand apart by an empty
    line. `confidence` in [0, 1]. `failure` says in words why the page could not be read, `note` what else
    should be known."""

    text: str
    confidence: float
    failure: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class PagesRead:
    """How far a page reader is with a file. `seconds` a page took on average, 0.0 before the first one."""

    done: int
    total: int
    seconds: float


class PageReader(Protocol):
    """Reads images of pages (OCR)."""

    @property
    def progress(self) -> PagesRead | None:
        """None while no page is being read. Any thread may ask."""

    def pictures(self, file: Path, cancel: CancelToken) -> tuple[int, str | None]:
        """How many pictures a file holds, and the ISO date they were taken at. Raises Unreadable or Cancelled."""

    def read(self, images: Sequence[PageImage], cancel: CancelToken) -> Iterator[PageText]:
        """What they show, in order. Raises Cancelled."""


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
    """An adapter whose module is imported at its first file. `options` go to the module's `extract` by name. `sees`:
    it can do something with a page reader."""

    kind: str
    module: str
    suffixes: frozenset[str]
    max_bytes: int
    looks_like: Callable[[bytes], bool] = _never
    options: Mapping[str, Any] = field(default_factory=dict)
    sees: bool = False

    def sniff(self, head: bytes) -> bool:
        return self.looks_like(head)

    def extract(self, document: Document, cancel: CancelToken) -> Extraction:
        extraction: Extraction = importlib.import_module(self.module).extract(document, cancel, **self.options)
        return extraction


def _suffixes(names: str) -> frozenset[str]:
    return frozenset("." + name for name in names.split())


# Reading holds a file in memory several times over; the limits keep that under about 2 GB. 16 MB of plain text are four
# Bibles and take an hour to embed, and until then their vectors (some 20 kB a passage) are held in memory too.
PDF = LazyAdapter("pdf", "workstation.content.pdf", _suffixes("pdf"), 512 * MEGABYTE, is_pdf, sees=True)
IMAGE = LazyAdapter(
    "image",
    "workstation.content.image",
    _suffixes("png jpg jpeg tif tiff webp"),
    512 * MEGABYTE,
    is_picture,
    sees=True,
)
HTML = LazyAdapter("html", "workstation.content.html", _suffixes("html htm xhtml"), 32 * MEGABYTE, is_html)
TEXT = LazyAdapter(
    "text",
    "workstation.content.text",
    _suffixes(
        "txt text md markdown mdown rst org adoc asciidoc tex log csv tsv json jsonl ndjson xml yaml yml toml ini srt"
    ),
    16 * MEGABYTE,
)


class Adapters:
    """The registry. Content decides before the name; what is left over is text, or is named and refused."""

    def __init__(
        self,
        adapters: tuple[Adapter, ...] = (PDF, IMAGE, HTML, TEXT),
        fallback: Adapter = TEXT,
        page_reader: PageReader | None = None,
    ) -> None:
        self._adapters = adapters
        self._fallback = fallback
        self.page_reader = page_reader

    def adding(self, *adapters: Adapter) -> Adapters:
        """A registry in which `adapters` are asked first (an adapter of the same kind is replaced)."""
        kinds = {adapter.kind for adapter in adapters}
        rest = (adapter for adapter in self._adapters if adapter.kind not in kinds)
        return Adapters((*adapters, *rest), self._fallback, self.page_reader)

    def seeing(self, reader: PageReader | None) -> Adapters:
        """A registry in which images of pages are read by `reader`; without one they are only noted."""
        seeing = tuple(
            replace(adapter, options={**adapter.options, "page_reader": reader})
            if isinstance(adapter, LazyAdapter) and adapter.sees
            else adapter
            for adapter in self._adapters
        )
        return Adapters(seeing, self._fallback, reader)

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
