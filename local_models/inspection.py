"""What a model file says about itself, and whether that suits a role."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local_models.errors import ModelFileCorrupt, ModelRefused, NotAModel

WHISPER_MAGIC = 0x67676D6C
WHISPER_ENGLISH_VOCABULARY = 51864
"""Whisper's English-only models have this many tokens; the multilingual ones have at least one more."""

POOLING_NAMES = {1: "mean", 2: "cls", 3: "last", 4: "rank"}
"""gguf.constants.PoolingType; 0 is none."""


@dataclass(frozen=True, slots=True)
class Facts:
    """backend: who runs it. The rest as in `manifest.ModelEntry`; empty or 0 where the file does not say."""

    backend: str
    languages: tuple[str, ...] = ()
    licence: str = ""
    context: int = 0
    dimension: int = 0
    pooling: str = ""
    query_prefix: str = ""
    passage_prefix: str = ""


def inspect(path: Path, role: str) -> Facts:
    """Read a GGUF, a whisper.cpp file or a sentence-transformers folder. Raises ModelFileCorrupt when it is damaged or
    none of these, ModelRefused when it cannot do what the role asks."""
    if path.is_dir():
        return _inspect_folder(path, role)
    with path.open("rb") as stream:
        head = stream.read(48)
    if head[:4] == b"GGUF":
        return _inspect_gguf(path, role)
    if len(head) == 48 and struct.unpack_from("<I", head)[0] == WHISPER_MAGIC:
        return _inspect_whisper(path, role, struct.unpack_from("<i", head, 4)[0])
    raise NotAModel(f"{path} is neither a GGUF nor a whisper.cpp model")


def _inspect_gguf(path: Path, role: str) -> Facts:
    fields, tensors = _read_gguf(path)
    architecture = str(fields.get("general.architecture", ""))
    pooling = POOLING_NAMES.get(int(fields.get(f"{architecture}.pooling_type", 0)), "")
    has_head = any(name in tensors for name in ("cls.weight", "cls.output.weight"))
    if role == "generator" and "tokenizer.chat_template" not in fields:
        raise ModelRefused(f"{path} has no chat template: it is not an instruction model")
    if role == "embedder" and pooling not in ("mean", "cls", "last"):
        raise ModelRefused(f"{path} does not say how its vectors are pooled: it is not an embedding model")
    if role == "reranker" and not (has_head or pooling == "rank"):
        raise ModelRefused(f"{path} has no classification head: it is not a reranker")
    if role == "transcriber":
        raise ModelRefused(f"{path} is a GGUF; recordings are read by whisper.cpp models")
    if "token_embd.weight" not in tensors:
        raise ModelRefused(f"{path} holds no token table: it is not a complete model")
    languages = fields.get("general.languages", [])
    return Facts(
        "gguf",
        tuple(str(language) for language in languages) if isinstance(languages, list) else (),
        str(fields.get("general.license", "")),
        int(fields.get(f"{architecture}.context_length", 0)),
        int(fields.get(f"{architecture}.embedding_length", 0)),
        pooling,
    )


def _read_gguf(path: Path) -> tuple[dict[str, Any], set[str]]:
    """Metadata without the vocabulary, and the tensors' names. The reader maps every tensor, so a cut file fails."""
    import gguf

    try:
        reader = gguf.GGUFReader(path)
        fields = {
            name: field.contents() for name, field in reader.fields.items() if not name.startswith("tokenizer.ggml.")
        }
        return fields, {tensor.name for tensor in reader.tensors}
    except Exception as error:  # the reader raises whatever the bytes lead it into
        raise ModelFileCorrupt(f"{path} is a damaged GGUF: {error}") from error


def _inspect_whisper(path: Path, role: str, vocabulary: int) -> Facts:
    if role != "transcriber":
        raise ModelRefused(f"{path} is a whisper.cpp model, which reads recordings and cannot be the {role}")
    return Facts("whisper-ggml", ("en",) if vocabulary == WHISPER_ENGLISH_VOCABULARY else ("mul",))


def _inspect_folder(path: Path, role: str) -> Facts:
    config = _json(path / "config.json")
    if config is None:
        raise NotAModel(f"{path} has no config.json: it is not a sentence-transformers model")
    if role == "reranker":
        if not any("SequenceClassification" in str(name) for name in config.get("architectures", [])):
            raise ModelRefused(f"{path} has no classification head: it is not a cross-encoder")
        return Facts("sbert", context=int(config.get("max_position_embeddings", 0)))
    if role != "embedder":
        raise ModelRefused(f"a sentence-transformers folder cannot be the {role}")
    if not (path / "modules.json").exists() or not (path / "tokenizer.json").exists():
        raise ModelRefused(f"{path} is no sentence-transformers embedder (it needs modules.json and tokenizer.json)")
    pooling = _json(path / "1_Pooling" / "config.json") or {}
    prompts = (_json(path / "config_sentence_transformers.json") or {}).get("prompts", {})
    limit = (_json(path / "sentence_bert_config.json") or {}).get("max_seq_length")
    return Facts(
        "sbert",
        context=int(limit or config.get("max_position_embeddings", 0)),
        dimension=int(config.get("hidden_size", 0)),
        pooling="cls" if pooling.get("pooling_mode_cls_token") else "mean",
        query_prefix=str(prompts.get("query", "")),
        passage_prefix=str(prompts.get("document", prompts.get("passage", ""))),
    )


def _json(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
