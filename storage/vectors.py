"""The dense lane: sqlite-vec keeps the vectors, a matrix in memory answers for larger libraries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import apsw
import numpy as np
from numpy.typing import NDArray

from storage.database import scalar
from storage.errors import NotFound
from storage.vector_chunks import read_all

Vector = NDArray[np.float32]
Hits = list[tuple[int, float]]

# Up to here sqlite-vec answers by itself; above, the first question reads the matrix into memory. Per 1,000 vectors of
# 384, on two slow cores: sqlite-vec 0.9 ms a question, the matrix 1.5 ms once and 0.07 ms a question.
SMALL = 5000

# vec0's own limit on k.
MAX_VEC0_K = 4096

# Look-ups one by one cost about 0.15 ms each, reading 10,000 vectors at once about 15 ms.
FEW = 200

# A matrix takes in up to this many new vectors one by one; past that it is read anew.
TOP_UP = 1000


def add(connection: apsw.Connection, rows: Iterable[tuple[int, Vector]]) -> None:
    connection.executemany(
        "INSERT INTO passage_vector(passage, embedding) VALUES (?, ?)",
        [(passage, np.ascontiguousarray(vector, "<f4").tobytes()) for passage, vector in rows],
    )


def drop(connection: apsw.Connection, passages: Iterable[int]) -> None:
    connection.executemany("DELETE FROM passage_vector WHERE passage = ?", [(passage,) for passage in passages])


def put_aside(connection: apsw.Connection, passages: Sequence[int]) -> None:
    """Take vectors out of the search but keep them."""
    connection.executemany(
        "INSERT INTO vector_aside SELECT passage, embedding FROM passage_vector WHERE passage = ?",
        [(passage,) for passage in passages],
    )
    drop(connection, passages)


def take_back(connection: apsw.Connection, passages: Sequence[int]) -> None:
    """Undo `put_aside`."""
    rows = [(passage,) for passage in passages]
    connection.executemany(
        "INSERT INTO passage_vector(passage, embedding) SELECT passage, vector FROM vector_aside WHERE passage = ?",
        rows,
    )
    connection.executemany("DELETE FROM vector_aside WHERE passage = ?", rows)


class VectorIndex:
    """Nearest passages by cosine, for one connection. Follows what the connection sees: a change of generation, by this
    or another process, refreshes the matrix at the next question."""

    def __init__(self, connection: apsw.Connection, dimension: int) -> None:
        self._connection = connection
        self._dimension = dimension
        self._generation = -1
        self._ids: NDArray[np.int64] = np.empty(0, np.int64)
        self._matrix: Vector = np.empty((0, dimension), np.float32)

    def search(self, vector: Vector, k: int, *, matrix: bool) -> Hits:
        """The k passages nearest to a vector (d,) of any length but zero: (passage, cosine), best first. `matrix` says
        which way to go."""
        query = np.asarray(vector, np.float32)
        if query.shape != (self._dimension,):
            raise ValueError(f"expected a vector of {self._dimension}, got shape {query.shape}")
        norm = float(np.linalg.norm(query))
        if not np.isfinite(norm) or norm == 0 or k < 1:
            return []
        return self._by_matrix(query / norm, k) if matrix or k > MAX_VEC0_K else self._by_vec0(query / norm, k)

    def get(self, passages: Sequence[int]) -> Vector:
        """The unit vectors of these passages, in order: (n, d). NotFound when one has none (it was retired)."""
        if len(passages) > FEW:
            self._refresh()
        if self._generation == self._current():
            at = np.searchsorted(self._ids, np.asarray(passages, np.int64))
            known = (at < len(self._ids)) & (
                self._ids[np.minimum(at, len(self._ids) - 1)] == passages if len(self._ids) else False
            )
            if not np.all(known):
                raise NotFound(f"Passage {passages[int(np.argmin(known))]} has no vector.")
            return self._matrix[at]
        found = np.empty((len(passages), self._dimension), np.float32)
        for row, passage in enumerate(passages):
            found[row] = self._one(passage)
        return found

    def _by_vec0(self, query: Vector, k: int) -> Hits:
        rows = self._connection.execute(
            "SELECT passage, 1 - distance FROM passage_vector WHERE embedding MATCH ? AND k = ?",
            (query.astype("<f4").tobytes(), k),
        )
        return sorted(((int(passage), float(cosine)) for passage, cosine in rows), key=lambda hit: (-hit[1], hit[0]))

    def _by_matrix(self, query: Vector, k: int) -> Hits:
        self._refresh()
        cosines = self._matrix @ query
        best = np.arange(len(cosines))
        if k < len(cosines):
            best = np.argpartition(-cosines, k - 1)[:k]
        best = best[np.lexsort((self._ids[best], -cosines[best]))]
        return [(int(self._ids[row]), float(cosines[row])) for row in best]

    def _refresh(self) -> None:
        generation = self._current()
        if generation == self._generation:
            return
        if not self._top_up():
            self._ids, self._matrix = read_all(self._connection, self._dimension)
        self._generation = generation

    def _top_up(self) -> bool:
        """Drop the rows that went and append those that came, when they are few and came last."""
        if not len(self._ids):
            return False
        rows = self._connection.execute("SELECT id FROM passage WHERE state = 1 ORDER BY id")
        active = np.fromiter((passage for (passage,) in rows), np.int64)
        stay = np.isin(self._ids, active, assume_unique=True)
        came = np.setdiff1d(active, self._ids, assume_unique=True)
        if len(came) > TOP_UP or (len(came) and came[0] < self._ids[-1]):
            return False
        if not np.all(stay):
            self._ids, self._matrix = self._ids[stay], self._matrix[stay]
        if len(came):
            vectors = np.stack([self._one(int(passage)) for passage in came])
            self._ids, self._matrix = np.concatenate([self._ids, came]), np.concatenate([self._matrix, vectors])
        return True

    def _one(self, passage: int) -> Vector:
        stored = scalar(self._connection, "SELECT embedding FROM passage_vector WHERE passage = ?", (passage,))
        if stored is None:
            raise NotFound(f"Passage {passage} has no vector.")
        return np.frombuffer(stored, "<f4")

    def _current(self) -> int:
        return int(scalar(self._connection, "SELECT value FROM generation"))
