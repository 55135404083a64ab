"""The engine's services over a real library and real models: each part is opened when it is first needed, and once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from storage.errors import NotFound
from storage.library import Library
from storage.records import Page
from workstation.core.cancel import CancelToken
from workstation.engine.services import Finding, Origin, Proposal
from workstation.evidence.spans import QUOTE_SHARE, WIDE_SHARE, find_spans
from workstation.memory.events import Place
from workstation.options import Options
from workstation.planning.aspects import Surveyed
from workstation.retrieval.retriever import Retriever
from workstation.services import Services

if TYPE_CHECKING:
    from workstation.engine.web import Web
    from workstation.memory.state import ResearchState

CONTEXT_PASSAGES = 10  # passages whose sentences compete to be quoted
WIDE_PASSAGES = 30  # the same where other versions of an answer are looked for
TRUSTED = ("guided", "abstractive")  # modes of a generator (`flori models probe`) whose proposals are asked for
SURVEYED = 40  # passages that tell what the library holds on a question
# Of the best match, that they must reach. 30 XQuAD questions over 48 articles, thorough plans: lines that find
# evidence, quotes of theirs from the article that answers the question, evidence that two lines share: all .91, .67,
# .41; .6 .93, .79, .40; .7 .92, .87, .39; .8 .86, .90, .43; lines that take nothing from the library .58, .92, .70.
SURVEY_SHARE = 0.7


class Workbench:
    """Implements EngineServices. `retriever` is what search uses, `library` is open for reading."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._texts: dict[tuple[int, str], str | None] = {}
        self._voices: dict[int, int] = {}

    @property
    def options(self) -> Options:
        return self._services.options

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

    def find(
        self,
        question: str,
        *,
        spans: int,
        exclude: frozenset[int] = frozenset(),
        among: frozenset[int] | None = None,
        wide: bool = False,
    ) -> Finding:
        from workstation.content.sentences import sentences

        keep = WIDE_PASSAGES if wide else CONTEXT_PASSAGES
        retrieval = self.retriever.search(question, keep, exclude, among)
        kept = retrieval.kept
        tokens = self.retriever.tokens([c.passage.id for c in kept])
        share = WIDE_SHARE if wide else QUOTE_SHARE
        return Finding(retrieval, tuple(find_spans(retrieval.query, kept, tokens, sentences, spans, share)))

    def survey(self, question: str) -> Sequence[Surveyed]:
        found = self.retriever.search(question, SURVEYED)
        top = max((c.match or 0.0 for c in found.kept), default=0.0)
        near = [c for c in found.kept if (c.match or 0.0) >= SURVEY_SHARE * top]
        kept = near if found.coverage.covered else []
        vectors = self.library.vectors([c.passage.id for c in kept])
        return [
            Surveyed(p.text, p.locator.heading or "", p.title, p.language, c.match or 0.0, vector)
            for c, vector in zip(kept, vectors, strict=True)
            for p in (c.passage,)
        ]

    def stored_text(self, source: int, version: str) -> str | None:
        key = (source, version)
        if key not in self._texts:
            try:
                self._texts[key] = self.library.text(source, version)
            except NotFound:
                self._texts[key] = None
        return self._texts[key]

    def doubtful(self, source: int, version: str, page: int | None) -> frozenset[str]:
        from workstation.content.pages import DOUBTFUL

        try:
            found = self.library.source_meta(source, version).get(DOUBTFUL)
        except NotFound:
            return frozenset()
        return frozenset(json.loads(found).get(str(page), ()) if found else ())

    def place_of(self, source: int, version: str, start: int, end: int) -> Place:
        """Headings and times are those of the passages, which only the current version has; pages are always known."""
        page = next((p.number for p in self._pages(source, version) if p.start <= start < p.end), None)
        for passage in self.library.passages_of(source):
            at = passage.locator
            if passage.version == version and at.start <= start and end <= at.end:
                return Place.model_validate(asdict(passage.place(start - at.start, end - at.start)))
        return Place(start=start, end=end, page=page)

    def _pages(self, source: int, version: str) -> tuple[Page, ...]:
        try:
            return self.library.pages(source, version)
        except NotFound:
            return ()

    def origin_of(self, source: int) -> Origin:
        try:
            found = self.library.source(source)
        except NotFound:
            return Origin(None, None)
        return Origin(found.date, found.origin)

    def voice_of(self, source: int) -> int:
        seen = {source}
        while source not in self._voices:
            try:
                path = self.library.source_meta(source).get("duplicate_of")
            except NotFound:
                path = None
            original = self.library.source_at(path) if path else None
            if original is None or original.id in seen:
                self._voices |= dict.fromkeys(seen, source)
                break
            source = original.id
            seen.add(source)
        voice = self._voices[source]
        self._voices |= dict.fromkeys(seen, voice)
        return voice

    @contextmanager
    def web(self, state: ResearchState, goal: str, cancel: CancelToken) -> Iterator[Web]:
        from workstation.engine.web import open_web

        with open_web(self._services.options, self._services.embedder, state, goal, cancel) as web:
            yield web

    def propose(
        self, system: str, user: str, schema: dict[str, Any], cancel: CancelToken, most_tokens: int
    ) -> Proposal | None:
        from local_models.errors import PromptTooLong, SchemaMismatch
        from local_models.protocols import Prompt

        loader = self._services.loader
        entry = loader.entry("generator")
        if entry is None or entry.mode not in TRUSTED:
            return None
        generator = loader.generator()
        assert generator is not None, "the role has an entry"
        try:
            answer = generator.generate(Prompt(system, user), max_tokens=most_tokens, schema=schema, cancelled=cancel)
        except SchemaMismatch:
            return Proposal(None, generator.count_tokens(system + user), most_tokens)
        except PromptTooLong:
            return None
        cancel.check()
        return Proposal(answer.value, answer.prompt_tokens, answer.output_tokens)


@contextmanager
def open_workbench(options: Options) -> Iterator[Workbench]:
    """A workbench on the library of `options`; models and database are closed at the end."""
    with Services(options) as services:
        yield Workbench(services)
