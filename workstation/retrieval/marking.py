"""Where the words of a search stand in a passage, to be marked there."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from workstation.retrieval.lexical import UNSPACED, WORD

MOST = 60  # marks in one passage; a pasted page would mark every word


def matching_words(text: str, terms: Iterable[str], beginning: str = "") -> list[tuple[int, int]]:
    """Ranges of `text` that hold a term, whatever its case and accents, or begin with `beginning`; in order, none
    touching the next. Of a term in a script without spaces every two characters count."""
    terms = list(terms)
    wanted = {folded(part) for term in terms for part in WORD.findall(UNSPACED.sub(" ", term))}
    begun = folded(beginning)
    found = [word.span() for word in WORD.finditer(text) if _is_one(folded(word[0]), wanted, begun)]
    found += [(at, at + 2) for term in terms for run in UNSPACED.findall(term) for at in _grams(text, run)]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged[:MOST]


def folded(word: str) -> str:
    """A word as the index compares it: without case and Latin accents."""
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in parts if not "\u0300" <= c <= "\u036f")


def _is_one(word: str, wanted: set[str], begun: str) -> bool:
    return word in wanted or (len(begun) >= 3 and word.startswith(begun))


def _grams(text: str, run: str) -> Iterator[int]:
    for gram in {run[i : i + 2] for i in range(len(run) - 1)}:
        at = text.find(gram)
        while at >= 0:
            yield at
            at = text.find(gram, at + 1)
