"""Writing a sentencepiece model file: a unigram vocabulary and its normalisation rules.

The file is a protobuf message (sentencepiece_model.proto); the few fields that matter are written by hand, so that
neither the protobuf package nor its generated module is needed, and the bytes are always the same.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from local_models.install import double_array

NORMAL, UNKNOWN, CONTROL = 1, 2, 3
_UNIGRAM = 1


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Pieces in the order of their ids (UTF-8, words begin with U+2581) with their log probabilities."""

    pieces: Sequence[bytes]
    scores: Sequence[float]
    bos: int
    eos: int
    pad: int
    unknown: int
    control: frozenset[int]


def model_bytes(vocabulary: Vocabulary, rules: Mapping[str, str]) -> bytes:
    """The model file. rules: what each character, or sequence of characters, is normalised to; the longest wins."""
    pieces = b"".join(
        _message(1, _message(1, piece) + _float(2, score) + _varint_field(3, _kind(vocabulary, index)))
        for index, (piece, score) in enumerate(zip(vocabulary.pieces, vocabulary.scores, strict=True))
    )
    trainer = (
        _varint_field(3, _UNIGRAM)
        + _varint_field(4, len(vocabulary.pieces))
        + _varint_field(40, vocabulary.unknown)
        + _varint_field(41, vocabulary.bos)
        + _varint_field(42, vocabulary.eos)
        + _varint_field(43, vocabulary.pad)
    )
    add_dummy_prefix, remove_extra_whitespaces, escape_whitespaces = (_varint_field(field, 1) for field in (3, 4, 5))
    normalizer = (
        _message(1, b"precompiled")
        + _message(2, charsmap(rules))
        + add_dummy_prefix
        + remove_extra_whitespaces
        + escape_whitespaces
    )
    return pieces + _message(2, trainer) + _message(3, normalizer)


def charsmap(rules: Mapping[str, str]) -> bytes:
    """sentencepiece's precompiled rules: u32 size of the trie, the trie, then the outputs, each closed by a zero byte;
    the trie's values are offsets into the outputs."""
    offsets: dict[str, int] = {}
    outputs = bytearray()
    for output in sorted(set(rules.values())):
        offsets[output] = len(outputs)
        outputs += output.encode() + b"\0"
    trie = double_array.build({key.encode(): offsets[output] for key, output in rules.items()})
    return struct.pack("<I", len(trie)) + trie + bytes(outputs)


def _kind(vocabulary: Vocabulary, index: int) -> int:
    if index == vocabulary.unknown:
        return UNKNOWN
    return CONTROL if index in vocabulary.control else NORMAL


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _varint_field(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _float(field: int, value: float) -> bytes:
    return _varint(field << 3 | 5) + struct.pack("<f", value)


def _message(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data
