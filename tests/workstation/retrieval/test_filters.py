"""Filters by kind, language and date: read out of what was typed, and applied in the lanes, before anything is cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from local_models.protocols import TextEmbedding
from storage.filters import Filter
from storage.library import Library
from tests.conftest import Flori
from tests.storage.making import DIMENSION, make_version
from workstation.retrieval.filters import read_query
from workstation.retrieval.lexical_lane import lexical_lane
from workstation.retrieval.marking import matching_words
from workstation.retrieval.retriever import LANE, Retriever
from workstation.retrieval.thresholds import Thresholds
from workstation.retrieval.token_codec import TokenCodec


@pytest.mark.parametrize(
    ("typed", "words", "where"),
    [
        ("lens kind:pdf weight", "lens weight", Filter(kinds=("pdf",))),
        ("KIND:PDF lang:de language:en lens", "lens", Filter(("pdf",), ("de", "en"))),
        ("after:2020 lens before:2021-05", "lens", Filter(after="2020", before="2021-05")),
        ("lens after:yesterday", "lens after:yesterday", Filter()),
        ("lens after:2020-13", "lens after:2020-13", Filter()),
        ("author:eco kind: http://a.b", "author:eco kind: http://a.b", Filter()),
        ('"kind:pdf" mankind:pdf', '"kind:pdf" mankind:pdf', Filter()),
    ],
)
def test_what_is_no_filter_is_text(typed: str, words: str, where: Filter) -> None:
    asked = read_query(typed)
    assert (asked.words, asked.where) == (words, where)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """More letters that hold the word often than a lane has room for, and two PDFs that hold it once."""
    with Library.open(tmp_path / "library", write=True, create=True) as opened:
        opened.bind_embedder("random", DIMENSION, b"codec")
        for n in range(LANE + 20):
            opened.add_version(replace(make_version(f"/mail/{n}", f"tower tower tower {n}", seed=1), kind="mail"))
        for n, date in enumerate(("2019-05-01", "2021-02-03")):
            text = f"The tower of {date}, among many other words about other things"
            opened.add_version(replace(make_version(f"/{n}.pdf", text, seed=2), kind="pdf", language="de", date=date))
        yield opened


def test_the_lane_ranks_only_what_the_filter_lets_through(library: Library) -> None:
    def kinds(where: Filter | None) -> set[str]:
        return {p.kind for p in library.passages(lexical_lane(library, "tower", ["tower"], LANE, where))}

    assert kinds(None) == {"mail"}
    assert kinds(Filter(kinds=("PDF",))) == {"pdf"}
    assert kinds(Filter(languages=("de",))) == {"pdf"}
    found = lexical_lane(library, "tower", ["tower"], LANE, Filter(after="2020", before="2022"))
    assert [p.path for p in library.passages(found)] == ["/1.pdf"]
    assert lexical_lane(library, "tow", (), LANE, Filter(kinds=("pdf",)), "tow")


class Blind:
    """An embedder to which every question is the mails' own vector."""

    fingerprint = "random"
    dimension = DIMENSION

    def __init__(self, vector: np.ndarray) -> None:
        self._vector = vector

    def embed_query(self, text: str) -> TextEmbedding:
        ids = np.zeros(1, np.int32)
        return TextEmbedding(self._vector, self._vector[None], ids, ids)


def test_a_search_keeps_what_the_filter_wants_however_far_behind_it_stands(library: Library) -> None:
    rng = np.random.default_rng(1)
    ids = np.arange(4, dtype=np.int32)
    samples = rng.normal(size=(20, 4, DIMENSION)).astype(np.float32)
    codec = TokenCodec.fit(TextEmbedding(s[0] / np.linalg.norm(s[0]), s, ids, ids) for s in samples)
    vector = library.vectors([library.passages_of(1)[0].id])[0]
    thresholds = Thresholds(0.0, 0.0, 0.0, 0.0, 0.0)
    retriever = Retriever(library, Blind(vector), codec, thresholds, lambda text: "en")  # type: ignore[arg-type]
    retriever._order = lambda query, pool: pool  # type: ignore[method-assign]  # the stored token vectors are random
    assert {c.passage.kind for c in retriever.search("tower", 10).candidates} == {"mail"}
    found = retriever.search("tower", 10, where=Filter(after="2019", languages=("de",)))
    assert [c.passage.kind for c in found.kept] == ["pdf", "pdf"]


def test_words_are_marked_whatever_their_case_and_accents() -> None:
    text = "Le Phare éclairé; phares. 灯台の光"
    marks = matching_words(text, ["phare", "eclaire", "灯台"])
    assert [text[a:b] for a, b in marks] == ["Phare", "éclairé", "灯台"]
    assert [text[a:b] for a, b in matching_words(text, [], "pha")] == ["Phare", "phares"]


def test_the_command_takes_the_same_filters_as_options(sample_flori: Flori) -> None:
    (pdf,) = [row for row in sample_flori("--json", "sources").json["sources"] if row["kind"] == "pdf"]
    for query, *options in (("the tower", "--kind", "pdf"), ("the tower kind:PDF",)):
        found = sample_flori("--json", "search", query, *options).json["candidates"]
        assert {c["source"] for c in found} == {pdf["source"]}
    assert sample_flori("search", "tower", "--after", "soon").code == 3
    assert sample_flori("search", "kind:pdf").code == 3
