"""One host at a time, slowly: how many requests, how far apart, and when a host is left alone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

INTERVAL = 1.0  # seconds between the starts of two requests to one host: what crawlers that are asked back keep to
CONCURRENCY = 2
LONGEST_DELAY = 60.0  # a host that asks for longer pauses than this gets no further request in this run
PATIENCE = 4  # failures in a row after which a host counts as down
ILL = 0.5  # of a failure: a server that answers that it failed (500) may do so in one of its corners only
REST = 120.0  # seconds after which a host that was down is tried once more


@dataclass(slots=True)
class _Host:
    turns: asyncio.Semaphore
    next: float = 0.0
    failures: float = 0.0
    failed_at: float = 0.0
    pause_until: float = field(default=0.0)


class Politeness:
    """Belongs to one event loop. `eager` hosts are the user's own: many requests at once, no pause between them."""

    def __init__(
        self,
        *,
        interval: float = INTERVAL,
        concurrency: int = CONCURRENCY,
        eager: Callable[[str], bool] = lambda host: False,
        eager_concurrency: int = 16,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._interval, self._concurrency = interval, concurrency
        self._eager, self._eager_concurrency = eager, eager_concurrency
        self._clock = clock
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, host: str, delay: float = 0.0) -> AsyncIterator[None]:
        """A request to `host` may be made inside. `delay`: the pause that its robots.txt asks for."""
        known = self._known(host)
        async with known.turns:
            interval = delay if self._eager(host) else max(self._interval, delay)
            start = max(self._clock(), known.next, known.pause_until)
            known.next = start + interval
            if (wait := start - self._clock()) > 0:
                await asyncio.sleep(wait)
            yield

    def answered(self, host: str) -> None:
        self._known(host).failures = 0.0

    def failed(self, host: str, wait: float | None = None, weight: float = 1.0) -> None:
        """A request failed for a reason that lies with the host; `wait`: it said for how long."""
        known = self._known(host)
        known.failures += weight
        known.failed_at = self._clock()
        if wait:
            known.pause_until = max(known.pause_until, self._clock() + wait)

    def down(self, host: str) -> str | None:
        """Why nothing more is asked of the host, if so."""
        known = self._known(host)
        if known.failures >= PATIENCE and self._clock() - known.failed_at < REST:
            return f"{host} failed again and again, and is left alone for a while"
        if known.pause_until - self._clock() > LONGEST_DELAY:
            return f"{host} asked to be left alone for {known.pause_until - self._clock():.0f} s"
        return None

    def _known(self, host: str) -> _Host:
        if host not in self._hosts:
            most = self._eager_concurrency if self._eager(host) else self._concurrency
            self._hosts[host] = _Host(asyncio.Semaphore(most))
        return self._hosts[host]
