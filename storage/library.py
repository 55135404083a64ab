"""The library: everything above the database goes through this one object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import apsw
import numpy as np
from numpy.typing import NDArray

from storage import (
    blobs,
    checks,
    database,
    filters,
    fulltext,
    mending,
    passages,
    presence,
    schema,
    sources,
    texts,
    tokens,
    writing,
)
from storage.errors import EmbedderMismatch, LibraryCorrupt, NotWritable, StorageError
from storage.filters import Filter
from storage.lock import WriterLock
from storage.records import NewVersion, Page, Passage, Problem, Source, TokenRecord
from storage.validation import check
from storage.vectors import SMALL, VectorIndex

Hits = list[tuple[int, float]]

_COUNTS = """
SELECT (SELECT count(*) FROM source WHERE NOT removed), (SELECT count(*) FROM source WHERE removed),
       (SELECT count(*) FROM version), (SELECT count(*) FROM passage WHERE state = 1), (SELECT count(*) FROM problem)
"""


class Library:
    """An open library. One thread at a time may use it; open another for another thread.

    Opened for writing it is the only writer on the machine; any number of readers stand beside it, see each commit
    whole, and never wait. Methods raise StorageError and its kinds (storage.errors).
    """

    def __init__(self, folder: Path, connection: apsw.Connection, lock: WriterLock | None) -> None:
        self.folder = folder
        self._connection = connection
        self._lock = lock
        self._index: VectorIndex | None = None
        self._counted = (-1, 0)  # passages that can be found, as of a generation

    @classmethod
    def open(cls, folder: Path, *, write: bool = False, create: bool = False) -> Self:
        """The library in a folder. LibraryMissing when there is none and it is not to be created; LibraryBusy, at once,
        when it is to be written and another process does."""
        folder = Path(folder)
        if write or (create and not (folder / database.FILE).exists()):
            connection, lock = database.open_for_writing(folder, create=create)
            if write:
                return cls(folder, connection, lock)
            connection.close()
            lock.release()
        return cls(folder, database.open_for_reading(folder), None)

    def close(self) -> None:
        """Close it; a second time does nothing."""
        self._index = None
        try:
            with database.translated():
                self._connection.close()
        finally:
            if self._lock:
                self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything read inside sees the library at one moment, whatever a writer commits meanwhile."""
        with self._read():
            yield

    # What the library knows about itself

    def bind_embedder(self, fingerprint: str, dimension: int, codec: bytes) -> None:
        """Say which embedder makes the vectors. The first call stores it, with the codec of the token vectors; a later
        one raises EmbedderMismatch for another fingerprint or dimension, and leaves the stored codec as it is."""
        bound = self.embedder()
        if bound is None:
            with self._write() as connection:
                connection.execute("INSERT INTO embedder VALUES (1, ?, ?, ?)", (fingerprint, dimension, codec))
                connection.execute(schema.vector_table(dimension))
        elif bound[:2] != (fingerprint, dimension):
            raise EmbedderMismatch(
                f"The library's vectors are by {bound[0]} ({bound[1]} numbers), not by {fingerprint} ({dimension})."
            )

    def embedder(self) -> tuple[str, int, bytes] | None:
        """Fingerprint, dimension and codec, or None before the first `bind_embedder`."""
        with self._read() as connection:
            row = connection.execute("SELECT fingerprint, dimension, codec FROM embedder").fetchone()
        return (row[0], row[1], row[2]) if row else None

    def counts(self) -> dict[str, int]:
        """How many sources, removed, versions, passages (that can be found), problems and vectors there are."""
        with self._read() as connection:
            found = connection.execute(_COUNTS).fetchone() or ()
            bound = connection.table_exists("main", "passage_vector")
            vectors = database.scalar(connection, "SELECT count(*) FROM passage_vector_rowids") if bound else 0
        return dict(zip(("sources", "removed", "versions", "passages", "problems"), found, strict=True)) | {
            "vectors": vectors
        }

    def passage_count(self) -> int:
        """How many passages can be found: the N of an inverse document frequency."""
        with self._read() as connection:
            generation = int(database.scalar(connection, "SELECT value FROM generation"))
            if generation != self._counted[0]:  # 10 ms for 100,000, and every search asks
                count = int(database.scalar(connection, "SELECT count(*) FROM passage WHERE state = 1"))
                self._counted = (generation, count)
        return self._counted[1]

    # Taking in

    def add_version(self, new: NewVersion, original: bytes | Path | None = None, *, reread: bool = False) -> Source:
        """Store what was read from a path, in one transaction: the source, the version, its passages and all that finds
        them. The former version's passages are found no more; its text stays.

        Bytes that are the current version already change nothing, unless `reread` says that they were read again to
        better effect (pages recognised that were images): a text that differs then becomes a version of its own, named
        hash#2. The original is kept before the commit. ValueError when the parts do not fit together."""
        with self._read() as connection:
            bound = self.embedder()
            known = writing.standing(connection, new.path)
        check(new, bound[1] if bound else None)
        if original is not None:
            blobs.put(self._writable(), original, new.content_hash)
        with self._write() as connection:
            if known and known.hash == new.content_hash and not reread:
                source = writing.seen_again(connection, known, new.path, original is not None)
            else:
                source = writing.take_in(connection, new, known, original is not None)
            return sources.get(connection, source)

    def set_kind(self, source: int, kind: str) -> None:
        """Call a source's current version another kind of document."""
        with self._write() as connection:
            version = sources.version(connection, source, None)[0]
            connection.execute("UPDATE version SET kind = ? WHERE id = ?", (kind, version))

    def remove(self, source: int) -> None:
        """Take a source out of every search. Its texts and originals stay, so that citations verify; `restore`
        undoes it."""
        with self._write() as connection:
            if sources.get(connection, source).status != "removed":
                writing.remove(connection, source)

    def restore(self, source: int) -> None:
        """Undo `remove`."""
        with self._write() as connection:
            if sources.get(connection, source).status == "removed":
                writing.restore(connection, source)

    def purge(self, source: int) -> None:
        """Delete a source for good, with every version and original, and overwrite what it leaves in the database.
        Citations of it verify no more, and nothing undoes this."""
        with self._write() as connection:
            sources.get(connection, source)
        with database.translated():
            mending.purge(self._connection, self.folder, source)

    def mark_seen(self, source_ids: Iterable[int]) -> None:
        """These sources are still where they were; one that had vanished is back."""
        with self._write() as connection:
            presence.mark_seen(connection, source_ids)

    def mark_vanished(self, paths: Iterable[str]) -> int:
        """Nothing is at these paths any more: the sources get status "vanished" and are found as before. How many."""
        with self._write() as connection:
            return presence.mark_vanished(connection, paths)

    def record_problem(self, problem: Problem) -> None:
        """Note a path that could not be ingested. A success clears it, another word on the path replaces it."""
        with self._write() as connection:
            presence.record_problem(connection, problem)

    def problems(self) -> list[Problem]:
        with self._read() as connection:
            return presence.problems(connection)

    # Reading sources

    def sources(self, *, removed: bool = False, after: int = 0, limit: int | None = None) -> list[Source]:
        """All sources by id, or at most `limit` of those with ids above `after`; the removed ones only when asked
        for."""
        with self._read() as connection:
            return sources.listing(connection, removed=removed, after=after, limit=limit)

    def readings(self, source_id: int) -> list[tuple[str, str, str, int]]:
        """Name, time of reading, status and number of passages of each version of a source, oldest first."""
        with self._read() as connection:
            return sources.readings(connection, source_id)

    def source(self, source_id: int) -> Source:
        with self._read() as connection:
            return sources.get(connection, source_id)

    def source_at(self, path: str) -> Source | None:
        """The source read from this path; one that was removed has the status "removed"."""
        with self._read() as connection:
            return sources.at(connection, path)

    def sources_with_hash(self, content_hash: str) -> list[Source]:
        """The sources whose current bytes have this hash: copies of a file under several paths."""
        with self._read() as connection:
            return sources.with_hash(connection, content_hash)

    def paths_under(self, folder: str) -> dict[str, int]:
        """Path and id of the sources read from below a folder."""
        with self._read() as connection:
            return presence.paths_under(connection, folder)

    def text(self, source_id: int, version: str | None = None) -> str:
        """The text of a version; of the current one by default. Former versions keep theirs."""
        with self._read() as connection:
            return texts.whole(connection, sources.version(connection, source_id, version)[0])

    def version_text(self, version: str) -> str:
        """The text of a version by its name alone."""
        with self._read() as connection:
            return sources.text_of_version(connection, version)

    def pages(self, source_id: int, version: str | None = None) -> tuple[Page, ...]:
        with self._read() as connection:
            return sources.pages(connection, sources.version(connection, source_id, version)[0])

    def source_meta(self, source_id: int, version: str | None = None) -> Mapping[str, str]:
        """The `meta` that came with a version."""
        with self._read() as connection:
            return sources.meta(connection, sources.version(connection, source_id, version)[0])

    def original(self, source_id: int, version: str | None = None) -> Path | None:
        """The file that holds the bytes as they were read, if they were kept."""
        with self._read() as connection:
            digest = sources.version(connection, source_id, version)[1]
        try:
            path = blobs.path_of(self.folder, digest)
        except ValueError:
            return None
        return path if path.exists() else None

    # Reading passages

    def passages(self, ids: Sequence[int]) -> list[Passage]:
        """These passages, in this order; those of former versions too."""
        with self._read() as connection:
            return passages.get(connection, ids)

    def passages_of(self, source_id: int) -> list[Passage]:
        """The passages of a source's current version, in the order of its text."""
        with self._read() as connection:
            return passages.of_source(connection, source_id)

    def passage_texts(self) -> Iterator[Passage]:
        """Every passage that can be found, by id, without holding them all in memory."""
        with database.translated():
            yield from passages.every_active(self._connection)

    # Health

    def check(self, seconds: float = 5.0) -> list[checks.Finding]:
        """What is wrong with the library, looking for about this long at most."""
        try:
            with self._read() as connection:
                return checks.examine(connection, self.folder, seconds)
        except LibraryCorrupt as error:
            return [checks.damaged(str(error))]

    def mend(self, findings: Iterable[checks.Finding]) -> list[checks.Finding]:
        """Put right what can be without reading anything again, and return the rest."""
        with self._write() as connection:
            return mending.mend(connection, self.folder, findings)

    def rebuild_fulltext(self) -> None:
        """Make the text indexes anew from the stored text, with the tokenizers of this program."""
        with self._write() as connection:
            mending.rebuild_fulltext(connection)

    # Finding passages: (passage id, score), best first

    def lexical(
        self,
        terms: Sequence[str],
        k: int,
        *,
        head_weight: float = fulltext.HEAD_WEIGHT,
        where: Filter | None = None,
        beginning: str = "",
    ) -> Hits:
        """Passages that hold any of the terms, by BM25 (higher is better). A term is data, whatever it contains; one of
        several words is a phrase. `head_weight`: of title and heading, beside 1 for the passage. `where`: the only
        passages to rank. `beginning`: of one more word, which may go on in any way."""
        with self._read() as connection:
            count = self.passage_count()
            return fulltext.lexical(connection, terms, k, head_weight, count, where, beginning)

    def unspaced(
        self, terms: Sequence[str], k: int, *, head_weight: float = fulltext.HEAD_WEIGHT, where: Filter | None = None
    ) -> Hits:
        """The same for scripts written without spaces, and Korean, by character bigrams. A whole question may be a
        term; what is in other scripts is passed over."""
        with self._read() as connection:
            return fulltext.unspaced_terms(connection, terms, k, head_weight, self.passage_count(), where)

    def matching(self, where: Filter) -> list[int]:
        """The passages that can be found and that the filter lets through, in no order."""
        with self._read() as connection:
            return [id for (id,) in connection.execute(*filters.among(where))]

    def kinds_and_languages(self) -> tuple[list[str], list[str]]:
        """The kinds and the languages of the sources that can be found, those of most sources first."""
        with self._read() as connection:
            return sources.kinds_and_languages(connection)

    def phrase(self, text: str, k: int, *, head_weight: float = fulltext.HEAD_WEIGHT) -> Hits:
        """Passages that hold these words one after the other, in any script, by BM25."""
        with self._read() as connection:
            return fulltext.phrase(connection, text, k, head_weight)

    def dense(self, vector: NDArray[np.float32], k: int) -> Hits:
        """Passages nearest to a vector (d,), by cosine in [-1, 1]."""
        with self._read():
            index = self._vectors()
            return index.search(vector, k, matrix=self.passage_count() > SMALL) if index else []

    def vectors(self, ids: Sequence[int]) -> NDArray[np.float32]:
        """The unit vectors of passages that can be found, in this order: (n, d). NotFound for any other."""
        with self._read():
            index = self._vectors()
            if index is None:
                raise StorageError("The library has no vectors yet.")
            return index.get(ids)

    def token_records(self, ids: Sequence[int]) -> list[TokenRecord]:
        """The token records of passages that can be found, in this order. NotFound for any other."""
        with self._read() as connection:
            return tokens.get(connection, ids)

    def token_frequency(self, token_ids: Iterable[int]) -> dict[int, int]:
        """In how many passages that can be found each token occurs; 0 for one that occurs in none."""
        with self._read() as connection:
            return tokens.frequency(connection, token_ids)

    # Transactions

    @contextmanager
    def _read(self) -> Iterator[apsw.Connection]:
        with database.translated(), self._connection:
            yield self._connection

    @contextmanager
    def _write(self) -> Iterator[apsw.Connection]:
        self._writable()
        with database.translated(), self._connection:
            yield self._connection

    def _writable(self) -> Path:
        if self._lock is None:
            raise NotWritable(str(self.folder))
        return self.folder

    def _vectors(self) -> VectorIndex | None:
        if self._index is None:
            bound = self.embedder()
            self._index = VectorIndex(self._connection, bound[1]) if bound else None
        return self._index
