"""The tokenizer inside a GGUF, for models that come without a tokenizer file.

llama.cpp tells no offsets, so each token's text is looked for in the input, from where the last one ended. Where the
model normalises (lower case, accents, compatibility forms) a token may not be found; it then takes the place where the
search stands. The offsets never decrease and never leave the text; they are exact for plain words.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

from local_models.llama_model import LlamaModel
from local_models.tokenization import Encoded

REACH = 64
"""Characters that a token may lie ahead of the last one: past that, an equal string is another occurrence."""

_WORD_MARKS = "\u2581\u0120 \n"


class LlamaTokenizer:
    """See `tokenization.Tokenizer`. Opens the vocabulary only (0.1 s), beside the weights that the embedder opens."""

    def __init__(self, path: Path) -> None:
        self._model = LlamaModel(path, vocabulary_only=True)
        lib, vocab = self._model.lib, self._model.vocab
        around = self._model.tokenize("", add_special=True)
        starts_with_bos = bool(around) and around[0] == lib.llama_vocab_bos(vocab)
        self.lead: tuple[int, ...] = tuple(around[:1]) if starts_with_bos else ()
        self.tail: tuple[int, ...] = tuple(around[1:]) if starts_with_bos else tuple(around)

    def encode(self, text: str) -> Encoded:
        ids = self._model.tokenize(text)
        folded, origin = _fold(text)
        begins, ends = [], []
        place = 0
        for token in ids:
            piece = _fold(self._model.piece(token).decode("utf-8", "ignore").strip(_WORD_MARKS))[0]
            found = folded.find(piece, place, place + REACH + len(piece)) if piece else -1
            begin = found if found >= 0 else min(place, len(folded))
            end = begin + len(piece) if found >= 0 else begin
            begins.append(origin[begin])
            ends.append(max(origin[end], begins[-1] + (1 if found >= 0 else 0)))
            place = end
        return Encoded(ids, begins, ends)

    def count(self, text: str) -> int:
        return len(self._model.tokenize(text))

    def close(self) -> None:
        self._model.close()


def _fold(text: str) -> tuple[str, list[int]]:
    """The text without case and accents, and for each of its characters (and its end) the offset it comes from."""
    folded: list[str] = []
    origin: list[int] = []
    for offset, character in enumerate(text):
        for part in unicodedata.normalize("NFKD", character).casefold():
            if not unicodedata.combining(part):
                folded.append(part)
                origin.append(offset)
    return "".join(folded), [*origin, len(text)]
