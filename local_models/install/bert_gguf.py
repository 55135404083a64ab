"""What all BERT-shaped encoders need in a GGUF (llama.cpp, models/bert.cpp)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class BertShape:
    context: int
    dimension: int
    feed_forward: int
    layers: int
    heads: int
    epsilon: float


def bert_writer(path: Path, shape: BertShape) -> Any:
    """A GGUFWriter with the shape written; the caller adds the tokenizer and the tensors."""
    import gguf

    writer = gguf.GGUFWriter(path, "bert")
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.dimension)
    writer.add_feed_forward_length(shape.feed_forward)
    writer.add_block_count(shape.layers)
    writer.add_head_count(shape.heads)
    writer.add_layer_norm_eps(shape.epsilon)
    writer.add_causal_attention(False)
    return writer


def write_gguf(writer: Any) -> None:
    """Write header, metadata and tensors, and close the file."""
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
