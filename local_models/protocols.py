"""What the product asks of a model: one Protocol a role, and the values that cross the border.

Arrays are numpy float32 unless said otherwise. Cancellation is a function that returns True once the caller wants to
stop; every backend asks it in its inner loop (per batch, per token) and then raises :class:`Cancelled`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
CancelCheck = Callable[[], bool]


def never() -> bool:
    """The cancel check of a caller that cannot be interrupted."""
    return False


@dataclass(frozen=True, slots=True)
class PassageInput:
    """One text to embed. `context` (a title, a heading) is read by the model but has no token vectors in the result."""

    text: str
    context: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class TextEmbedding:
    """One forward pass over one text.

    vector: (d,) unit length, the pooled vector. tokens: (n, d) last-layer vectors of the text's own tokens, as the
    model gives them (not centred, not normalised); special tokens, prefix and context are left out. ids: (n,)
    vocabulary ids. starts: (n,) offset of each token's first character in `text`.
    """

    vector: Floats
    tokens: Floats
    ids: Ints
    starts: Ints


class Embedder(Protocol):
    """Turns text into one pooled vector and its token vectors."""

    @property
    def fingerprint(self) -> str:
        """Names the vector space: a hash of weights, prefixes and pooling. Equal fingerprints may share an index."""

    @property
    def dimension(self) -> int: ...

    @property
    def window(self) -> int:
        """Tokens that one passage may have, special tokens and prefix already taken off. Longer input is cut."""

    def count_tokens(self, text: str) -> int: ...

    def embed_query(self, text: str) -> TextEmbedding: ...

    def embed_passages(
        self, passages: Sequence[PassageInput], cancelled: CancelCheck = never
    ) -> Iterator[TextEmbedding]:
        """Embeddings in the order of `passages`. An empty sequence gives nothing; an empty text gives zero tokens."""

    def close(self) -> None: ...


class Reranker(Protocol):
    """Reads a question and a passage together (a cross-encoder). Scores order one answer's candidates, nothing else."""

    def score(self, query: str, texts: Sequence[str], cancelled: CancelCheck = never) -> list[float]: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Utterance:
    """text was said from t0 to t1, in seconds from the first sample. probability: how sure the model is of its words,
    the geometric mean over the tokens."""

    t0: float
    t1: float
    text: str
    probability: float


class Transcriber(Protocol):
    """Turns speech into text. Samples are mono at 16 kHz, in [-1, 1], and no longer than `window` seconds.

    Languages are ISO 639-1 codes, but for three of whisper's own: jw (Javanese), yue (Cantonese), haw (Hawaiian).
    """

    @property
    def fingerprint(self) -> str:
        """Names the model: the same samples give the same text under the same fingerprint."""

    @property
    def window(self) -> float: ...

    def speaks(self, language: str) -> bool:
        """Can it transcribe this language?"""

    def languages(self, samples: Floats, cancelled: CancelCheck = never) -> dict[str, float]:
        """The probability of each language, from the first few seconds. Raises ModelRefused for a model of one
        language: it would find its own in anything."""

    def transcribe(self, samples: Floats, language: str, cancelled: CancelCheck = never) -> list[Utterance]:
        """What was said, in order. Raises ModelRefused for a language that it does not speak. Ask only for samples
        in which somebody speaks: out of silence and music a model makes words up."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is fixed (`system`) comes first, what changes (`user`) last, so that the key/value cache can be reused."""

    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Generation:
    """finish is stop | length | cancelled; `value` holds the validated JSON when a schema was given."""

    text: str
    value: Any
    prompt_tokens: int
    output_tokens: int
    finish: str


class Generator(Protocol):
    """Writes text, or JSON that fits a schema."""

    @property
    def context(self) -> int: ...

    def count_tokens(self, text: str) -> int: ...

    def generate(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        schema: dict[str, Any] | None = None,
        cancelled: CancelCheck = never,
        on_text: Callable[[str], None] | None = None,
    ) -> Generation:
        """Greedy decoding. Raises PromptTooLong before the call when prompt + max_tokens exceed the context, and
        SchemaMismatch when the decoded JSON does not validate."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of print. `box`: left, top, right, bottom in pixels of the page as it stands upright. `confidence` in
    [0, 1]. `opens`: a paragraph begins with it. `doubtful`: figures in it that a second, independent look at the image
    did not read."""

    text: str
    confidence: float
    box: tuple[int, int, int, int]
    opens: bool = False
    doubtful: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageReading:
    """What was read on the picture of a page, in reading order. `confidence` in [0, 1], by characters; 0.0 where there
    is no print. `unread`: the share of what looks like print, by its width, that could not be read: other letters than
    the model knows, or a hand. `turned`: by how many degrees, clockwise, the picture had to be turned; `skew`: by how
    many the lines still rise or fall."""

    lines: tuple[TextLine, ...]
    confidence: float
    unread: float = 0.0
    turned: int = 0
    skew: float = 0.0


@dataclass(frozen=True, slots=True)
class Pictures:
    """How many pages a file of pictures has, and the ISO date that it was taken at, when it says so."""

    count: int
    date: str | None = None


class PageReader(Protocol):
    """Reads the picture of a page (OCR). Raises PictureUnreadable for one that defeats it, and goes on with others."""

    @property
    def fingerprint(self) -> str:
        """Names what the readings depend on: equal fingerprints read the same picture alike."""

    def pictures(self, file: Path, cancelled: CancelCheck = never) -> Pictures: ...

    def read(self, file: Path, number: int = 1, cancelled: CancelCheck = never) -> PageReading:
        """The page on picture `number`, from 1, of a file."""

    def close(self) -> None: ...
