"""robots.txt, as RFC 9309 has it: no file allows everything, a server that fails allows nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from workstation.discovery.results import FetchFailed
from workstation.discovery.urls import origin_of

if TYPE_CHECKING:
    from protego import Protego

NAME = "florilegium"
"""What a site's robots.txt may call us."""
MOST_BYTES = 500 << 10  # what RFC 9309 wants a crawler to read at least
Get = Callable[[str], Awaitable[tuple[int, bytes]]]
"""Status and body of the file at an address."""


class Robots:
    """The rules of all hosts that were met, each asked for once. Belongs to one event loop."""

    def __init__(self, get: Get) -> None:
        self._get = get
        self._rules: dict[str, asyncio.Task[Protego | None]] = {}

    async def allows(self, url: str) -> bool:
        rules = await self._of(url)
        return rules is not None and bool(rules.can_fetch(url, NAME))

    async def delay(self, url: str) -> float:
        """Seconds between two requests, as the site wishes."""
        rules = await self._of(url)
        return float(rules.crawl_delay(NAME) or 0.0) if rules is not None else 0.0

    async def sitemaps(self, url: str) -> list[str]:
        rules = await self._of(url)
        return list(rules.sitemaps) if rules is not None else []

    async def _of(self, url: str) -> Protego | None:
        """None where nothing may be fetched. Raises FetchFailed for an address that must not be asked at all."""
        origin = origin_of(url)
        if origin not in self._rules:
            self._rules[origin] = asyncio.ensure_future(self._read(origin))
        return await asyncio.shield(self._rules[origin])

    async def _read(self, origin: str) -> Protego | None:
        from protego import Protego  # 10 ms

        try:
            status, body = await self._get(f"{origin}/robots.txt")
        except FetchFailed as failure:
            if failure.trouble in ("address", "offline", "url", "dns", "connection"):
                raise  # the page itself would end the same way, and this says why
            return None
        if status >= 500 or status == 429:
            return None
        text = body[:MOST_BYTES].decode("utf-8", errors="replace") if status < 300 else ""
        return Protego.parse(text)
