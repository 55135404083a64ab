"""Pages on their way from the web into the library: how they are asked for, and what a fetched one is called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from urllib.parse import urlsplit

from workstation.content.web import WebDocument
from workstation.core.cancel import Cancelled, CancelToken
from workstation.discovery.fetcher import Fetcher, Settings
from workstation.discovery.results import Fetched, FetchFailed
from workstation.options import Options
from workstation.paths import cache_dir

WINDOW = 16  # requests at once; hosts have limits of their own


def fetch_settings(options: Options, allowed: Sequence[str] = (), *, run: str = "", fresh: float = 0.0) -> Settings:
    """How pages are fetched under these options. `allowed`: hosts that the user allows beside the configured ones."""
    configured = str(options.config["allowed_hosts"]).split(",")
    hosts = tuple(name.strip() for name in (*configured, *allowed) if name.strip())
    contact = str(options.config["contact"])
    return Settings(allowed=hosts, contact=contact, cache=cache_dir() / "pages", fresh=fresh, run=run)


def document_of(page: Fetched) -> WebDocument:
    """The page as the library takes it in, under the address where it was found. Raises FetchFailed for one that is
    not what was asked for."""
    if page.redirects and urlsplit(page.final).path in ("", "/") and urlsplit(page.url).path.count("/") > 1:
        raise FetchFailed("status", "redirected to the site's front page: the page itself is gone")
    return WebDocument(page.final, page.body, media_type=page.media_type, encoding=page.encoding)


def fetch_all(
    fetcher: Fetcher, urls: Sequence[str], why: str, cancel: CancelToken, done: Callable[[int, str], None]
) -> Iterator[tuple[str, WebDocument | FetchFailed]]:
    """Each address with its page or with what was in the way, in the order in which they arrive. `done` is told how
    many there are by then. Raises Cancelled."""
    left, running, arrived = list(reversed(urls)), dict[Future[Fetched], str](), 0
    while left or running:
        while left and len(running) < WINDOW:
            url = left.pop()
            running[fetcher.submit(url, why)] = url
        finished, _ = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
        if cancel():
            for future in running:
                future.cancel()
            raise Cancelled
        for future in finished:
            url = running.pop(future)
            arrived += 1
            done(arrived, url)
            try:
                yield url, document_of(future.result())
            except FetchFailed as failure:
                yield url, failure
