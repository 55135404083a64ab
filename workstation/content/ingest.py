"""Putting files into the library: found, read, cut, embedded, stored, one file at a time and each one whole.

Embedding is nearly all of the work (10 passages/s on two cores, while reading takes a few milliseconds a file), so a
thread reads ahead, and passages of many small files are embedded together.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from local_models.protocols import Embedder
from storage.library import Library
from storage.records import Problem
from workstation.content.adapters import Adapters
from workstation.content.binding import check_embedder
from workstation.content.chunking import DEFAULT_SIZES, PassageSizes
from workstation.content.document import INSIDE, Document
from workstation.content.embedding import Embedding, Stored
from workstation.content.handover import ReadAhead
from workstation.content.meter import Meter
from workstation.content.prepare import Prepared, Reader, Refused, prepare
from workstation.content.results import Entry, IngestResult, ProgressCallback, Refusal, RefusalCallback
from workstation.content.unpacking import CATALOGUES, Known, Read, Unpacking
from workstation.content.walk import Found, PassedOver, absolute, walk
from workstation.core.cancel import Cancelled, CancelToken

READ_AHEAD = 256  # passages that may lie ready: half a minute of embedding, a few megabytes
_UNIT = 1 << 19  # bytes of a part of a container that count as a passage, so that at most 128 MB lie ready
_PATIENCE = 0.25  # seconds to wait for more passages before embedding those that are there


class IngestCancelled(Cancelled):
    """Stopped on request; `result` says what is in the library by then."""

    def __init__(self, result: IngestResult) -> None:
        super().__init__()
        self.result = result


@dataclass(frozen=True, slots=True)
class Options:
    """kind: stored instead of the reader's own. reread: read files again whose bytes the library has. with_context:
    embed title and heading with each passage. keep_originals: copy the files into the library."""

    kind: str | None = None
    reread: bool = False
    sizes: PassageSizes = DEFAULT_SIZES
    with_context: bool = True
    keep_originals: bool = True


def ingest(
    paths: Sequence[str | Path],
    library: Library,
    embedder: Embedder,
    *,
    cancel: CancelToken,
    progress: ProgressCallback | None = None,
    refused: RefusalCallback | None = None,
    kind: str | None = None,
    adapters: Adapters | None = None,
    options: Options | None = None,
) -> IngestResult:
    """Read the files, and the folders with all that is in them, into the library.

    A file whose bytes have not changed is only marked as seen; a changed one becomes another version of its source.
    What is inside a mailbox, an archive or a message is a source of its own, under CONTAINER!/NAME. Each file is stored
    in one transaction as soon as its passages are embedded, so that a run that dies goes on where it was. A file that
    cannot be read is noted (in the result, and in the library) and does not stop the others.

    Raises IngestCancelled, with what is stored by then; EmbedderMismatch; ModelError; other kinds of StorageError.
    """
    found = list(walk(map(Path, paths), cancel.check))
    files = [Document(str(item.path), file=item.path) for item in found if isinstance(item, Found)]
    files.sort(key=lambda file: not file.name.lower().endswith(CATALOGUES))
    asked = {str(item.path) for item in found if isinstance(item, Found) and item.asked}
    check_embedder(library, embedder)
    run = _Run(library, embedder, adapters or Adapters(), options or Options(kind=kind), asked, cancel)
    run.meter, run.refused = Meter(files, progress), refused or run.refused
    result = run.over(files)
    for item in found:
        if isinstance(item, PassedOver):
            run.passed_over(item)
    result.vanished = _vanished(library, [str(absolute(Path(path))) for path in paths], run.unpacking)
    return result


def ingest_documents(
    documents: Sequence[Document],
    library: Library,
    embedder: Embedder,
    *,
    cancel: CancelToken,
    progress: ProgressCallback | None = None,
    refused: RefusalCallback | None = None,
    adapters: Adapters | None = None,
    options: Options | None = None,
    asked: Iterable[str] | None = None,
) -> IngestResult:
    """The same for documents that are at hand, such as fetched pages. `asked`: paths that were named one by one, all by
    default; a source that the user has removed comes back only then."""
    check_embedder(library, embedder)
    names = {document.path for document in documents} if asked is None else set(asked)
    run = _Run(library, embedder, adapters or Adapters(), options or Options(), names, cancel)
    run.meter, run.refused = Meter(documents, progress), refused or run.refused
    return run.over(documents)


class _Run:
    """One ingest. The reading thread uses `read` and what that calls; all else belongs to the calling thread."""

    meter: Meter
    refused: RefusalCallback = staticmethod(lambda refusal, state: None)

    def __init__(
        self,
        library: Library,
        embedder: Embedder,
        adapters: Adapters,
        options: Options,
        asked: set[str],
        cancel: CancelToken,
    ) -> None:
        self.library, self.embedder, self.adapters, self.options = library, embedder, adapters, options
        self.cancel = cancel
        self.known = {source.path: source for source in library.sources(removed=True)}
        self.unpacking = Unpacking(adapters, self.known, library.problems(), asked, options.reread)
        self.result = IngestResult()
        self.order: dict[str, int] = {}
        self.seen: list[int] = []
        self.path = ""  # of the document that is being read

    def over(self, documents: Sequence[Document]) -> IngestResult:
        start = time.monotonic()
        embedding = Embedding(self.library, self.embedder, self.options.kind, self.options.keep_originals, self.cancel)
        try:
            with ReadAhead(documents, self.read, _weight, READ_AHEAD) as ahead:
                while not ahead.ended:
                    self.cancel.check()
                    if (read := ahead.take(_PATIENCE)) is not None:
                        self.accept(read, embedding)
                    elif self.adapters.page_reader is not None:
                        self.meter.looking(self.adapters.page_reader.progress, self.path)
                    if embedding.full or (read is None and embedding.waiting):
                        self.store(embedding)
                while embedding.waiting:
                    self.store(embedding)
        except Cancelled:
            self.finish(start)
            raise IngestCancelled(self.result) from None
        self.finish(start)
        return self.result

    @cached_property
    def reader(self) -> Reader:
        """Made at the first file that is read: it loads the embedder's tokenizer."""
        embedder, options = self.embedder, self.options
        return Reader(self.adapters, embedder.count_tokens, embedder.window, options.sizes, options.with_context)

    def read(self, document: Document, stop: CancelToken) -> Iterator[Read]:
        def reading(part: Document, content_hash: str) -> Prepared | Refused:
            self.path = part.path
            return prepare(part, content_hash, self.reader, stop)

        return self.unpacking.over(document, reading, stop)

    def accept(self, read: Read, embedding: Embedding) -> None:
        self.order.setdefault(read.document.path, len(self.order))
        match read:
            case Known(document, source, inside):
                self.seen += [part.id for part in inside] + [source.id]
                self.order |= {part.path: self.order[document.path] for part in inside}
                self.meter.unchanged(document)
            case Refused(document, content_hash, state, reason):
                self.refuse(document, content_hash, state, reason)
            case Prepared() if (known := self.same_text(read)) is not None:
                self.seen.append(known)
                self.meter.unchanged(read.document)
            case Prepared():
                self.meter.read(read.document, len(read.inputs))
                embedding.add(read)

    def same_text(self, read: Prepared) -> int | None:
        """The source of a fetched page that says what it said before: its bytes may differ by a date or a counter."""
        source = self.known.get(read.document.path)
        if source is None or not read.document.origin or source.status == "removed" or self.options.reread:
            return None
        return source.id if self.library.text(source.id) == read.extraction.text else None

    def refuse(self, document: Document, content_hash: str | None, state: str, reason: str) -> None:
        self.note(Refusal(document.path, reason), state)
        self.library.record_problem(Problem(document.path, state, reason, content_hash))
        self.meter.refused(document)

    def passed_over(self, item: PassedOver) -> None:
        self.note(Refusal(item.path, item.reason), "failed" if item.missing else "skipped")

    def note(self, refusal: Refusal, state: str) -> None:
        (self.result.failed if state == "failed" else self.result.skipped).append(refusal)
        self.refused(refusal, state)

    def store(self, embedding: Embedding) -> None:
        for stored in embedding.embed(self.meter.embedded):
            document = stored.prepared.document
            if isinstance(stored, Stored):
                change = "updated" if document.path in self.known else "added"
                self.result.sources.append(Entry.of(stored.source, change, stored.duplicate_of))
                self.meter.stored(document)
            else:
                self.refuse(document, stored.prepared.content_hash, "failed", stored.reason)

    def finish(self, start: float) -> None:
        """Mark what was seen, and put the sources into the order in which they were read."""
        if self.seen:
            self.library.mark_seen(self.seen)
            self.result.sources += [Entry.of(self.library.source(source), "unchanged") for source in self.seen]
        self.result.sources.sort(key=lambda entry: self.order[entry.path])
        self.result.seconds = time.monotonic() - start
        self.meter.end()


def _weight(read: Read) -> int:
    return max(1, len(read.inputs), read.document.held // _UNIT) if isinstance(read, Prepared) else 0


def _vanished(library: Library, paths: Sequence[str], unpacking: Unpacking) -> list[str]:
    """Known paths at or below `paths` where there is nothing any more; a folder that is itself not there (a drive that
    is not mounted) says nothing about what was in it."""
    known: dict[str, None] = {}
    for path in paths:
        if Path(path).is_dir():
            known |= dict.fromkeys(library.paths_under(path))
        elif library.source_at(path) is not None:
            known |= dict.fromkeys([path, *library.paths_under(path + INSIDE)])
    gone = [path for path in known if unpacking.gone(path, os.path.lexists)]
    library.mark_vanished(gone)
    return gone
