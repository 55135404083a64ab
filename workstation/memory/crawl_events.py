"""What can happen while a run reads the web: events like the others, and the values in them."""

from __future__ import annotations

from typing import Literal

from workstation.memory.base import EventBase, Value


class Web(Value):
    """Leave to fetch pages. urls: what the user named, to be read first; follow: go on from there, and search.
    allowed: hosts that may have private addresses."""

    urls: tuple[str, ...] = ()
    follow: bool = True
    allowed: tuple[str, ...] = ()


class Suggestion(Value):
    """An address that might be worth reading, with what its title, snippet or link text promises. No evidence."""

    url: str
    ga: float
    via: Literal["user", "list", "search", "listed", "link"]
    text: str = ""
    depth: int = 0


class LeadsFound(EventBase):
    """What a search (or the user) suggests. `trouble`: why there is nothing."""

    type: Literal["leads_found"] = "leads_found"
    query: str
    leads: tuple[Suggestion, ...] = ()
    trouble: str = ""


class CrawlStarted(EventBase):
    """A crawl begins: everything that its decisions depend on. `vector` is the goal's (float16, base64); `floor` the
    cosine that counts as nothing; `launched` the addresses that are asked for first."""

    type: Literal["crawl_started"] = "crawl_started"
    round: int
    goal: str
    vector: str
    floor: float
    pages: int
    seconds: float
    window: int
    follow: bool
    launched: tuple[str, ...]
    exit_reason: str = ""


class CrawlStep(EventBase):
    """An address was dealt with. verdict: kept (it is a source), poor, copy, list (a sitemap or feed), none (no page;
    `reason` says why). The fields up to `pressure` are what came in, those behind it what followed: the numbers of the
    design's section 6, and the addresses that are asked for next."""

    type: Literal["crawl_step"] = "crawl_step"
    url: str
    final: str
    outcome: Literal["page", "list", "none"]
    reason: str = ""
    title: str = ""
    source: int | None = None
    ga: float = 0.0
    vector: str = ""
    digest: str = ""
    links: tuple[Suggestion, ...] = ()
    seconds: float
    pressure: float = 0.0
    verdict: Literal["kept", "poor", "copy", "list", "none"]
    novelty: float = 0.0
    ig: float = 0.0
    ig_ema: float = 0.0
    best: float = 0.0
    recon: float = 0.0
    score: float = 0.0
    plateau: float = 0.0
    budget: float = 0.0
    psi: float = 0.0
    launched: tuple[str, ...] = ()
    exit_reason: str = ""


class CrawlEnded(EventBase):
    """exit_reason: converged | budget_limit | urls_exhausted | out_of_time."""

    type: Literal["crawl_ended"] = "crawl_ended"
    round: int
    exit_reason: str
    pages: int
    kept: int


CrawlEvent = LeadsFound | CrawlStarted | CrawlStep | CrawlEnded
