"""The engine's services over a real library and real models: each part is opened when it is first needed, and once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from storage.errors import NotFound
from storage.library import Library
from workstation.engine.services import Finding
from workstation.evidence.spans import find_spans
from workstation.options import Options
from workstation.retrieval.retriever import Retriever
from workstation.services import Services

CONTEXT_PASSAGES = 10  # passages whose sentences compete to be quoted


class Workbench:
    """Implements EngineServices. `retriever` is what search uses, `library` is open for reading."""

    model_calls = 0

    def __init__(self, services: Services) -> None:
        self._services = services
        self._texts: dict[tuple[int, str], str | None] = {}

    @property
    def library(self) -> Library:
        return self._services.library

    @cached_property
    def retriever(self) -> Retriever:
        from workstation.content.language import detect
        from workstation.retrieval.thresholds import thresholds_for
        from workstation.retrieval.token_codec import TokenCodec

        embedder = self._services.embedder
        bound = self.library.embedder()
        if bound is None:
            raise NotFound("the library has no passages yet")
        codec = TokenCodec.from_bytes(bound[2])
        reranker = self._services.loader.reranker()
        return Retriever(self.library, embedder, codec, thresholds_for(embedder.fingerprint), detect, reranker)

    def detect_language(self, text: str) -> str:
        from workstation.content.language import detect

        return detect(text)

    def find(self, question: str, *, spans: int, exclude: frozenset[int] = frozenset()) -> Finding:
        from workstation.content.sentences import sentences

        retrieval = self.retriever.search(question, CONTEXT_PASSAGES, exclude)
        kept = retrieval.kept
        tokens = self.retriever.tokens([c.passage.id for c in kept])
        return Finding(retrieval, tuple(find_spans(retrieval.query, kept, tokens, sentences, spans)))

    def stored_text(self, source: int, version: str) -> str | None:
        key = (source, version)
        if key not in self._texts:
            try:
                self._texts[key] = self.library.text(source, version)
            except NotFound:
                self._texts[key] = None
        return self._texts[key]


@contextmanager
def open_workbench(options: Options) -> Iterator[Workbench]:
    """A workbench on the library of `options`; models and database are closed at the end."""
    with Services(options) as services:
        yield Workbench(services)
