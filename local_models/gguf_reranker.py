"""A cross-encoder GGUF through llama.cpp: question and passage are read together, the head's first output is the score.

llama.cpp gives every token segment 0. That is right for XLM-R and decoder rerankers (bge-reranker-v2, jina, Qwen3) and
wrong for BERT ones, whose scores it moves by several units: use sentence-transformers for those.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from local_models.encoder import MAX_SEQUENCES, LlamaEncoder
from local_models.errors import Cancelled
from local_models.layout import clean
from local_models.llama_model import LlamaModel
from local_models.manifest import ModelEntry
from local_models.packing import batches
from local_models.protocols import CancelCheck, never
from local_models.residency import Residency

WINDOW = 512
"""Tokens of a pair, and of a batch."""

QUERY_SHARE = 2
"""A question may take half of the window; passages are cut before questions are."""

WORKING_BYTES = 128 * 2**20

_PLACES = re.compile(r"(\{query\}|\{document\})")


class GgufReranker:
    """See `protocols.Reranker`. paths: the model's files by part, already checked."""

    def __init__(self, entry: ModelEntry, paths: Mapping[str, Path], residency: Residency | None = None) -> None:
        self._path = paths["weights"]
        self._residency = residency or Residency()
        self._window = min(entry.context or WINDOW, WINDOW)
        self._encoder: LlamaEncoder | None = None
        self.label = entry.id
        self.memory_bytes = entry.size + WORKING_BYTES

    def score(self, query: str, texts: Sequence[str], cancelled: CancelCheck = never) -> list[float]:
        with self._residency.use(self):
            assert self._encoder is not None
            model = self._encoder.model
            pairs = [pair(model, clean(query), clean(text), self._window) for text in texts]
            scores = [0.0] * len(texts)
            for group in batches([len(ids) for ids in pairs], self._window, MAX_SEQUENCES):
                if cancelled():
                    raise Cancelled
                for index, value in zip(group, self._encoder.scores([pairs[i] for i in group]), strict=True):
                    scores[index] = value
            return scores

    def close(self) -> None:
        self._residency.drop(self)

    def open_native(self) -> None:
        self._encoder = LlamaEncoder(self._path, self._window, scoring=True)

    def shut_native(self) -> None:
        if self._encoder is not None:
            self._encoder.close()
            self._encoder = None


def pair(model: LlamaModel, query: str, text: str, window: int) -> list[int]:
    """Token ids of question and passage in the model's form; the passage is cut so that the form stays whole."""
    frame = _template_frame(model) or _special_frame(model)
    room = window - sum(len(part) for part in frame)
    question = model.tokenize(query)[: room // QUERY_SHARE]
    passage = model.tokenize(text)[: room - len(question)]
    return [*frame[0], *question, *frame[1], *passage, *frame[2]]


def _template_frame(model: LlamaModel) -> list[list[int]] | None:
    """What a decoder reranker's "rerank" template puts before, between and after the two texts."""
    template = model.template("rerank")
    parts = _PLACES.split(template) if template else []
    if parts[1::2] != ["{query}", "{document}"]:
        return None
    return [model.tokenize(part, parse_special=True) for part in parts[::2]]


def _special_frame(model: LlamaModel) -> list[list[int]]:
    """BERT: [CLS] question [SEP] passage [SEP]; RoBERTa: <s> question </s></s> passage </s>."""
    lib, vocab = model.lib, model.vocab
    bos, end = lib.llama_vocab_bos(vocab), lib.llama_vocab_eos(vocab)
    end = lib.llama_vocab_sep(vocab) if end < 0 else end
    word_piece = lib.llama_vocab_type(vocab) == lib.LLAMA_VOCAB_TYPE_WPM
    return [[bos], [end] if word_piece else [end, end], [end]]
