"""Which documents one file gives: itself, what is inside it, and what it names beside it, within limits.

A part of a container is a source of its own, under the path CONTAINER!/NAME. The container comes after its parts, so
that a run which dies between them goes on there, and one whose bytes are known is not opened again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from storage.records import Problem, Source
from workstation.content import limits
from workstation.content.adapters import Adapters, Extraction
from workstation.content.document import Document, containers
from workstation.content.errors import INSTALL, ContentError, Unreadable
from workstation.content.prepare import Prepared, Refused, hashed
from workstation.content.subtitles import came_since
from workstation.core.cancel import Cancelled, CancelToken

CATALOGUES = (".bib", ".bibtex", ".json")  # may know titles and authors of files that lie beside them
_REMOVED = "it was removed from the library; name the file to take it back"
_PART_REMOVED = "it was removed from the library; flori sources restore {} takes it back"
_NESTED = f"what is inside was not read: it lies {limits.DEPTH} containers deep"


@dataclass(frozen=True, slots=True)
class Known:
    """A document whose bytes the library has at that path, with the sources read from inside it."""

    document: Document
    source: Source
    inside: tuple[Source, ...] = ()


Read = Prepared | Refused | Known
Prepare = Callable[[Document, str], Prepared | Refused]


@dataclass(slots=True)
class _Tally:
    """What came of the parts of a container. `remark` says why not all of them were looked at."""

    read: int = 0
    failed: int = 0
    remark: str = ""

    def count(self, read: Read) -> None:
        if not isinstance(read, Refused):
            self.read += 1
        elif read.state == "failed":
            self.failed += 1

    def status(self) -> str:
        said = [f"{self.failed} of its parts could not be read"] if self.failed else []
        return "; ".join([*said, self.remark] if self.remark else said) or "ok"


@dataclass
class Unpacking:
    """One run over many files. `met` are the paths that were read or recognised, `whole` the containers that were
    looked through to their end. `reread`: known bytes count for nothing."""

    adapters: Adapters
    known: Mapping[str, Source]
    problems: Iterable[Problem]
    asked: set[str]
    reread: bool
    met: set[str] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._inside: dict[str, list[Source]] = defaultdict(list)
        for path, source in self.known.items():
            for container in containers(path):
                self._inside[container].append(source)
        # A reader that was missing may have been installed since.
        self._again = {
            path for problem in self.problems if INSTALL in problem.reason for path in containers(problem.path)
        }
        self._unpacked: dict[str, int] = defaultdict(int)

    def over(self, document: Document, prepare: Prepare, cancel: CancelToken) -> Iterator[Read]:
        """The document's parts, then the document. `prepare` reads one. A document that was met before, because a
        catalogue named it, gives nothing."""
        if document.path in self.met:
            return
        self.met.add(document.path)
        content_hash = hashed(document)
        if isinstance(content_hash, Refused):
            yield content_hash
            return
        source = self.known.get(document.path)
        if source is not None and source.status == "removed" and document.path not in self.asked:
            reason = _PART_REMOVED.format(source.id) if document.container else _REMOVED
            document.forget()
            yield Refused(document, content_hash, "skipped", reason)
            return
        same = (
            source is not None
            and source.version.partition("#")[0] == content_hash
            and source.status != "removed"
            and not self.reread
            and not (self.adapters.page_reader is not None and source.pages.get("needs_ocr"))  # there is a reader now
            and not (source.kind == "recording" and came_since(document.file, source.seen))
        )
        named = document.name.lower().endswith(CATALOGUES)  # the files that it names may have changed
        if same and not named and document.path not in self._again:
            assert source is not None
            document.forget()
            yield self._recognised(document, source)
            return
        holds = self._holds(document)
        tally = _Tally()
        if holds:
            yield from self._parts(document, holds, prepare, tally, cancel)
        if same:
            assert source is not None
            document.forget()
            yield Known(document, source)
            return
        read = self._with(tally, prepare(document, content_hash))
        if isinstance(read, Refused):
            document.forget()
        document.release()
        yield read

    def gone(self, path: str, exists: Callable[[str], bool]) -> bool:
        """Is what was read from this path not there any more? A part is gone with its container, and when the container
        was looked through without meeting it."""
        if path in self.met or exists(path):
            return False
        around = containers(path)
        if not any(exists(container) for container in around):
            return True
        return any(container in self.whole for container in around)

    def _holds(self, document: Document) -> str:
        try:
            return self.adapters.holds(document)
        except Exception:
            return ""  # reading it says why

    def _recognised(self, document: Document, source: Source) -> Known:
        parts = self._inside.get(document.path, ())
        self.met.update(part.path for part in parts)
        # A part that had vanished from the container is still not in it; with the container, they all come back.
        away = {"removed"} if source.status == "vanished" else {"removed", "vanished"}
        return Known(document, source, tuple(part for part in parts if part.status not in away))

    def _parts(
        self, document: Document, holds: str, prepare: Prepare, tally: _Tally, cancel: CancelToken
    ) -> Iterator[Read]:
        if document.depth >= limits.DEPTH:
            tally.remark = _NESTED
            return
        count = 0
        try:
            for part in self.adapters.members(document, cancel):
                cancel.check()
                count += 1
                if count > limits.MEMBERS:
                    tally.remark = f"only the first {limits.MEMBERS} parts were read"
                    return
                if holds == "inside" and self._too_much(part):
                    tally.remark = "not read to its end: it unpacks to far more than its size, as only a bomb does"
                    return
                for read in self.over(part, prepare, cancel):
                    tally.count(read)
                    yield read
        except Cancelled:
            raise
        except Exception as error:  # one bad archive must not end the work on the others
            reason = error.reason if isinstance(error, ContentError) else f"damaged ({type(error).__name__})"
            tally.remark = f"not read to its end: {reason}" if tally.read else reason
            return
        if holds == "inside" and not tally.remark:
            self.whole.add(document.path)

    def _too_much(self, part: Document) -> bool:
        outer = part.outermost
        self._unpacked[outer.path] += part.size
        return self._unpacked[outer.path] > limits.UNPACKED + limits.RATIO * outer.size

    def _with(self, tally: _Tally, read: Prepared | Refused) -> Prepared | Refused:
        """The container's own record says how its parts fared; one of which nothing could be read is itself refused."""
        if not isinstance(read, Prepared):
            return read
        own = read.extraction
        if tally.remark and not tally.read and not own.text:
            return Refused(read.document, read.content_hash, "failed", tally.remark)
        meta = dict(own.meta) | ({"parts": str(tally.read)} if tally.read else {})
        status = "; ".join(said for said in (own.status, tally.status()) if said != "ok") or "ok"
        return replace(read, extraction=replace(own, meta=meta, status=status))


def holder(document: Document, kind: str, **meta: str) -> Extraction:
    """What a container is read as that has no text of its own: its parts are what is found."""
    return Extraction(text="", title=document.stem, kind=kind, meta=meta, keeps_original=False)


def too_large(size: int) -> Unreadable:
    """Why a part of a container is left out."""
    megabytes, most = size / limits.MEGABYTE, limits.MEMBER // limits.MEGABYTE
    return Unreadable(f"too large: {megabytes:.0f} MB (inside a container the limit is {most} MB)")
