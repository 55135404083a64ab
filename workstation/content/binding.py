"""The library's embedder, and the codec of its token vectors."""

from __future__ import annotations

from importlib.resources import files

from local_models.protocols import CancelCheck, Embedder, PassageInput, never
from storage.library import Library
from workstation.retrieval.token_codec import TokenCodec


def check_embedder(library: Library, embedder: Embedder) -> None:
    """Raises EmbedderMismatch when the library's vectors are by another embedder. Does not load the model."""
    if (bound := library.embedder()) is not None:
        library.bind_embedder(embedder.fingerprint, embedder.dimension, bound[2])


def bind(library: Library, embedder: Embedder, cancelled: CancelCheck = never) -> TokenCodec:
    """The library's codec; for a library without an embedder, one fitted on the built-in sample and stored with it."""
    check_embedder(library, embedder)
    if (bound := library.embedder()) is not None:
        return TokenCodec.from_bytes(bound[2])
    codec = TokenCodec.fit(embedder.embed_passages([PassageInput(text) for text in sample()], cancelled))
    library.bind_embedder(embedder.fingerprint, embedder.dimension, codec.to_bytes())
    return codec


def sample() -> list[str]:
    """Two dozen short paragraphs on everyday subjects in eight languages, so that what the token vectors of all texts
    have in common can be told from what one language or subject has."""
    text = files("workstation.content").joinpath("sample.txt").read_text(encoding="utf-8")
    return [paragraph.strip() for paragraph in text.split("\n\n") if paragraph.strip()]
