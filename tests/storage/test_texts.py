"""A slice of the stored text is the slice of the text."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage import texts
from storage.library import Library
from storage.packing import pack, path_in, path_out, unpack
from storage.schema import PART

from .making import DIMENSION, make_version

LONG = "".join(chr(0x1F600 + i % 60) + f" {i} é東" for i in range(4000))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("texts"), write=True, create=True) as opened:
        opened.bind_embedder("random", DIMENSION, b"")
        opened.add_version(make_version("/long", LONG, size=5000))
        yield opened


edges = st.one_of(st.integers(0, len(LONG)), st.integers(-2, 2).map(lambda i: PART + i), st.just(2 * PART))


@given(spans=st.lists(st.tuples(edges, edges).map(sorted), max_size=5))
def test_slices_equal_the_slices_of_the_text(library: Library, spans: list[list[int]]) -> None:
    found = texts.slices(library._connection, [(1, start, end) for start, end in spans])
    assert found == [LONG[start:end] for start, end in spans]


def test_passages_across_parts_are_whole(library: Library) -> None:
    assert "".join(passage.text for passage in library.passages_of(1)) == LONG == library.text(1)


@given(st.lists(st.integers(0, 2**31 - 1), max_size=50))
def test_numbers_come_back_as_they_were_packed(numbers: list[int]) -> None:
    assert unpack(pack(np.array(numbers, np.int64))).tolist() == numbers


@given(st.binary(max_size=30))
def test_any_file_name_is_a_path(name: bytes) -> None:
    path = name.decode("utf-8", "surrogateescape")
    assert path_out(path_in(path)) == path
