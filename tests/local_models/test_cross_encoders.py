"""sentence-transformers models and cross-encoders, on tiny random ones made here: no package ships a reranker."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from local_models.admin import import_model
from local_models.errors import Cancelled
from local_models.install.bert_gguf import BertShape, bert_writer, write_gguf
from local_models.install.minilm_gguf import LAYER_TENSORS, TOP_TENSORS, add_vocabulary
from local_models.loader import Loader
from local_models.protocols import PassageInput

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

WORDS = re.findall(
    r"\S+", "the tea is grown in hills , copper price fell by three per cent what happened to of ? . a ##s"
)
QUERY = "what happened to the price of copper ?"
TEXTS = [
    "the price of copper fell by three per cent .",
    "teas is grown in the hills .",
    "",
    "copper [SEP] [CLS] tea",
    "tea in hills , " * 200,
]
SIZE, LAYERS, HEADS, INNER = 64, 2, 2, 128

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tokenizer_json() -> str:
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    ids = {word: number for number, word in enumerate([*special, *WORDS, "[", "]", "sep", "cls"])}
    tokenizer = Tokenizer(WordPiece(ids, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
    ends = [(name, ids[name]) for name in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ends
    )
    tokenizer.add_special_tokens(special)
    return str(tokenizer.to_str())


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory, tokenizer_json: str) -> Path:
    """A BertForSequenceClassification with one output and weights large enough to matter."""
    folder = tmp_path_factory.mktemp("cross-encoder")
    (folder / "tokenizer.json").write_text(tokenizer_json)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"), pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", mask_token="[MASK]", model_max_length=128,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )  # fmt: skip
    config = transformers.BertConfig(
        vocab_size=len(tokenizer), hidden_size=SIZE, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
        intermediate_size=INNER, max_position_embeddings=128, num_labels=1, initializer_range=0.25,
    )  # fmt: skip
    torch.manual_seed(7)
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def gguf(cross_encoder: Path, tokenizer_json: str) -> Path:
    """The same cross-encoder for llama.cpp."""
    from gguf.constants import PoolingType

    path = cross_encoder / "tiny.gguf"
    writer = bert_writer(path, BertShape(128, SIZE, INNER, LAYERS, HEADS, 1e-12))
    writer.add_pooling_type(PoolingType.RANK)
    facts = json.loads(tokenizer_json)
    add_vocabulary(writer, facts["model"]["vocab"], {token["content"] for token in facts["added_tokens"]})
    names = {f"bert.{source}": target for source, target in TOP_TENSORS.items()}
    for layer in range(LAYERS):
        names |= {f"bert.encoder.layer.{layer}.{a}": f"blk.{layer}.{b}" for a, b in LAYER_TENSORS.items()}
    names |= {"bert.pooler.dense": "cls", "classifier": "cls.output"}
    model = transformers.BertForSequenceClassification.from_pretrained(cross_encoder)
    for name, values in model.state_dict().items():
        module, _, kind = name.rpartition(".")
        writer.add_tensor(f"{names[module]}.{kind}", values.numpy().astype(np.float32))
    write_gguf(writer)
    return path


def logits(folder: Path, texts: list[str], *, segments: bool) -> list[float]:
    """The scores that transformers gives; [SEP] and the like in a text are read as text."""
    model = transformers.BertForSequenceClassification.from_pretrained(folder).eval()
    plain = transformers.PreTrainedTokenizerFast.from_pretrained(folder)
    scores = []
    for text in texts:
        found: Any = plain(
            [QUERY], [text], truncation="only_second", max_length=128, return_tensors="pt",
            split_special_tokens=not segments,
        )  # fmt: skip
        if not segments:
            found["token_type_ids"] = torch.zeros_like(found["token_type_ids"])
        with torch.inference_mode():
            scores.append(float(model(**found).logits[0, 0]))
    return scores


def test_a_gguf_reranker_gives_the_scores_of_its_model(gguf: Path, cross_encoder: Path, tmp_path: Path) -> None:
    import_model(tmp_path, gguf, "reranker")
    loader = Loader(tmp_path)
    reranker = loader.reranker()
    assert reranker is not None
    found = reranker.score(QUERY, TEXTS)
    assert found == pytest.approx(logits(cross_encoder, TEXTS, segments=False), abs=0.02)
    assert max(found) - min(found) > 0.5
    assert reranker.score(QUERY, []) == []
    with pytest.raises(Cancelled):
        reranker.score(QUERY, TEXTS, lambda: True)
    loader.close()


def test_a_cross_encoder_folder_gives_the_scores_of_its_model(gguf: Path, cross_encoder: Path, tmp_path: Path) -> None:
    import_model(tmp_path, cross_encoder, "reranker", model_id="folder")
    loader = Loader(tmp_path)
    reranker = loader.reranker()
    assert reranker is not None
    plain = [text for text in TEXTS if "[" not in text]
    assert reranker.score(QUERY, plain) == pytest.approx(logits(cross_encoder, plain, segments=True), abs=1e-4)
    with pytest.raises(Cancelled):
        reranker.score(QUERY, plain, lambda: True)
    loader.close()


def test_a_sentence_transformers_embedder_keeps_the_promises(cross_encoder: Path, tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    folder = tmp_path / "embedder"
    transformer = Transformer(str(cross_encoder))
    model = SentenceTransformer(modules=[transformer, Pooling(SIZE)], device="cpu")
    model.save(str(folder))
    import_model(tmp_path / "models", folder, "embedder", passage_prefix="the ")
    loader = Loader(tmp_path / "models")
    embedder = loader.embedder()
    texts = [TEXTS[0], TEXTS[1], ""]
    found = list(embedder.embed_passages([PassageInput(text) for text in texts]))
    expected = model.encode([f"the {text}" for text in texts], normalize_embeddings=True)
    for text, ours, theirs in zip(texts, found, expected, strict=True):
        assert float(ours.vector @ theirs) > 0.9999
        assert len(ours.ids) == len(ours.tokens) == embedder.count_tokens(text)
    assert [TEXTS[1][start] for start in found[1].starts[:3]] == ["t", "s", "i"]
    assert len(embedder.embed_query("tea " * 500).ids) <= 128
    loader.close()
