"""Asking for pages as a well-behaved guest does: robots.txt first, slowly, again only when that may help, and never for
what is in the cache and still good. Every request is a line of the outbound log.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from workstation import __version__, guard
from workstation.discovery import outbound, urls
from workstation.discovery.addresses import AllowedHosts
from workstation.discovery.cache import Cache, Entry
from workstation.discovery.inflate import ACCEPTED
from workstation.discovery.media import charset, media_type, sniffed
from workstation.discovery.politeness import ILL, LONGEST_DELAY, Politeness
from workstation.discovery.results import Exchange, Fetched, FetchFailed, Limits
from workstation.discovery.robots import NAME, Robots

if TYPE_CHECKING:
    from workstation.discovery.fetch import Dial, Line, Resolve

T = TypeVar("T")

REDIRECTS = 5
TRIES = 3
BACKOFF = 0.5  # seconds before the second try, doubled before the third
LONGEST_WAIT = 20.0  # a server that wants to be asked later than this is not asked again
ROBOTS_FRESH = 24 * 3600.0  # RFC 9309: not longer than a day
_MOVED = frozenset({301, 302, 303, 307, 308})
_TRANSIENT = frozenset({429, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Settings:
    """How a fetcher behaves. allowed: hosts (or host:port) that may have private addresses; they count as the user's
    own and are asked without pauses. fresh: seconds for which a page in the cache is not asked for again. contact: how
    a site can reach the user, for the user agent. run: what the log calls this work."""

    allowed: tuple[str, ...] = ()
    contact: str = ""
    cache: Path | None = None
    fresh: float = 0.0
    run: str = ""
    limits: Limits = field(default_factory=Limits)
    log: Path | None = None
    backoff: float = BACKOFF


class Fetcher:
    """Use as a context manager, from any thread: requests run in a thread of their own.

    resolve and dial replace the look-up of names and the opening of connections.
    """

    def __init__(self, settings: Settings, *, resolve: Resolve | None = None, dial: Dial | None = None) -> None:
        self.settings = settings
        self._allowed = AllowedHosts.of(settings.allowed)
        self._resolve, self._dial = resolve, dial
        self._cache = Cache(settings.cache) if settings.cache else None
        self._lines: dict[str, Line] = {}
        self._politeness = Politeness(eager=self._is_allowed)
        self._robots = Robots(self._get_robots)
        contact = f"; contact: {settings.contact}" if settings.contact else ""
        self._agent = f"{NAME}/{__version__} (reads pages for one person's research; robots.txt name: {NAME}{contact})"
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fetcher", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._submit(self._close()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def submit(self, url: str, why: str) -> Future[Fetched]:
        """Asks for a page; the future ends with it, or with FetchFailed."""
        return self._submit(self._fetch(url, why))

    def fetch(self, url: str, why: str) -> Fetched:
        return self.submit(url, why).result()

    def ask_service(self, url: str, why: str) -> Fetched:
        """A request to a service that the user named (a search engine's API): robots.txt speaks to crawlers, not to
        those that a service is there for, and its address may be private. Redirects are not followed."""
        return self._submit(self._ask_service(url, why)).result()

    def sitemaps(self, url: str) -> list[str]:
        """The sitemaps that the site's robots.txt names."""
        return self._submit(self._robots.sitemaps(urls.normal(url))).result()

    def _submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _close(self) -> None:
        mine = asyncio.current_task()
        tasks = [task for task in asyncio.all_tasks() if task is not mine]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for line in self._lines.values():
            await line.close()

    # One page

    async def _fetch(self, url: str, why: str) -> Fetched:
        address = _normal(url)
        visited: list[str] = []
        while True:
            if address in visited or len(visited) > REDIRECTS:
                raise FetchFailed("redirects", f"redirected in a circle, or more than {REDIRECTS} times")
            visited.append(address)
            delay = await self._permitted(address, why)
            found = await self._page(address, why if len(visited) == 1 else f"redirect: {why}", delay)
            if isinstance(found, str):
                address = _normal(found, address)
                continue
            return Fetched(
                url=visited[0],
                final=address,
                body=found.body,
                media_type=sniffed(found.media_type, found.body),
                encoding=found.encoding,
                cached=found.cached,
                read=found.read,
                redirects=tuple(visited[1:]),
            )

    async def _permitted(self, address: str, why: str) -> float:
        """The pause that the site wants. Raises FetchFailed where it does not want us, or so slowly that it would take
        for ever."""
        if guard.offline():
            raise self._refusal(address, why, FetchFailed("offline", "the network is switched off (--offline)"))
        try:
            allowed, delay = await self._robots.allows(address), await self._robots.delay(address)
        except FetchFailed as failure:
            known = FetchFailed(failure.trouble, failure.reason, transient=failure.transient)
            raise (self._refusal(address, why, known) if failure.trouble == "address" else known) from failure
        if not allowed:
            reason = "the site's robots.txt forbids it; open it in a browser, save the page and ingest the file"
            raise self._refusal(address, why, FetchFailed("robots", reason))
        if delay > LONGEST_DELAY:
            raise self._refusal(address, why, FetchFailed("busy", f"the site wants {delay:.0f} s between two requests"))
        return delay

    async def _page(self, address: str, why: str, delay: float) -> _Page | str:
        """The page, or where it has moved to."""
        entry = self._cache.entry(address) if self._cache else None
        if entry is not None and entry.age < self.settings.fresh and (kept := self._kept(entry)):
            return kept
        conditions = entry.conditions() if entry else {}
        exchange = await self._tried(address, why, conditions, delay)
        if exchange.status in _MOVED and (location := exchange.headers.get("location")):
            return location
        if exchange.status == 304 and entry is not None and self._cache:
            if kept := self._kept(entry):
                self._cache.confirm(entry)
                return kept
            exchange = await self._tried(address, why, {}, delay)  # its body is damaged
        if exchange.status != 200:
            raise FetchFailed("status", _said(exchange.status), status=exchange.status)
        content_type = exchange.headers.get("content-type", "")
        page = _Page(exchange.body, media_type(content_type), charset(content_type), False, _today())
        if self._cache and "no-store" not in exchange.headers.get("cache-control", "").lower():
            self._cache.put(
                address,
                page.body,
                status=exchange.status,
                media_type=page.media_type,
                encoding=page.encoding,
                etag=exchange.headers.get("etag"),
                last_modified=exchange.headers.get("last-modified"),
            )
        return page

    def _kept(self, entry: Entry) -> _Page | None:
        body = self._cache.body(entry) if self._cache else None
        if body is None:
            return None
        day = datetime.fromtimestamp(entry.stored, UTC).date().isoformat()
        return _Page(body, entry.media_type, entry.encoding, True, day)

    async def _tried(self, address: str, why: str, conditions: Mapping[str, str], delay: float = 0.0) -> Exchange:
        """One request, and up to two more where the failure may pass."""
        host = urls.host_of(address)
        for attempt in range(1, TRIES + 1):
            if down := self._politeness.down(host):
                raise self._refusal(address, why, FetchFailed("busy", down))
            try:
                async with self._politeness.turn(host, delay):
                    exchange = await self._logged(address, why, conditions)
                if exchange.status not in _TRANSIENT:
                    if exchange.status >= 500:
                        self._politeness.failed(host, weight=ILL)
                    else:
                        self._politeness.answered(host)
                    return exchange
                wait = _retry_after(exchange.headers.get("retry-after", ""))
                failure = FetchFailed(
                    "status", _said(exchange.status), transient=True, status=exchange.status, wait=wait
                )
            except FetchFailed as error:
                failure = error
            wait = failure.wait if failure.wait is not None else self.settings.backoff * 2 ** (attempt - 1)
            if not failure.transient or attempt == TRIES or wait > LONGEST_WAIT:
                if failure.transient:
                    self._politeness.failed(host, failure.wait)
                raise failure
            await asyncio.sleep(wait * random.uniform(1.0, 1.2))
        raise AssertionError("the last attempt returns or raises")

    async def _ask_service(self, url: str, why: str) -> Fetched:
        address = _normal(url)
        if guard.offline():
            raise self._refusal(address, why, FetchFailed("offline", "the network is switched off (--offline)"))
        exchange = await self._logged(address, why, {}, service=True)
        if exchange.status != 200:
            raise FetchFailed("status", _said(exchange.status), status=exchange.status)
        content_type = exchange.headers.get("content-type", "")
        return Fetched(address, address, exchange.body, media_type(content_type), charset(content_type), read=_today())

    async def _get_robots(self, url: str) -> tuple[int, bytes]:
        address = url
        for _ in range(REDIRECTS + 1):
            entry = self._cache.entry(address) if self._cache else None
            if entry is not None and self._cache and entry.age < ROBOTS_FRESH and (body := self._cache.body(entry)):
                return entry.status, body
            exchange = await self._tried(address, "robots.txt", {})
            if exchange.status not in _MOVED or not (location := exchange.headers.get("location")):
                break
            address = _normal(location, address)
        else:
            return 404, b""  # RFC 9309: after five redirects the file counts as not there
        if exchange.status == 200 and self._cache:
            self._cache.put(
                address,
                exchange.body,
                status=200,
                media_type="text/plain",
                encoding=None,
                etag=None,
                last_modified=None,
            )
        return exchange.status, exchange.body

    # One request

    async def _logged(
        self, address: str, why: str, conditions: Mapping[str, str], *, service: bool = False
    ) -> Exchange:
        headers = {
            "User-Agent": self._agent,
            "Accept": "application/json" if service else "text/html,application/xhtml+xml,application/pdf,*/*;q=0.5",
            "Accept-Encoding": ACCEPTED,
            "Accept-Language": "*",
        } | dict(conditions)
        started, outcome, status, received = time.monotonic(), "failed", 0, 0
        try:
            exchange = await self._line(address if service else "").get(address, headers, self.settings.limits)
            outcome, status, received = "ok", exchange.status, exchange.received
            return exchange
        except FetchFailed as failure:
            outcome = "refused" if failure.trouble in ("address", "offline", "url") else "failed"
            why = f"{why} ({failure.reason})"
            raise
        finally:
            self._record(address, why, outcome, status, received, round(1000 * (time.monotonic() - started)))

    def _line(self, service: str) -> Line:
        """Connections for pages, and for each service apart: what one may reach, the others may not use."""
        host = urls.host_of(service) if service else ""
        if host not in self._lines:
            from workstation.discovery.fetch import Line  # 0.2 s: httpx, ssl

            allowed = AllowedHosts.of([*self._allowed.names, host])
            self._lines[host] = Line(allowed, resolve=self._resolve, dial=self._dial)
        return self._lines[host]

    def _refusal(self, address: str, why: str, failure: FetchFailed) -> FetchFailed:
        self._record(address, f"{why} ({failure.reason})", "refused")
        return failure

    def _record(
        self, address: str, why: str, outcome: str, status: int = 0, received: int = 0, milliseconds: int = 0
    ) -> None:
        outbound.record(
            host=urls.host_of(address),
            url=address,
            why=why,
            outcome=outcome,
            status=status,
            received=received,
            milliseconds=milliseconds,
            run=self.settings.run,
            path=self.settings.log,
        )

    def _is_allowed(self, host: str) -> bool:
        name, _, port = host.rpartition(":")
        return (name, int(port)) in self._allowed if port.isdigit() else (host, 0) in self._allowed


@dataclass(frozen=True, slots=True)
class _Page:
    body: bytes
    media_type: str
    encoding: str | None
    cached: bool
    read: str


def _normal(url: str, base: str | None = None) -> str:
    try:
        return urls.normal(url, base)
    except urls.BadUrl as error:
        raise FetchFailed("url", str(error)) from error


def _retry_after(value: str) -> float | None:
    """Seconds, from a number or a date."""
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _said(status: int) -> str:
    known = {
        401: "the page wants a user name (401)",
        402: "the page wants to be paid for (402)",
        403: "the server refuses to show it (403)",
        404: "there is no such page (404)",
        410: "the page is gone (410)",
        429: "the server has had too many requests (429)",
        451: "the page is withheld for legal reasons (451)",
    }
    kind = "the server failed" if status >= 500 else "the server answered something else than a page"
    return known.get(status, f"{kind} ({status})")
