"""A crawl as a machine: addresses and pages go in, decisions come out. It opens nothing and asks no clock, so that a
recorded crawl comes to the same decisions again.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from workstation.discovery.convergence import Convergence, Exit, Floats, Numbers, Rules, Spent
from workstation.discovery.frontier import SOFT, Frontier, Lead

Outcome = Literal["page", "list", "none"]
Verdict = Literal["kept", "poor", "copy", "list", "none"]
WINDOW = 16
FEW = 3  # kept pages; with fewer, poor suggestions are followed like others
SAME = 0.998  # cosine of two pages' vectors from which they are one text with another frame around it


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a crawl may take. `follow`: links of good pages are looked at; otherwise only what was named is read."""

    pages: int
    seconds: float
    window: int = WINDOW
    follow: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """What came of an address, and when. outcome: a page with text, a list of addresses (sitemap, feed), or none of
    both. `final`: where it was found; `vector`: the page's unit vector; `digest` of its text; `seconds` since the crawl
    began; `pressure`: share of the run's means that is used up."""

    url: str
    final: str
    outcome: Outcome
    seconds: float
    ga: float = 0.0
    vector: Floats | None = None
    digest: str = ""
    links: tuple[Lead, ...] = field(default=())
    pressure: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """What was decided on an arrival: whether the page is kept, the numbers, which addresses are asked for next, and
    whether the crawl ends with it."""

    verdict: Verdict
    numbers: Numbers
    launched: tuple[str, ...]
    exit: Exit | None


class Crawl:
    """`goal` is a unit vector (d,). `known`: addresses that need not be looked at."""

    def __init__(self, goal: Floats, bounds: Bounds, rules: Rules | None = None, known: Iterable[str] = ()) -> None:
        self.bounds = bounds
        self._numbers = Convergence(goal, rules or Rules.of(bounds.pages))
        self._frontier = Frontier(known)
        self._flying: dict[str, Lead] = {}
        self._digests: set[str] = set()
        self._arrived = self._kept = 0
        self.exit: Exit | None = None

    @property
    def flying(self) -> tuple[str, ...]:
        """Addresses that were asked for and have not arrived."""
        return tuple(self._flying)

    def offer(self, leads: Iterable[Lead]) -> int:
        """Addresses to choose from; returns how many of them are new."""
        return sum(self._frontier.offer(lead) for lead in leads)

    def launch(self) -> tuple[str, ...]:
        """The addresses that are asked for next, so that the window is full. A poor suggestion is followed when little
        was found yet, and later when nothing better is queued or on its way: then one at a time. Ends the crawl when
        there is nothing left to ask for."""
        launched = []
        while self.exit is None and len(self._flying) < self.bounds.window:
            if self._arrived + len(self._flying) >= self.bounds.pages:
                break
            lead = self._frontier.next(hungry=self._kept < FEW or not self._flying)
            if lead is None:
                break
            self._flying[lead.url] = lead
            launched.append(lead.url)
        if self.exit is None and not self._flying:
            self.exit = "urls_exhausted" if self._arrived < self.bounds.pages else "budget_limit"
        return tuple(launched)

    def depth(self, url: str) -> int:
        """How many links an address that is asked for lies from the beginning."""
        lead = self._flying.get(url)
        return lead.depth if lead else 0

    def judge(self, url: str, ga: float, vector: Floats, digest: str) -> Verdict:
        """Whether a page would be kept: the verdict that `arrive` comes to."""
        lead = self._flying.get(url)
        if digest in self._digests or self._numbers.nearest(vector) >= SAME:
            return "copy"
        if lead is not None and lead.via == "user":
            return "kept"
        return "kept" if ga >= SOFT * max(ga, self._numbers.best) and ga > 0 else "poor"

    def arrive(self, arrival: Arrival) -> Step:
        """Takes an arrival in and decides."""
        self._arrived += 1
        if arrival.final != arrival.url:
            self._frontier.met(arrival.final)
        spent = Spent(
            self._arrived / max(1, self.bounds.pages),
            arrival.seconds / max(1e-9, self.bounds.seconds),
            arrival.pressure,
        )
        verdict: Verdict = "list" if arrival.outcome == "list" else "none"
        if arrival.outcome == "page" and arrival.vector is not None:
            verdict = self.judge(arrival.url, arrival.ga, arrival.vector, arrival.digest)
            numbers = self._numbers.see(arrival.ga, arrival.vector, verdict == "kept", spent)
        else:
            numbers = self._numbers.miss(spent)
        lead = self._flying.pop(arrival.url, None)
        if verdict == "kept":
            self._kept += 1
            self._digests.add(arrival.digest)
        if lead is not None and verdict != "list":
            self._frontier.judge(lead, verdict == "kept")
        if verdict in ("kept", "list") and (self.bounds.follow or verdict == "list"):
            self.offer(arrival.links)
        self.exit = self.exit or self._numbers.exit(numbers)
        return Step(verdict, numbers, self.launch(), self.exit)


def rounded(vector: Floats) -> Floats:
    """A vector as a log keeps it: unit length, in half precision. Decisions rest on this one, so that they can be come
    to again."""
    norm = float(np.linalg.norm(vector))
    return (vector / norm if norm else vector).astype("<f2").astype(np.float32)


def packed(vector: Floats) -> str:
    """A rounded vector as text: base64 of float16."""
    return b64encode(vector.astype("<f2").tobytes()).decode("ascii")


def unpacked(text: str) -> Floats:
    """The vector that `packed` wrote down."""
    return np.frombuffer(b64decode(text), dtype="<f2").astype(np.float32)
