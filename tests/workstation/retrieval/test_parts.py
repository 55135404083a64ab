"""The parts of retrieval that need no model: packed token vectors, the cut with its reserves, terms, spans."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from local_models.protocols import TextEmbedding
from storage.records import Locator, Passage
from workstation.evidence.spans import find_spans
from workstation.retrieval.candidates import Candidate, PassageTokens, Query
from workstation.retrieval.fusion import fuse
from workstation.retrieval.lexical import query_terms
from workstation.retrieval.reserves import cut
from workstation.retrieval.token_codec import TokenCodec, content_tokens


def embedding(rng: np.random.Generator, tokens: int, dimension: int = 384) -> TextEmbedding:
    vectors = rng.normal(size=(tokens, dimension)).astype(np.float32) + 2.0
    ids = np.arange(tokens, dtype=np.int32)
    return TextEmbedding(vectors[0] / np.linalg.norm(vectors[0]), vectors, ids, ids)


def candidate(n: int, kind: str = "text", match: float = 1.0) -> Candidate:
    passage = Passage(n, n, "v", "t", "p", kind, "en", Locator(0, 4), "text")
    return Candidate(passage, 0.9, None, n, match, rerank=-n)


def test_packed_token_vectors_point_where_the_full_ones_do() -> None:
    rng = np.random.default_rng(1)
    codec = TokenCodec.fit(embedding(rng, 50) for _ in range(20))
    codec = TokenCodec.from_bytes(codec.to_bytes())
    centred = codec.centre(embedding(rng, 160).tokens)
    codes = codec.encode(centred)
    assert len(codes) == 160 * 384 // 4
    assert len(codes) <= 20_000
    cosines = np.einsum("nd,nd->n", codec.decode(codes), centred)
    assert cosines.min() > 0.9  # two bits keep 88 % of a normal variable's variance: cosine .94 on average
    assert codec.decode(codec.encode(centred[:0])).shape == (0, 384)


@given(st.text(max_size=200))
def test_some_token_of_every_text_is_kept(text: str) -> None:
    starts = np.arange(len(text), dtype=np.int32)
    kept = content_tokens(starts, text)
    assert len(kept) == len(text) or 0 < len(kept) <= len(text)


@given(st.lists(st.lists(st.integers(0, 30), unique=True, max_size=12), max_size=4))
def test_fusion_keeps_everyone_and_puts_first_who_leads_every_lane(lanes: list[list[int]]) -> None:
    fused = fuse(*lanes)
    assert sorted(fused) == sorted({p for lane in lanes for p in lane})
    heads = {lane[0] for lane in lanes if lane}
    if len(heads) == 1:
        assert fused[0] == heads.pop()


def test_a_rare_kind_survives_the_cut_if_it_clears_the_floor() -> None:
    ordered = [candidate(n) for n in range(1, 9)] + [candidate(9, "mail"), candidate(10, "mail", match=0.1)]
    result = cut(ordered, keep=5, floor=0.5)
    kept = [c for c in result if c.kept]
    assert [c.passage.id for c in kept] == [1, 2, 3, 4, 9]
    assert [c.passage.id for c in kept if c.reserve] == [9]
    assert len(result) == len(ordered)


@given(st.integers(1, 12), st.lists(st.sampled_from(["text", "mail", "web"]), max_size=30))
def test_the_cut_keeps_as_many_as_asked_and_loses_none(keep: int, kinds: list[str]) -> None:
    ordered = [candidate(n, kind) for n, kind in enumerate(kinds)]
    result = cut(ordered, keep, 0.5)
    assert sum(c.kept for c in result) == min(keep, len(ordered))
    assert {c.passage.id for c in result} == {c.passage.id for c in ordered}


def test_terms_leave_out_what_says_nothing_but_never_everything() -> None:
    assert query_terms("When was the Treaty of Paris signed?", "en") == ("treaty", "paris", "signed")
    assert query_terms("To be or not to be", "en") == ("to", "be", "or", "not")
    assert query_terms("1,234.5 metres in 東京", "en") == ("1,234.5", "metres")


def test_a_span_is_a_slice_of_its_source_and_headings_are_never_quoted() -> None:
    text = "# Rivers\n\nThe Rhine is long. It flows north. Trains are fast."
    passage = Passage(1, 1, "v", "t", "p", "text", "en", Locator(100, 100 + len(text)), text)
    sentences = [(0, 8), (10, 28), (29, 44), (45, 61)]
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(4, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    starts = np.array([start for start, _ in sentences], dtype=np.int32)
    tokens = PassageTokens(vectors, np.arange(4, dtype=np.int32), starts)
    query = Query("q", "en", vectors[0], vectors[:2], tokens.ids[:2], np.ones(2, dtype=np.float32), ())
    found = find_spans(query, [Candidate(passage, 0.9, 1, 1, 0.5)], {1: tokens}, lambda text, language: sentences, 5)
    assert "Rhine" in found[0].quote
    for span in found:
        assert "#" not in span.quote
        assert text[span.locator.start - 100 : span.locator.end - 100] == span.quote
