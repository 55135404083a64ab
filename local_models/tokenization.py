"""Text to token ids with the character span of each token.

Three tokenizers, one shape: sentencepiece, the `tokenizers` package, and (in `llama_tokenizer`) the one inside a GGUF.
Control tokens written in a text ("</s>", "[SEP]") are plain text to all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from local_models.errors import ModelFileCorrupt


@dataclass(frozen=True, slots=True)
class Encoded:
    """Token ids without special tokens. Token i covers text[begins[i]:ends[i]], in characters (code points); a token
    that comes out of the middle of one character has an empty span."""

    ids: list[int]
    begins: list[int]
    ends: list[int]


class Tokenizer(Protocol):
    """lead and tail are the special tokens that surround every text."""

    @property
    def lead(self) -> tuple[int, ...]: ...

    @property
    def tail(self) -> tuple[int, ...]: ...

    def encode(self, text: str) -> Encoded: ...

    def count(self, text: str) -> int: ...

    def close(self) -> None: ...


class SentencePieceTokenizer:
    """A sentencepiece model file (.spm). Loading 250,000 pieces takes about 0.2 s."""

    def __init__(self, path: Path) -> None:
        import sentencepiece

        try:
            self._pieces: Any = sentencepiece.SentencePieceProcessor(model_file=str(path))
        except (OSError, RuntimeError) as error:
            raise ModelFileCorrupt(f"{path} is not a sentencepiece model: {error}") from error
        self.lead: tuple[int, ...] = (self._pieces.bos_id(),) if self._pieces.bos_id() >= 0 else ()
        self.tail: tuple[int, ...] = (self._pieces.eos_id(),) if self._pieces.eos_id() >= 0 else ()

    def encode(self, text: str) -> Encoded:
        found = self._pieces.encode(text, out_type="offset_mapping")
        return Encoded(found["ids"], [begin for begin, _ in found["offsets"]], [end for _, end in found["offsets"]])

    def count(self, text: str) -> int:
        return len(self._pieces.encode(text))

    def close(self) -> None:
        self._pieces = None


class JsonTokenizer:
    """A tokenizer.json as the `tokenizers` package reads it."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer as Loader

        try:
            self._tokenizer: Any = Loader.from_file(str(path))
        except Exception as error:  # the package raises Exception itself
            raise ModelFileCorrupt(f"{path} is not a tokenizer file: {error}") from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tokenizer.encode_special_tokens = True
        around = self._tokenizer.encode("").ids
        self.lead: tuple[int, ...] = tuple(around[:1])
        self.tail: tuple[int, ...] = tuple(around[1:])

    def encode(self, text: str) -> Encoded:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return Encoded(encoding.ids, [b for b, _ in encoding.offsets], [e for _, e in encoding.offsets])

    def count(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def close(self) -> None:
        self._tokenizer = None


def open_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer in a file, by its suffix: .json, or a sentencepiece model."""
    return JsonTokenizer(path) if path.suffix == ".json" else SentencePieceTokenizer(path)
