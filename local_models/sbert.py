"""sentence-transformers: an embedder and a cross-encoder from a local folder.

For models that have no GGUF, and for BERT cross-encoders, whose segment ids llama.cpp does not know. It costs 5 to 20 s
and 700 MB to load (torch), so it is imported when it is used. Nothing is looked up on the network.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from local_models import native
from local_models.errors import Cancelled, ModelRefused
from local_models.manifest import ModelEntry
from local_models.protocols import CancelCheck, Floats, never
from local_models.residency import Residency
from local_models.text_embedder import TextEmbedder
from local_models.tokenization import Tokenizer, open_tokenizer

TORCH_BYTES = 600 * 2**20
"""What importing torch and transformers takes by itself."""

PAIRS_A_BATCH = 16
"""Pairs scored between two looks at the cancel check, about a second on two cores for a MiniLM cross-encoder."""


def _folder(paths: Mapping[str, Path]) -> Path:
    """The model's folder: every sentence-transformers model has a config.json at its top."""
    return paths["config.json"].parent


def _library() -> Any:
    """The sentence_transformers module, kept offline and silent."""
    os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
    try:
        import sentence_transformers
        import torch
    except ImportError as error:
        raise ModelRefused("this model needs sentence-transformers: pip install 'florilegium[sbert]'") from error
    sys.modules["transformers.utils.logging"].disable_progress_bar()  # it draws one while it loads weights
    torch.set_num_threads(native.threads())
    return sentence_transformers


class SbertEmbedder(TextEmbedder):
    """Parts are the folder's files by their relative names; tokenizer.json must be among them."""

    batch_tokens = 2048
    batch_texts = 16
    working_bytes = TORCH_BYTES

    _model: Any = None

    def open_native(self) -> None:
        self._model = _library().SentenceTransformer(str(_folder(self._paths)), device="cpu", local_files_only=True)

    def shut_native(self) -> None:
        self._model = None

    def _open_tokenizer(self) -> Tokenizer:
        return open_tokenizer(self._paths["tokenizer.json"])

    def _pass(self, sequences: Sequence[Sequence[int]]) -> list[tuple[Floats, Floats]]:
        import torch

        longest = max(len(ids) for ids in sequences)
        ids = np.zeros((len(sequences), longest), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, sequence in enumerate(sequences):
            ids[row, : len(sequence)] = sequence
            mask[row, : len(sequence)] = 1
        with torch.inference_mode():
            found = self._model.forward({"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask)})
        rows = found["token_embeddings"].float().numpy()
        vectors = torch.nn.functional.normalize(found["sentence_embedding"].float(), dim=-1).numpy()
        return [(rows[i, : len(sequence)], vectors[i].copy()) for i, sequence in enumerate(sequences)]


class SbertReranker:
    """See `protocols.Reranker`: a CrossEncoder, its raw outputs as scores."""

    def __init__(self, entry: ModelEntry, paths: Mapping[str, Path], residency: Residency | None = None) -> None:
        self._folder = _folder(paths)
        self._residency = residency or Residency()
        self._model: Any = None
        self.label = entry.id
        self.memory_bytes = entry.size + TORCH_BYTES

    def score(self, query: str, texts: Sequence[str], cancelled: CancelCheck = never) -> list[float]:
        scores: list[float] = []
        for start in range(0, len(texts), PAIRS_A_BATCH):
            if cancelled():
                raise Cancelled
            pairs = [(query, text) for text in texts[start : start + PAIRS_A_BATCH]]
            with self._residency.use(self):
                found = self._model.predict(pairs, batch_size=len(pairs), show_progress_bar=False)
            scores += [float(value) for value in np.asarray(found).reshape(len(pairs), -1)[:, 0]]
        return scores

    def close(self) -> None:
        self._residency.drop(self)

    def open_native(self) -> None:
        library = _library()
        import torch

        self._model = library.CrossEncoder(
            str(self._folder), device="cpu", local_files_only=True, activation_fn=torch.nn.Identity()
        )

    def shut_native(self) -> None:
        self._model = None
