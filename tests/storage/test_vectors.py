"""Both ways to the nearest passages give the same answer, whatever was added, replaced or removed before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage import vector_chunks
from storage.library import Library

from .making import DIMENSION, Maker, make_version


def both(library: Library, query: np.ndarray, k: int) -> None:
    index = library._vectors()
    assert index is not None
    durable, fast = (index.search(query, k, matrix=way) for way in (False, True))
    assert [passage for passage, _ in durable] == [passage for passage, _ in fast]
    assert np.allclose([cosine for _, cosine in durable], [cosine for _, cosine in fast], atol=1e-5)
    assert len(fast) == min(k, library.passage_count())


step = st.tuples(st.sampled_from(["add", "replace", "remove", "restore"]), st.integers(0, 3), st.integers(1, 12))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(step, min_size=1, max_size=8), seed=st.integers(0, 2**32 - 1))
def test_the_matrix_follows_every_change(tmp_path: Path, steps: list[tuple[str, int, int]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    folder = tmp_path / f"{seed}-{rng.integers(1 << 60)}-{len(list(tmp_path.iterdir()))}"
    with Library.open(folder, write=True, create=True) as library, Library.open(folder) as reader:
        library.bind_embedder("random", DIMENSION, b"")
        for number, (what, which, passages) in enumerate(steps):
            known = library.source_at(f"/{which}")
            if what in ("add", "replace") or known is None:
                library.add_version(make_version(f"/{which}", f"{number} " * passages * 10, size=20, seed=number))
            elif what == "remove":
                library.remove(known.id)
            else:
                library.restore(known.id)
            query = rng.standard_normal(DIMENSION).astype(np.float32)
            for each in (library, reader):
                both(each, query, int(rng.integers(1, 30)))
        assert library.check() == []


def test_chunks_and_rows_hold_the_same_vectors(library: Library, new: Maker) -> None:
    for number in range(3):
        library.add_version(new(f"/{number}", f"{number} " * 12_000, size=40))  # over one chunk of 1,024
    library.add_version(new("/1", "changed"))
    ids, matrix = vector_chunks.read_all(library._connection, DIMENSION)
    same_ids, same_matrix = vector_chunks.read_rows(library._connection, DIMENSION)
    assert len(ids) == library.passage_count() > 1024
    assert np.array_equal(ids, same_ids)
    assert np.array_equal(matrix, same_matrix)


def test_shadow_tables_of_another_make_are_read_row_by_row(
    library: Library, new: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = library.add_version(new("/a", "word " * 400))
    monkeypatch.setattr(vector_chunks, "_chunks", lambda *_: (np.arange(10), np.zeros((10, DIMENSION), np.float32)))
    ids, _ = vector_chunks.read_all(library._connection, DIMENSION)
    assert ids.tolist() == [passage.id for passage in library.passages_of(source.id)]


def test_a_large_library_takes_the_matrix_and_many_vectors_come_at_once(
    library: Library, new: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = library.add_version(new("/a", "word " * 4000, size=20))
    ids = [passage.id for passage in library.passages_of(source.id)]
    few = library.vectors(ids[:50])
    monkeypatch.setattr("storage.library.SMALL", 100)
    query = np.ones(DIMENSION, np.float32)
    assert library.dense(query, 10) == library._vectors().search(query, 10, matrix=True)  # type: ignore[union-attr]
    assert np.array_equal(library.vectors(ids)[:50], few)


@pytest.mark.parametrize("query", [np.zeros(DIMENSION), np.full(DIMENSION, np.nan), np.full(DIMENSION, np.inf)])
def test_a_vector_without_direction_is_near_nothing(library: Library, new: Maker, query: np.ndarray) -> None:
    library.add_version(new("/a", "word"))
    assert library.dense(query.astype(np.float32), 5) == []
