"""Where a text's own tokens lie in what the model reads: lead, prefix, context, text, tail.

    <s>   "query: "   "Chapter 2" and a line end   "the text itself"   </s>
    lead   prefix      context                      text               tail

The sequence never exceeds the window (a longer one aborts the process inside llama.cpp): the text is cut at its end,
the tail is kept, and a context may take a quarter of the window at most.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from local_models.protocols import Ints
from local_models.tokenization import Encoded, Tokenizer

CONTEXT_SHARE = 4
"""A context is a hint to the model; beyond a quarter of the window it would push out the text it explains."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Sequence:
    """ids: all that the model reads. The text's own tokens are ids[first:last]; starts: (last - first,) int32 offsets
    in the text."""

    ids: list[int]
    first: int
    last: int
    starts: Ints

    @property
    def own_ids(self) -> list[int]:
        return self.ids[self.first : self.last]


def arrange(tokenizer: Tokenizer, window: int, prefix: str, context: str, text: str) -> Sequence:
    """Lay out one text; window counts all tokens, special ones included."""
    head = clean(prefix + (f"{context}\n" if context else ""))
    text = clean(text)
    encoded = tokenizer.encode(head + text)
    own = _first_of_text(encoded, len(head)) if text else len(encoded.ids)
    head_ids = encoded.ids[:own]
    if context:
        head_ids = head_ids[: tokenizer.count(prefix) + window // CONTEXT_SHARE]
    room = window - len(tokenizer.lead) - len(tokenizer.tail) - len(head_ids)
    own_ids = encoded.ids[own : own + room]
    first = len(tokenizer.lead) + len(head_ids)
    starts = [
        _start(text, encoded.begins[i] - len(head), encoded.ends[i] - len(head)) for i in range(own, own + len(own_ids))
    ]
    ids = [*tokenizer.lead, *head_ids, *own_ids, *tokenizer.tail]
    return Sequence(ids, first, first + len(own_ids), np.array(starts, dtype=np.int32))


def clean(text: str) -> str:
    """The text with lone surrogates, which no encoder takes, replaced one for one (offsets stay valid)."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def _first_of_text(encoded: Encoded, boundary: int) -> int:
    """Index of the first token that lies or reaches beyond `boundary`; a token that merely ends there is the head's."""
    spans = zip(encoded.begins, encoded.ends, strict=True)
    return next((i for i, (b, e) in enumerate(spans) if b >= boundary or e > boundary), len(encoded.ids))


def _start(text: str, begin: int, end: int) -> int:
    """A token's first character: its span's, past the space that sentencepiece counts to the following word."""
    begin = max(begin, 0)
    for position in range(begin, min(end, len(text))):
        if not text[position].isspace():
            return position
    return min(begin, len(text) - 1)
