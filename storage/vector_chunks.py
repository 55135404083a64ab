"""All vectors at once.

`SELECT embedding` costs vec0 about 10 us a row. Its shadow tables hold the same floats in chunks of 1,024, and reading
those is seven times faster. They are vec0's own business, so what they give is compared with what vec0 says,
and on any difference the rows are read the slow way.
"""

from __future__ import annotations

import apsw
import numpy as np
from numpy.typing import NDArray

from storage.database import scalar

Vectors = tuple[NDArray[np.int64], NDArray[np.float32]]


def read_all(connection: apsw.Connection, dimension: int) -> Vectors:
    """Passage ids (n,), ascending, and their unit vectors (n, d)."""
    try:
        ids, matrix = _chunks(connection, dimension)
        if _agrees(connection, ids, matrix):
            return ids, matrix
    except (apsw.SQLError, ValueError):
        pass
    return read_rows(connection, dimension)


def read_rows(connection: apsw.Connection, dimension: int) -> Vectors:
    """The same through vec0's public face."""
    rows = list(connection.execute("SELECT passage, embedding FROM passage_vector"))
    ids = np.fromiter((passage for passage, _ in rows), np.int64, len(rows))
    matrix = (
        np.frombuffer(b"".join(vector for _, vector in rows), "<f4").reshape(len(rows), dimension).astype(np.float32)
    )
    order = np.argsort(ids)
    return ids[order], matrix[order]


def _chunks(connection: apsw.Connection, dimension: int) -> Vectors:
    """Straight into arrays of the final size: half a million vectors take 768 MB, once."""
    count = int(scalar(connection, "SELECT count(*) FROM passage_vector_rowids"))
    ids, matrix = np.empty(count, np.int64), np.empty((count, dimension), np.float32)
    filled = 0
    rows = connection.execute(
        """SELECT c.validity, c.rowids, v.vectors
           FROM passage_vector_chunks c JOIN passage_vector_vector_chunks00 v ON v.rowid = c.chunk_id"""
    )
    for validity, rowids, vectors in rows:
        valid = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little").astype(bool)
        after = filled + int(valid.sum())
        ids[filled:after] = np.frombuffer(rowids, "<i8")[valid]
        matrix[filled:after] = np.frombuffer(vectors, "<f4").reshape(-1, dimension)[valid]
        filled = after
    if filled != count:
        raise ValueError(f"{filled} vectors in the chunks, {count} by the index")
    if np.any(ids[1:] < ids[:-1]):
        order = np.argsort(ids)
        ids, matrix = ids[order], matrix[order]
    return ids, matrix


def _agrees(connection: apsw.Connection, ids: NDArray[np.int64], matrix: NDArray[np.float32]) -> bool:
    """Whether vec0 gives the same vectors for the first, the middle and the last id."""
    for row in {0, len(ids) // 2, len(ids) - 1} if len(ids) else set():
        found = scalar(connection, "SELECT embedding FROM passage_vector WHERE passage = ?", (int(ids[row]),))
        if found != matrix[row].astype("<f4").tobytes():
            return False
    return True
