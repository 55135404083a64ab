"""The queue of addresses: the most promising first, each once, and out of traps."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from workstation.discovery import urls

Via = Literal["user", "list", "search", "listed", "link"]
"""Named by the user; a sitemap or feed; a result of a search; named by a sitemap or feed; a link on a page."""

SOFT = 0.55  # of the best suggestion that came true: below it an address waits until there is nothing better
DEEPEST = 8  # links away from where the crawl began
FRUITLESS = 4  # pages of one shape in a row that were not kept; then the others of that shape are left
_CLASS: dict[Via, int] = {"user": 0, "list": 1, "search": 2, "listed": 2, "link": 2}  # what is asked for first
# Nothing to read for us, by its name.
_OTHER = re.compile(
    r"\.(?:jpe?g|png|gif|webp|svg|ico|css|m?js|json|zip|gz|tar|7z|rar|exe|dmg|iso|apk|mp[34]|avi|mov|webm|ogg|wav|woff2?|ttf"
    r"|docx?|xlsx?|pptx?)$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Lead:
    """An address that might be worth reading. `ga` in [0, 1] is what its title, snippet or link text promises; `depth`
    counts the links from where the crawl began. A lead is never evidence."""

    url: str
    ga: float
    via: Via
    text: str = ""
    depth: int = 0


class Frontier:
    """Deterministic: the same offers in the same order come out in the same order."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._met = set(known)
        self._queue: list[tuple[int, float, int, Lead]] = []
        self._count = 0
        self._best = 0.0
        self._fruitless: Counter[str] = Counter()

    def offer(self, lead: Lead) -> bool:
        """Takes an address into the queue, unless it was met before or is a trap."""
        if lead.url in self._met or not _worthwhile(lead):
            return False
        self._met.add(lead.url)
        heapq.heappush(self._queue, (_CLASS[lead.via], -lead.ga, self._count, lead))
        self._count += 1
        return True

    def next(self, *, hungry: bool) -> Lead | None:
        """The most promising address. `hungry`: a poor suggestion is better than none."""
        while self._queue:
            lead = self._queue[0][3]
            if lead.via != "user" and self._fruitless[urls.shape(lead.url)] >= FRUITLESS:
                heapq.heappop(self._queue)
                continue
            if _CLASS[lead.via] == 2 and lead.ga < SOFT * self._best and not hungry:
                return None  # all behind it promise less
            return heapq.heappop(self._queue)[3]
        return None

    def met(self, url: str) -> bool:
        """Notes an address that a redirect led to; true when it was met before."""
        before = url in self._met
        self._met.add(url)
        return before

    def judge(self, lead: Lead, kept: bool) -> None:
        """What came of an address. A promise that was kept is what others are measured against (a trap can promise
        anything); shapes that give nothing are left."""
        if kept and _CLASS[lead.via] == 2:
            self._best = max(self._best, lead.ga)
        shape = urls.shape(lead.url)
        self._fruitless[shape] = 0 if kept else self._fruitless[shape] + 1

    def __len__(self) -> int:
        return len(self._queue)


def _worthwhile(lead: Lead) -> bool:
    if lead.via == "user":
        return True
    if lead.via != "list" and (urls.loops(lead.url) or _OTHER.search(lead.url.partition("?")[0])):
        return False
    return lead.depth <= DEEPEST
