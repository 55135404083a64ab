"""The web behind what the discover stage needs of it: searches, pages in the order in which they arrive, what a page
says about the goal, and its way into the library.
"""

from __future__ import annotations

import hashlib
import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from local_models.protocols import Embedder, PassageInput
from storage.library import Library
from storage.records import NewPassage, Source
from workstation.content.adapters import Adapters
from workstation.content.binding import bind
from workstation.content.embedding import Embedding, Stored
from workstation.content.html_charset import decoded
from workstation.content.prepare import Prepared, Reader, Refused, prepare
from workstation.content.web import WebDocument
from workstation.core.cancel import CancelToken
from workstation.discovery import searxng
from workstation.discovery.convergence import Floats, alignment
from workstation.discovery.crawl import rounded
from workstation.discovery.fetcher import Fetcher
from workstation.discovery.frontier import Lead
from workstation.discovery.links import Link, links_of
from workstation.discovery.media import READABLE
from workstation.discovery.results import Fetched, FetchFailed
from workstation.discovery.sitemaps import listing
from workstation.engine.pages import Scripts, document_of, fetch_settings
from workstation.memory.state import ResearchState
from workstation.options import Options

PROBED = 24  # passages of a long page, evenly spread, that show whether the rest is worth embedding
FRESH = 3600.0  # seconds; a run that goes on after an interruption asks for no page twice
OWN, PARENT = 0.8, 0.2  # what a link promises: its own words, and a little of the page on which it stands


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """A fetched page, read and partly embedded. `passages` by their index."""

    final: str
    title: str
    prepared: Prepared
    passages: dict[int, NewPassage]
    known: Source | None
    ga: float
    vector: Floats
    digest: str
    html: str | bytes | None


@dataclass(frozen=True, slots=True)
class Listed:
    """A sitemap or a feed: what it names."""

    final: str
    leads: tuple[Lead, ...]


@dataclass(frozen=True, slots=True)
class Nothing:
    """An address that gave no page, and why."""

    final: str
    reason: str


class Web(Protocol):
    """What the discover stage uses; tests give a smaller one."""

    goal: Floats
    floor: float
    instance: str

    def search(self, query: str, language: str) -> tuple[tuple[Lead, ...], str]:
        """Leads, and what was in the way when there are none."""

    def sitemaps(self, url: str) -> list[str]:
        """The sitemaps that the site of an address names."""

    def submit(self, url: str) -> None: ...

    def next(self, seconds: float) -> tuple[str, Fetched | FetchFailed] | None:
        """An address with what came of it; None when nothing arrived in time."""

    def read(self, page: Fetched, depth: int, *, named: bool) -> Page | Listed | Nothing:
        """What a page is, and what it says about the goal. `named`: by the user, who may name anything."""

    def keep(self, page: Page) -> tuple[int | None, str]:
        """Takes it into the library: the source's id, or why not."""

    def links(self, page: Page, depth: int) -> tuple[Lead, ...]:
        """The links of a page, each with what it promises."""


