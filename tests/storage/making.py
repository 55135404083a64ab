"""Sources made of random unit vectors. Imports no test tools, so that a child process starts quickly."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np

from storage.records import Locator, NewPassage, NewVersion, Page

DIMENSION = 8
Maker = Callable[..., NewVersion]


def make_version(path: str, text: str, *, size: int = 200, seed: int | None = None, title: str = "Notes") -> NewVersion:
    """A version whose passages are `size` characters each; the same arguments make the same version."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    rng = np.random.default_rng(int(digest[:8], 16) if seed is None else seed)
    passages = []
    for start in range(0, len(text), size):
        end = min(len(text), start + size)
        vector = rng.standard_normal(DIMENSION).astype(np.float32)
        starts = np.arange(0, end - start, 7, dtype=np.int32)
        ids = rng.integers(0, 300_000, len(starts)).astype(np.int32)
        at = Locator(start, end, page=1, heading="Section")
        passages.append(NewPassage(at, vector / np.linalg.norm(vector), ids, starts, rng.bytes(len(starts) * 4)))
    pages = (Page(1, "text", 0, len(text)),)
    return NewVersion(path, title, "text", "en", digest, text, pages, tuple(passages), meta={"size": str(len(text))})
