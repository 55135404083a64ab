"""Readers of files, one adapter a kind, chosen by content first and by name second.

An adapter that needs a heavy package is a `LazyAdapter`: its row here is cheap, and its module is imported at the first
file. A further kind is one module with an `extract` function and one row; a kind that holds further documents (a
mailbox, a web archive, a message with attachments) has a `members` function beside it.
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
from workstation.content.signatures import (
    foreign_kind,
    is_bookmarks,
    is_html,
    is_mail,
    is_mailbox,
    is_media,
    is_mhtml,
    is_pdf,
    is_picture,
    is_references,
    is_rtf,
    is_warc,
    is_zim,
    is_zip,
)
from workstation.content.zipped import kind_inside
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
    a heading. `origin` is the URL that the file says it was saved from. `keeps_original`: the library keeps a copy of
    the bytes; a container's parts are kept in its stead.
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
    origin: str | None = None
    keeps_original: bool = True


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
    should be known. `doubtful`: figures in it that a second look at the image did not read."""

    text: str
    confidence: float
    failure: str = ""
    note: str = ""
    doubtful: tuple[str, ...] = ()


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
    """Reads one kind of file. One that `holds` further documents gives them by `members(document, cancel)`."""

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
    """An adapter whose module is imported at its first file. `options` go to the module's `extract` by name. `holds`:
    the module has `members` as well: inside for a container that has to be opened to find them, beside for a list of
    files that are found on their own. `sees`: it can do something with a page reader."""

    kind: str
    module: str
    suffixes: frozenset[str]
    max_bytes: int
    looks_like: Callable[[bytes], bool] = _never
    options: Mapping[str, Any] = field(default_factory=dict)
    holds: str = ""
    sees: bool = False

    def sniff(self, head: bytes) -> bool:
        return self.looks_like(head)

    def given(self, **options: Any) -> LazyAdapter:
        """The same adapter with these options as well."""
        return replace(self, options={**self.options, **options})

    def extract(self, document: Document, cancel: CancelToken) -> Extraction:
        extraction: Extraction = importlib.import_module(self.module).extract(document, cancel, **self.options)
        return extraction

    def members(self, document: Document, cancel: CancelToken) -> Iterator[Document]:
        """The documents inside, one after the other; one that cannot be taken comes with an error."""
        if self.holds:
            yield from importlib.import_module(self.module).members(document, cancel)


def _suffixes(names: str) -> frozenset[str]:
    return frozenset("." + name for name in names.split())


# Reading holds a file in memory several times over; the limits keep that under about 2 GB. 16 MB of plain text are four
# Bibles and take an hour to embed, and until then their vectors (some 20 kB a passage) are held in memory too.
# Containers are read piece by piece; what they unpack to is limited by `unpacking`.
PDF = LazyAdapter("pdf", "workstation.content.pdf", _suffixes("pdf"), 512 * MEGABYTE, is_pdf, sees=True)
IMAGE = LazyAdapter(
    "image",
    "workstation.content.image",
    _suffixes("png jpg jpeg tif tiff webp"),
    512 * MEGABYTE,
    is_picture,
    sees=True,
)
HTML = LazyAdapter("html", "workstation.content.html", _suffixes("html htm xhtml"), 256 * MEGABYTE, is_html)
TEXT = LazyAdapter(
    "text",
    "workstation.content.text",
    _suffixes("txt text md markdown mdown rst org adoc asciidoc tex log json jsonl ndjson xml yaml yml toml ini"),
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


def _saved(
    kind: str,
    module: str,
    suffixes: str,
    megabytes: int,
    looks_like: Callable[[bytes], bool] = _never,
    holds: str = "",
) -> LazyAdapter:
    where = f"workstation.content.{module}"
    return LazyAdapter(kind, where, _suffixes(suffixes), megabytes * MEGABYTE, looks_like, holds=holds)


_ZIPS = ("", ".zip")  # programs and drawings are packed as ZIP too, and nobody means them as archives of documents
_ANY_SIZE = 1 << 24  # megabytes: it is read piece by piece
SAVED = (
    _saved("docx", "word", "docx docm dotx", 256),
    _saved("pptx", "slides", "pptx pptm ppsx", 512),
    _saved("xlsx", "sheets", "xlsx xlsm xltx", 256),
    _saved("odf", "opendocument", "odt ott ods odp", 256),
    _saved("epub", "epub", "epub", 512),
    _saved("rtf", "rtf", "rtf", 64, is_rtf),
    _saved("csv", "csv_table", "csv tsv tab", 64),
    _saved("notebook", "notebook", "ipynb", 128),
    _saved("bookmarks", "bookmarks", "", 32, is_bookmarks),
    _saved("bibtex", "bibtex", "bib bibtex", 16, holds="beside"),
    _saved("csl-json", "csl_json", "", 32, is_references, holds="beside"),
    _saved("mhtml", "mhtml", "mhtml mht", 256, is_mhtml),
    _saved("mail", "mail", "eml", 256, is_mail, holds="inside"),
    _saved("mailbox", "mailbox_file", "mbox mbx", _ANY_SIZE, is_mailbox, holds="inside"),
    _saved("warc", "web_archive", "warc arc", _ANY_SIZE, is_warc, holds="inside"),
    _saved("wacz", "web_archive", "wacz", _ANY_SIZE, holds="inside"),
    _saved("zim", "kiwix", "zim", _ANY_SIZE, is_zim, holds="inside"),
    _saved("zip", "zip_archive", "zip", _ANY_SIZE, holds="inside"),
)


class Adapters:
    """The registry. Content decides before the name; what is left over is text, or is named and refused."""

    def __init__(
        self,
        adapters: tuple[Adapter, ...] = (*SAVED, PDF, IMAGE, HTML, RECORDING, SUBTITLES, TEXT),
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
        if is_zip(head) and (kind := kind_inside(document)) and (kind != "zip" or suffix in _ZIPS):
            return next((adapter for adapter in self._adapters if adapter.kind == kind), self._fallback)
        if foreign := foreign_kind(head):
            named = next((a for a in self._adapters if suffix in a.suffixes and a is not self._fallback), None)
            if named is None:
                raise NothingToRead(f"{foreign}: there is no reader for this kind of file")
            return named
        return next((adapter for adapter in self._adapters if suffix in adapter.suffixes), self._fallback)

    def extract(self, document: Document, cancel: CancelToken) -> Extraction:
        """Reads one document. Raises Unreadable, NothingToRead or Cancelled."""
        adapter = self._fitting(document)
        return adapter.extract(document, cancel)

    def holds(self, document: Document) -> str:
        """Does it hold further documents: inside, beside, or not ("")? Raises what `extract` would raise at once."""
        return str(getattr(self._fitting(document), "holds", ""))

    def members(self, document: Document, cancel: CancelToken) -> Iterator[Document]:
        """The documents inside one that `holds` some."""
        adapter: Any = self._fitting(document)
        yield from adapter.members(document, cancel)

    def _fitting(self, document: Document) -> Adapter:
        if not document.size:
            raise NothingToRead("the file is empty")
        adapter = self.choose(document)
        if document.size > adapter.max_bytes:
            raise Unreadable(
                f"too large: {document.size / MEGABYTE:.0f} MB (the limit for {adapter.kind} is "
                f"{adapter.max_bytes // MEGABYTE} MB)"
            )
        return adapter
