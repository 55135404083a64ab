"""Texts that are copies of each other, so that two copies never count as two voices.

Two texts resemble each other as far as they share runs of three words (shingles; Broder, "On the resemblance and
containment of documents", 1997). Candidates are found by looking up a few phrases of the text in the library's index.
A form that was filled in twice resembles its twin as well: this is a remark on a source, and leaves none out.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storage.library import Library
from storage.records import Locator

_WORD = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af]|[^\W_]+")
_QUOTED = re.compile(r"^>.*$", re.M)  # of the message that is answered: the answer is no copy
_SHINGLE = 3  # words
_SAMPLE = 20_000  # shingles of a text that are compared; of a longer one an even sample
_PROBES = 6  # phrases that are looked up
_PHRASE = 7  # words
_FOUND = 4  # passages for each
_SHORT = 30  # words; shorter texts (a line of thanks, a form) are alike without being copies
# Measured on 52 short documents (the sample library, and the tests' sets on disagreement and planning). Different ones
# resemble each other by .03 at most; copies with 1 % or 2 % wrong letters by .69 and .54 at least, with half as much
# text again before them by .62, cut to 70 % by .57, with a tenth of the sentences rewritten by .60 (19 of 20).
THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class Copy:
    """The source that a text is a copy of; `resemblance` in [0, 1], 1 for the same words."""

    path: str
    resemblance: float


def find(library: Library, path: str, text: str, passages: Sequence[Locator]) -> Copy | None:
    """The source under another path that resembles the text most, if any does enough; the oldest of several."""
    if len(_WORD.findall(text, 0, 20 * _SHORT + 2000)) < _SHORT:
        return None
    seen: set[int] = set()
    best: Copy | None = None
    for phrase in _phrases(text, passages):
        hits = [passage for passage, _ in library.phrase(phrase, _FOUND)]
        for passage in library.passages(hits):
            if passage.path == path or passage.source in seen:
                continue
            seen.add(passage.source)
            other = library.text(passage.source)
            if not THRESHOLD / 2 <= len(text) / max(1, len(other)) <= 2 / THRESHOLD:
                continue
            alike = resemblance(text, other)
            if alike >= THRESHOLD and (best is None or alike > best.resemblance):
                best = Copy(passage.path, alike)
    return best


def resemblance(one: str, other: str) -> float:
    """The share of their shingles that two texts have in common (Jaccard), whatever their case, punctuation and
    layout."""
    first, second = (_WORD.findall(_QUOTED.sub("", text).casefold()) for text in (one, other))
    every = max(1, max(len(first), len(second)) // _SAMPLE)
    a, b = _shingles(first, every), _shingles(second, every)
    together = len(a | b)
    return len(a & b) / together if together else float(first == second)


def _shingles(words: Sequence[str], every: int) -> set[int]:
    hashes = (
        zlib.crc32(" ".join(words[at : at + _SHINGLE]).encode("utf-8", "replace"))
        for at in range(max(1, len(words) - _SHINGLE + 1))
    )
    return {each for each in hashes if each % every == 0}


def _phrases(text: str, passages: Sequence[Locator]) -> Iterator[str]:
    """Of a few passages, from one end of the text to the other, the run of words with the most letters: rare enough to
    be found quickly, and long enough to be a copy's alone."""
    count = min(_PROBES, len(passages))
    for n in range(count):
        at = passages[(2 * n + 1) * len(passages) // (2 * count)]
        words = _WORD.findall(text[at.start : at.end])
        if len(words) >= _PHRASE:
            runs = [words[start : start + _PHRASE] for start in range(len(words) - _PHRASE + 1)]
            yield " ".join(max(runs, key=lambda run: sum(map(len, run))))
