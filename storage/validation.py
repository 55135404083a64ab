"""What a version must be before it is stored. A fault here is the caller's, hence ValueError."""

from __future__ import annotations

import numpy as np

from storage.records import PAGE_STATES, NewPassage, NewVersion

# float32 arithmetic over a few hundred numbers stays well within; a vector that was never normalised does not.
UNIT_TOLERANCE = 1e-3


def check(new: NewVersion, dimension: int | None) -> None:
    """ValueError when the parts do not fit together, or vectors do not fit the library's (`dimension`, or None before
    an embedder is bound)."""
    if not new.content_hash or "#" in new.content_hash or " " in new.content_hash:
        raise ValueError(f"not a content hash: {new.content_hash!r}")
    if new.passages and dimension is None:
        raise ValueError("passages come with vectors: bind the embedder first")
    for page in new.pages:
        if page.state not in PAGE_STATES or not 0 <= page.start <= page.end <= len(new.text):
            raise ValueError(f"not a page of this text: {page}")
    for passage in new.passages:
        _check(passage, len(new.text), dimension or 0)


def _check(passage: NewPassage, length: int, dimension: int) -> None:
    at = passage.locator
    if not 0 <= at.start < at.end <= length:
        raise ValueError(f"not a span of this text of {length} characters: {at}")
    if passage.vector.shape != (dimension,):
        raise ValueError(f"expected a vector of {dimension} numbers, got shape {passage.vector.shape}")
    if not abs(float(np.linalg.norm(passage.vector)) - 1) <= UNIT_TOLERANCE:  # so that NaN fails, too
        raise ValueError(f"not a unit vector at {at}")
    if passage.token_ids.shape != passage.token_starts.shape or passage.token_ids.ndim != 1:
        raise ValueError(f"{passage.token_ids.shape} token ids do not match {passage.token_starts.shape} starts")
