"""What an embedder promises, asked of the shipped ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from local_models.admin import import_model
from local_models.errors import Cancelled
from local_models.layout import arrange
from local_models.llama_tokenizer import LlamaTokenizer
from local_models.loader import Loader
from local_models.protocols import Embedder, PassageInput, TextEmbedding
from local_models.tokenization import Tokenizer, open_tokenizer

REFERENCE = json.loads((Path(__file__).parent / "data" / "e5_reference.json").read_text(encoding="utf-8"))
PASSAGES = [
    "The committee approved the budget in March.",
    "Tea is grown in the hills above the town, where the mornings are cool and the soil drains well. " * 6,
    "",
    "委员会批准了预算。",
    "A short one.",
]

pytestmark = pytest.mark.models


def embed(embedder: Embedder, *texts: str, context: str = "") -> list[TextEmbedding]:
    return list(embedder.embed_passages([PassageInput(text, context) for text in texts]))


@pytest.fixture(scope="module", params=["sentencepiece", "json", "gguf"])
def tokenizer(request: pytest.FixtureRequest, models_dir: Path) -> Tokenizer:
    """Each kind of tokenizer, from the shipped models."""
    if request.param == "gguf":
        return LlamaTokenizer(models_dir / "all-minilm-l6-v2" / "all-minilm-l6-v2-f16.gguf")
    names = {"sentencepiece": "multilingual-e5-small/tokenizer.spm", "json": "all-minilm-l6-v2/tokenizer.json"}
    return open_tokenizer(models_dir / names[request.param])


@pytest.mark.parametrize("sample", REFERENCE["texts"], ids=lambda sample: sample["name"])
def test_multilingual_token_ids_are_those_of_the_models_own_tokenizer(sample: dict[str, Any], models_dir: Path) -> None:
    tokenizer = open_tokenizer(models_dir / "multilingual-e5-small" / "tokenizer.spm")
    assert tokenizer.encode("passage: " + sample["text"]).ids == sample["ids"]


def test_decomposed_letters_are_read_like_composed_ones(multilingual: Embedder) -> None:
    composed, decomposed = embed(multilingual, "việt nam, été, 한글", "vie\u0323\u0302t nam, e\u0301te\u0301, 한글")
    assert composed.ids.tolist() == decomposed.ids.tolist()


def test_multilingual_cosines_are_those_of_the_models_own_engine(multilingual: Embedder) -> None:
    query = multilingual.embed_query(REFERENCE["query"]).vector
    found = [float(e.vector @ query) for e in embed(multilingual, *(s["text"] for s in REFERENCE["texts"]))]
    assert found == pytest.approx(REFERENCE["cosines"], abs=0.01)


def test_a_passage_in_a_batch_is_the_passage_alone(embedder: Embedder) -> None:
    for text, together in zip(PASSAGES, embed(embedder, *PASSAGES), strict=True):
        (alone,) = embed(embedder, text)
        assert float(alone.vector @ together.vector) > 0.9999
        assert together.ids.tolist() == alone.ids.tolist()
        norms = np.linalg.norm(alone.tokens, axis=1) * np.linalg.norm(together.tokens, axis=1)
        assert ((alone.tokens * together.tokens).sum(axis=1) > 0.9999 * norms).all()


def test_results_have_the_promised_shapes(embedder: Embedder) -> None:
    for text, found in zip(PASSAGES, embed(embedder, *PASSAGES), strict=True):
        assert found.vector.shape == (embedder.dimension,)
        assert float(np.linalg.norm(found.vector)) == pytest.approx(1, abs=1e-5)
        assert found.tokens.shape == (len(found.ids), embedder.dimension)
        assert len(found.ids) == len(found.starts) <= embedder.window
        assert embedder.count_tokens(text) - len(found.ids) in (0, 1)  # a word mark before Chinese counts when alone
        assert (found.vector.dtype, found.tokens.dtype, found.ids.dtype) == (np.float32, np.float32, np.int32)
    assert embed(embedder) == []


def test_a_text_beyond_the_window_is_cut(embedder: Embedder) -> None:
    text = "kauri " * 4000
    (passage,) = embed(embedder, text, context="About trees. " * 300)
    assert 0.7 * embedder.window < len(passage.ids) < embedder.window  # the context takes a quarter at most
    (bare,) = embed(embedder, text)
    assert len(bare.ids) == embedder.window
    assert abs(len(embedder.embed_query(text).ids) - embedder.window) < 4  # the prefixes differ


def test_context_is_read_but_has_no_tokens(embedder: Embedder) -> None:
    (without,), (within,) = (embed(embedder, "It fell by 3 %.", context=context) for context in ("", "Copper prices"))
    assert within.ids.tolist() == without.ids.tolist()
    assert within.starts.tolist() == without.starts.tolist()
    query = embedder.embed_query("What happened to copper prices?").vector
    assert float(within.vector @ query) > float(without.vector @ query) + 0.01


def test_starts_point_at_the_words(embedder: Embedder) -> None:
    text = "Zwei  Wörter\nund 中文, (naïve) 🎉 end"
    (found,) = embed(embedder, text, context="A heading")
    assert {text[start] for start in found.starts} >= {"Z", "W", "u", "中", ",", "(", "n", "🎉", "e"}
    assert not any(text[start].isspace() for start in found.starts[[0, 1, -1]])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=80), context=st.text(max_size=20))
def test_offsets_never_leave_the_text(tokenizer: Tokenizer, text: str, context: str) -> None:
    laid = arrange(tokenizer, 64, "query: ", context, text)
    assert len(laid.ids) <= 64
    assert laid.ids[-1:] == list(tokenizer.tail)
    assert len(laid.starts) == laid.last - laid.first
    assert (np.diff(laid.starts) >= 0).all()
    assert all(0 <= start < len(text) for start in laid.starts)


def test_control_tokens_in_a_text_are_text(tokenizer: Tokenizer) -> None:
    special = {*tokenizer.lead, *tokenizer.tail}
    assert special
    assert not special & set(tokenizer.encode("</s> <s> [SEP] [CLS] <mask>").ids)


def test_embedding_stops_when_asked(embedder: Embedder) -> None:
    stopping: list[bool] = []
    stream = embedder.embed_passages([PassageInput(PASSAGES[1])] * 40, lambda: bool(stopping))
    next(stream)
    stopping.append(True)
    with pytest.raises(Cancelled):
        list(stream)


def test_a_brought_gguf_is_read_with_its_own_tokenizer(models_dir: Path, tmp_path: Path, embedders: Any) -> None:
    shipped = models_dir / "all-minilm-l6-v2" / "all-minilm-l6-v2-f16.gguf"
    import_model(tmp_path, shipped, "embedder", model_id="mine")
    loader = Loader(tmp_path)
    text = "The Café in Zürich charges 5,000 € & more; state-of-the-art [SEP] 中文 x²."
    mine, ours = loader.embedder().embed_query(text), embedders["all-minilm-l6-v2"].embed_query(text)
    assert float(mine.vector @ ours.vector) > 0.9999
    assert mine.ids.tolist() == ours.ids.tolist()
    assert mine.starts.tolist() == ours.starts.tolist()
    loader.close()


def test_fingerprints_tell_vector_spaces_apart(embedders: dict[str, Embedder]) -> None:
    assert len({embedder.fingerprint for embedder in embedders.values()}) == len(embedders)
