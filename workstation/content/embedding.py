"""Passages of many files through the embedder together, and each file into the library as soon as it is whole."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from local_models.errors import Cancelled as ModelCancelled
from local_models.protocols import Embedder, PassageInput, TextEmbedding
from storage import times
from storage.errors import OriginalChanged
from storage.library import Library
from storage.records import NewPassage, NewVersion, Source
from workstation.content import duplicates
from workstation.content.binding import bind
from workstation.content.prepare import Prepared
from workstation.core.cancel import Cancelled, CancelToken
from workstation.retrieval.token_codec import TokenCodec

HELD = 128 << 20  # bytes of documents that may wait in memory for their passages
WINDOW = 64  # passages; embedders sort and pack within as many (see local_models.packing)


@dataclass(frozen=True, slots=True)
class Stored:
    prepared: Prepared
    source: Source
    duplicate_of: str | None = None


@dataclass(frozen=True, slots=True)
class NotStored:
    prepared: Prepared
    reason: str


@dataclass(slots=True)
class _Open:
    """A file some of whose passages wait for their vectors."""

    prepared: Prepared
    taken: int = 0
    done: list[NewPassage] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        return len(self.done) == len(self.prepared.inputs)


class Embedding:
    """A queue of prepared files. They are stored in the order in which they were added."""

    def __init__(
        self, library: Library, embedder: Embedder, kind: str | None, keep_originals: bool, cancel: CancelToken
    ) -> None:
        self._library, self._embedder, self._cancel = library, embedder, cancel
        self._kind, self._keep_originals = kind, keep_originals
        self._open: deque[_Open] = deque()
        self._untaken = 0
        self._held = 0

    @property
    def waiting(self) -> bool:
        return bool(self._open)

    @property
    def full(self) -> bool:
        """Enough passages for a window wait, or as many bytes as may."""
        return self._untaken >= WINDOW or self._held > HELD

    def add(self, prepared: Prepared) -> None:
        self._open.append(_Open(prepared))
        self._untaken += len(prepared.inputs)
        self._held += prepared.document.held

    def embed(self, embedded: Callable[[int], None]) -> Iterator[Stored | NotStored]:
        """Embed one window and store the files that it completes. `embedded` is told of passages as they are done.

        Raises Cancelled between batches; what was whole by then is stored.
        """
        yield from self._store_whole()
        window = self._window()
        inputs = [opened.prepared.inputs[index] for opened, index in window]
        embeddings = self._vectors(inputs)
        for (opened, index), embedding in zip(window, embeddings, strict=True):
            opened.done.append(self._passage(opened.prepared, index, embedding))
            embedded(1)
            if opened.whole:
                yield from self._store_whole()

    def passages(self, prepared: Prepared, indices: Sequence[int]) -> list[NewPassage]:
        """Some passages of one file, past the queue. Raises Cancelled."""
        embeddings = self._vectors([prepared.inputs[index] for index in indices])
        return [self._passage(prepared, index, each) for index, each in zip(indices, embeddings, strict=True)]

    @cached_property
    def _codec(self) -> TokenCodec:
        return bind(self._library, self._embedder, self._cancel)

    def _window(self) -> list[tuple[_Open, int]]:
        window: list[tuple[_Open, int]] = []
        for opened in self._open:
            count = min(len(opened.prepared.inputs) - opened.taken, WINDOW - len(window))
            window += [(opened, opened.taken + index) for index in range(count)]
            opened.taken += count
            if len(window) == WINDOW:
                break
        self._untaken -= len(window)
        return window

    def _vectors(self, inputs: list[PassageInput]) -> Iterator[TextEmbedding]:
        try:
            if inputs:
                _ = self._codec  # fitted before the first passage, once a library
                yield from self._embedder.embed_passages(inputs, self._cancel)
        except ModelCancelled:
            raise Cancelled from None

    def _passage(self, prepared: Prepared, index: int, embedding: TextEmbedding) -> NewPassage:
        ids, starts, codes = self._codec.pack(embedding, prepared.inputs[index].text)
        return NewPassage(prepared.locators[index], embedding.vector, ids, starts, codes)

    def _store_whole(self) -> Iterator[Stored | NotStored]:
        while self._open and self._open[0].whole:
            opened = self._open.popleft()
            self._held -= opened.prepared.document.held
            yield self.store(opened.prepared, opened.done)

    def store(self, prepared: Prepared, passages: list[NewPassage]) -> Stored | NotStored:
        """One file with all its passages into the library."""
        document, extraction = prepared.document, prepared.extraction
        meta = dict(extraction.meta)
        twins = [s.path for s in self._library.sources_with_hash(prepared.content_hash) if s.path != document.path]
        if twins:
            meta["duplicate_of"] = twins[0]
        elif copy := duplicates.find(self._library, document.path, extraction.text, prepared.locators):
            meta |= {"duplicate_of": copy.path, "resemblance": f"{copy.resemblance:.2f}"}
        if extraction.segments:
            meta[times.KEY] = times.pack((each.start, each.t0, each.t1) for each in extraction.segments)
        version = NewVersion(
            path=document.path,
            title=extraction.title,
            kind=self._kind or extraction.kind,
            language=prepared.language,
            content_hash=prepared.content_hash,
            text=extraction.text,
            pages=extraction.pages,
            passages=tuple(passages),
            status=extraction.status,
            date=extraction.date,
            origin=document.origin or extraction.origin,
            meta=meta,
        )
        keep = self._keep_originals and extraction.keeps_original
        original = (document.file or document.read()) if keep else None
        try:
            source = self._library.add_version(version, original, reread=True)
            return Stored(prepared, source, meta.get("duplicate_of"))
        except OriginalChanged:
            return NotStored(prepared, "the file changed while it was being read; ingest it again")
        except ValueError as error:  # the parts do not fit together: this file's fault, or that of its reader
            return NotStored(prepared, f"could not be stored: {error}")
