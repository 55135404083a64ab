"""What ingest costs beyond its embedder: the same passages through both, in turns, in one process."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from benchlib.figures import Figure
from benchlib.material import Material
from local_models.protocols import CancelCheck, Embedder, PassageInput, TextEmbedding, never

TURNS = 2
RATIO = 0.9


class Recorder:
    """Stands before an embedder and keeps what it was given."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.inputs: list[PassageInput] = []
        self.fingerprint, self.dimension, self.window = embedder.fingerprint, embedder.dimension, embedder.window
        self.count_tokens, self.embed_query = embedder.count_tokens, embedder.embed_query

    def embed_passages(
        self, passages: Sequence[PassageInput], cancelled: CancelCheck = never
    ) -> Iterator[TextEmbedding]:
        self.inputs += passages
        return self._embedder.embed_passages(passages, cancelled)

    def close(self) -> None:
        self._embedder.close()


def measure(material: Material) -> list[Figure]:
    """With the default embedder. Leaves the library that was ingested last in its place."""
    from local_models.loader import Loader

    loader = Loader(material.models)
    try:
        return _measure(material, loader.embedder())
    finally:
        loader.close()


def _measure(material: Material, embedder: Embedder) -> list[Figure]:
    codec = _codec(embedder)
    ingesting, embedding = [], []
    inputs: list[PassageInput] = []
    for _ in range(TURNS):
        recorder = Recorder(embedder)
        ingesting.append(_timed(partial(_ingest, material, recorder, codec)))
        inputs = recorder.inputs
        embedding.append(_timed(partial(_exhaust, embedder, inputs)))
    passages = TURNS * len(inputs)
    wall, cpu = ([sum(turn[clock] for turn in turns) for turns in (ingesting, embedding)] for clock in (0, 1))
    on = f"{len(inputs)} passages of {len(material.documents)} files, {TURNS} turns each"
    return [
        Figure("ingest, of the bare embedder's speed", wall[1] / wall[0], "", RATIO, least=True, note=on),
        Figure("  the same by processor time", cpu[1] / cpu[0], "", note="says what the other hides on a busy machine"),
        Figure("  ingest", passages / wall[0], "passages/s"),
        Figure("  bare embedder", passages / wall[1], "passages/s"),
    ]


def _codec(embedder: Embedder) -> bytes:
    """Fitting it is work for once in a library's life, and loads the model: it is not timed."""
    from workstation.content.binding import sample
    from workstation.retrieval.token_codec import TokenCodec

    return TokenCodec.fit(embedder.embed_passages([PassageInput(text) for text in sample()])).to_bytes()


def _ingest(material: Material, embedder: Recorder, codec: bytes) -> None:
    from storage.library import Library
    from workstation.content.ingest import ingest
    from workstation.core.cancel import CancelToken

    shutil.rmtree(material.library, ignore_errors=True)
    with Library.open(material.library, write=True, create=True) as library:
        library.bind_embedder(embedder.fingerprint, embedder.dimension, codec)
        ingest(material.documents, library, embedder, cancel=CancelToken())


def _exhaust(embedder: Embedder, inputs: Sequence[PassageInput]) -> None:
    for _ in embedder.embed_passages(inputs):
        pass


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock on the wall, and of this process on all processors."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu
