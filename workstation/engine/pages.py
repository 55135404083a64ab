"""Pages on their way from the web into the library: how they are asked for, and what a fetched one is called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from workstation.content.web import WebDocument
from workstation.core.cancel import Cancelled, CancelToken
from workstation.discovery.browser import Browser
from workstation.discovery.fetcher import Fetcher, Settings
from workstation.discovery.rendering import Renderer, needs_scripts
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


class Scripts:
    """Runs the scripts of pages that show nothing without them, in the browser that the user named; it is started for
    the first such page. Without a browser pages stay as they are. Use as a context manager, from one thread."""

    def __init__(self, options: Options, fetcher: Fetcher, why: str) -> None:
        self._program, self._fetcher, self._why = str(options.config["browser"]), fetcher, why
        self._browser: Browser | None = None

    def __call__(self, page: Fetched) -> Fetched:
        """Raises FetchFailed, and BrowserMissing when what the user named is no browser."""
        if not self._program or page.media_type != "text/html" or not needs_scripts(page.body):
            return page
        if self._browser is None:
            self._browser = Browser(self._program).__enter__()
        return Renderer(self._browser, self._fetcher, self._why).render(page)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._browser is not None:
            self._browser.__exit__(kind, error, trace)


def document_of(page: Fetched) -> WebDocument:
    """The page as the library takes it in, under the address where it was found. Raises FetchFailed for one that is
    not what was asked for."""
    if page.redirects and urlsplit(page.final).path in ("", "/") and urlsplit(page.url).path.count("/") > 1:
        raise FetchFailed("status", "redirected to the site's front page: the page itself is gone")
    return WebDocument(page.final, page.body, media_type=page.media_type, encoding=page.encoding)


def fetch_all(
    fetcher: Fetcher,
    urls: Sequence[str],
    why: str,
    cancel: CancelToken,
    done: Callable[[int, str], None],
    scripts: Callable[[Fetched], Fetched] = lambda page: page,
) -> Iterator[tuple[str, WebDocument | FetchFailed]]:
    """Each address with its page or with what was in the way, in the order in which they arrive. `done` is told how
    many there are by then; `scripts` makes the page of one that needs its scripts. Raises Cancelled."""
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
                yield url, document_of(scripts(future.result()))
            except FetchFailed as failure:
                yield url, failure
