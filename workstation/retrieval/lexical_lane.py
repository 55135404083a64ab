"""The lexical lane: the passages that hold a question's words, in scripts with spaces between them and without."""

from __future__ import annotations

from collections.abc import Sequence

from storage.filters import Filter
from storage.library import Library
from workstation.retrieval.fusion import fuse


def lexical_lane(
    library: Library, text: str, terms: Sequence[str], k: int, where: Filter | None = None, beginning: str = ""
) -> list[int]:
    """The k passages that fit the words best, by id: of words with spaces between them, and of those without.

    beginning: of a word that is still being typed.
    """
    words = [i for i, _ in library.lexical(terms, k, where=where, beginning=beginning)] if terms or beginning else []
    grams = [i for i, _ in library.unspaced([text], k, where=where)]
    return fuse(words, grams)[:k] if grams else words
