"""Asks every labelled question of a library that holds the passages, with no threshold in force, and notes the
scores that thresholds are about."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchlib.everyday import QUESTIONS
from benchlib.labelled import Labelled, file_stem, write_documents

if TYPE_CHECKING:
    from local_models.protocols import Embedder
    from storage.library import Library
    from workstation.retrieval.candidates import Retrieval
    from workstation.retrieval.retriever import Retriever

KEEP = 10  # passages that the gate looks at, as for an answer


@dataclass(frozen=True, slots=True)
class Observation:
    """One question. language: of its label, "" for an everyday one. tokens: n of coverage.judge. match: the best of
    a kept passage. relevant: cosine of the passage that answers it, None for a question outside. others: the best
    cosine of a passage that does not."""

    language: str
    inside: bool
    tokens: int
    match: float
    relevant: float | None
    others: float


@dataclass(frozen=True, slots=True)
class Observed:
    """All questions, and the language of most passages."""

    observations: list[Observation]
    passages: int
    language: str


def observe(labelled: Labelled, embedder: Embedder) -> Observed:
    from storage.library import Library
    from workstation.content.ingest import ingest
    from workstation.core.cancel import CancelToken

    with tempfile.TemporaryDirectory(prefix="flori-calibrate-") as folder:
        documents = write_documents(labelled.passages, Path(folder) / "documents")
        with Library.open(Path(folder) / "library", write=True, create=True) as library:
            ingest(documents, library, embedder, cancel=CancelToken())
            count = library.passage_count()
            languages = Counter(source.language for source in library.sources())
            return Observed(list(_all(labelled, library, embedder)), count, languages.most_common(1)[0][0])


def _all(labelled: Labelled, library: Library, embedder: Embedder) -> Iterator[Observation]:
    retriever = _permissive(library, embedder)
    sources = {Path(source.path).stem: source.id for source in library.sources()}
    for question in labelled.questions:
        home = sources[file_stem(question["paragraph"])] if question["paragraph"] else None
        for language in labelled.languages:
            if language in question:
                yield _observation(language, home, retriever.search(question[language], KEEP), library)
    for text in QUESTIONS:
        yield _observation("", None, retriever.search(text, KEEP), library)


def _permissive(library: Library, embedder: Embedder) -> Retriever:
    from workstation.content.language import detect
    from workstation.retrieval.retriever import Retriever
    from workstation.retrieval.thresholds import Thresholds
    from workstation.retrieval.token_codec import TokenCodec

    bound = library.embedder()
    assert bound is not None, "the passages are in the library"
    return Retriever(library, embedder, TokenCodec.from_bytes(bound[2]), Thresholds(0, 0, 0, 0, 0), detect)


def _observation(language: str, home: int | None, found: Retrieval, library: Library) -> Observation:
    relevant = None
    if home is not None:
        vectors = library.vectors([passage.id for passage in library.passages_of(home)])
        relevant = float((vectors @ found.query.vector).max())
    others = max((c.cosine for c in found.candidates if c.passage.source != home), default=0.0)
    n = max(len(found.query.ids), 1)
    return Observation(language, home is not None, n, found.coverage.top_match, relevant, others)