class LiveWeb:
    """The web through a fetcher, the library open for writing, one embedder. Belongs to one thread."""

    def __init__(
        self,
        fetcher: Fetcher,
        library: Library,
        embedder: Embedder,
        goal: str,
        floor: float,
        cancel: CancelToken,
        instance: str = "",
        why: str = "research",
        scripts: Callable[[Fetched], Fetched] = lambda page: page,
    ) -> None:
        self.goal = rounded(embedder.embed_query(goal).vector)
        self.floor, self.instance = floor, instance
        self._fetcher, self._library, self._embedder, self._cancel, self._why = fetcher, library, embedder, cancel, why
        self._scripts = scripts
        self._embedding = Embedding(library, embedder, None, True, cancel)
        self._reader = Reader(Adapters(), embedder.count_tokens, embedder.window)
        self._arrived: queue.SimpleQueue[tuple[str, Future[Fetched]]] = queue.SimpleQueue()
        self._measured: dict[str, float] = {}

    def search(self, query: str, language: str) -> tuple[tuple[Lead, ...], str]:
        try:
            url = searxng.query_url(self.instance, query, language)
            found = searxng.results(self._fetcher.ask_service(url, f"search: {query}").body)
        except FetchFailed as failure:
            return (), searxng.explained(failure)
        worth = self._measure([f"{each.title}. {each.snippet}" for each in found])
        leads = (Lead(each.url, ga, "search", each.title[:120]) for each, ga in zip(found, worth, strict=True))
        return tuple(lead for each in leads if (lead := _normal(each))), ""

    def sitemaps(self, url: str) -> list[str]:
        try:
            return self._fetcher.sitemaps(url)
        except FetchFailed:
            return []

    def submit(self, url: str) -> None:
        self._fetcher.submit(url, self._why).add_done_callback(lambda future: self._arrived.put((url, future)))

    def next(self, seconds: float) -> tuple[str, Fetched | FetchFailed] | None:
        try:
            url, future = self._arrived.get(timeout=seconds)
        except queue.Empty:
            return None
        try:
            return url, future.result()
        except FetchFailed as failure:
            return url, failure

    def read(self, page: Fetched, depth: int, *, named: bool) -> Page | Listed | Nothing:
        if (found := listing(page.body, page.final)) is not None:
            return Listed(page.final, self._listed(found.pages, found.lists, depth))
        if page.media_type not in READABLE and not named:
            return Nothing(page.final, f"not a page but {page.media_type}")
        try:
            page = self._scripts(page)
            document = document_of(page)
        except FetchFailed as failure:
            return Nothing(page.final, failure.reason)
        known = self._library.source_at(document.path)
        if known is not None and known.status == "removed" and not named:
            return Nothing(page.final, "it was removed from the library")
        prepared = prepare(document, document.sha256(), self._reader, self._cancel)
        if isinstance(prepared, Refused):
            return Nothing(page.final, prepared.reason)
        return self._page(page, document, prepared, known)

    def keep(self, page: Page) -> tuple[int | None, str]:
        if page.known is not None:
            self._library.mark_seen([page.known.id])
            return page.known.id, ""
        rest = [index for index in range(len(page.prepared.inputs)) if index not in page.passages]
        passages = page.passages | dict(zip(rest, self._embedding.passages(page.prepared, rest), strict=True))
        stored = self._embedding.store(page.prepared, [passages[index] for index in sorted(passages)])
        return (stored.source.id, "") if isinstance(stored, Stored) else (None, stored.reason)

    def links(self, page: Page, depth: int) -> tuple[Lead, ...]:
        if page.html is None:
            return ()
        found = links_of(page.html, page.final)
        worth = self._measure([link.text for link in found.links])
        leads = [
            Lead(link.url, round(OWN * ga + PARENT * page.ga, 6), "link", link.text, depth + 1)
            for link, ga in zip(found.links, worth, strict=True)
        ]
        feeds = [Lead(url, 1.0, "list", "feed", 1) for url in found.feeds[:1]] if depth == 0 else []
        return (*feeds, *leads)

    def _page(self, page: Fetched, document: WebDocument, prepared: Prepared, known: Source | None) -> Page:
        text = prepared.extraction.text
        same = known if known is not None and known.status == "ok" and self._library.text(known.id) == text else None
        passages: dict[int, NewPassage] = {}
        if same is not None and (ids := [passage.id for passage in self._library.passages_of(same.id)]):
            vectors = self._library.vectors(ids)
        else:
            probed = _spread(len(prepared.inputs), PROBED)
            passages = dict(zip(probed, self._embedding.passages(prepared, probed), strict=True))
            vectors = np.zeros((0, len(self.goal)), dtype=np.float32)
            if passages:
                vectors = np.stack([each.vector for each in passages.values()])
        is_html = prepared.extraction.kind == "html"
        return Page(
            final=document.path,
            title=prepared.extraction.title,
            prepared=prepared,
            passages=passages,
            known=same,
            ga=alignment(self.goal, vectors, self.floor),
            vector=rounded(vectors.mean(axis=0)) if len(vectors) else np.zeros_like(self.goal),
            digest=hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:16],
            html=decoded(page.body, page.encoding) if is_html else None,
        )

    def _listed(self, pages: Sequence[Link], lists: Sequence[str], depth: int) -> tuple[Lead, ...]:
        worth = self._measure([link.text for link in pages])
        named = [Lead(each.url, ga, "listed", each.text, depth + 1) for each, ga in zip(pages, worth, strict=True)]
        return (*named, *(Lead(url, 1.0, "list", "", depth + 1) for url in lists))

    def _measure(self, texts: Sequence[str]) -> list[float]:
        """What texts promise. The same link stands on every page of a site and is embedded once."""
        fresh = [text for text in dict.fromkeys(texts) if text and text not in self._measured]
        inputs = [PassageInput(text) for text in fresh]
        for text, found in zip(fresh, self._embedder.embed_passages(inputs, self._cancel), strict=True):
            self._measured[text] = alignment(self.goal, found.vector[np.newaxis], self.floor)
        return [self._measured.get(text, 0.0) for text in texts]


@contextmanager
def open_web(
    options: Options, embedder: Embedder, state: ResearchState, goal: str, cancel: CancelToken
) -> Iterator[LiveWeb]:
    """The web for a run. Raises LibraryBusy when another process writes into the library."""
    from workstation.retrieval.thresholds import thresholds_for

    assert state.web is not None
    settings = fetch_settings(options, state.web.allowed, run=state.title or state.question[:80], fresh=FRESH)
    floor = thresholds_for(embedder.fingerprint).noise_floor
    instance = str(options.config["searxng"]) if state.web.follow else ""
    with (
        Library.open(options.library, write=True, create=True) as library,
        Fetcher(settings) as fetcher,
        Scripts(options, fetcher, "research") as scripts,
    ):
        yield LiveWeb(fetcher, library, embedder, goal, floor, cancel, instance, scripts=scripts)


def ensure_library(options: Options) -> None:
    """A library that pages can go into, for a run that begins with the web: made and bound to the embedder if need
    be."""
    from workstation.services import Services

    with Services(options, create=True) as services:
        embedder = services.embedder
        if services.library.embedder() is not None:
            return
    with Services(options, write=True, create=True) as services:
        bind(services.library, embedder)


def _spread(count: int, most: int) -> list[int]:
    """`most` indices below `count`, evenly spread, the first among them."""
    return list(range(count)) if count <= most else [round(i * (count - 1) / (most - 1)) for i in range(most)]


def _normal(lead: Lead) -> Lead | None:
    from dataclasses import replace

    from workstation.discovery import urls

    try:
        return replace(lead, url=urls.normal(lead.url))
    except urls.BadUrl:
        return None
