"""Discover: the web is searched and read until nothing new comes of it, and good pages become sources of the library.

Everything that a decision depends on is in the log, so that an interrupted crawl goes on where it was, and a recorded
one can be gone through again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from workstation.core.budget import Budget
from workstation.core.cancel import CancelToken
from workstation.discovery import urls
from workstation.discovery.crawl import WINDOW, Arrival, Bounds, Crawl, Step, packed, unpacked
from workstation.discovery.frontier import Lead
from workstation.discovery.results import Fetched, FetchFailed
from workstation.engine.services import EngineServices
from workstation.engine.web import Listed, Nothing, Page, Web
from workstation.memory import events as e
from workstation.memory.events import Event
from workstation.memory.state import ResearchState

TIME_SHARE = 0.5  # of the time that research may still take; the rest is for reading closely
QUERIES = 6  # put to the search engine: the question, and its parts
HEARTBEAT = 0.25  # seconds without an arrival after which the user is listened to
USER = "named by the user"
SITEMAPS = "sitemaps"


def discover(
    state: ResearchState, services: EngineServices, budget: Budget, cancel: CancelToken
) -> Iterator[Event | None]:
    """One round of the crawl, from the beginning or from where it was interrupted."""
    past = rounds(state)[-1]
    with services.web(state, goal_of(state), cancel) as web:
        started = next((x for x in past if isinstance(x, e.CrawlStarted)), None)
        if started is None:
            yield from _leads(state, web, past)
            return  # the stage is run again with them in the state
        yield from _crawl(state, web, past, budget, cancel)


def goal_of(state: ResearchState) -> str:
    """What pages are measured against: the question; in a later round, what is still open."""
    lines = [n.question.text for n in state.open_needs()]
    return state.restated if not state.rounds or not lines else " ".join(lines)


def queries_of(state: ResearchState) -> list[str]:
    """What the search engine is asked."""
    parts = [n.question.query or n.question.text for n in state.open_needs()]
    return list(dict.fromkeys([*([] if state.rounds else [state.restated]), *parts]))[:QUERIES]


def rebuilt(events: Sequence[e.CrawlEvent], known: Iterable[str] = ()) -> tuple[Crawl, list[tuple[e.CrawlStep, Step]]]:
    """The crawl that these events of one round tell of, and each step as it was logged beside the one that the machine
    comes to now."""
    started = next(x for x in events if isinstance(x, e.CrawlStarted))
    bounds = Bounds(started.pages, started.seconds, started.window, started.follow)
    crawl = Crawl(unpacked(started.vector), bounds, known=known)
    for found in events:
        if isinstance(found, e.LeadsFound):
            crawl.offer(_lead(each) for each in found.leads)
    crawl.launch()
    steps = [(x, crawl.arrive(_arrival(x))) for x in events if isinstance(x, e.CrawlStep)]
    return crawl, steps


def replayed(state: ResearchState) -> list[tuple[e.CrawlStep, Step]]:
    """Every step of a run's crawls as it was logged, beside what the machine decides on the same arrivals now."""
    pairs: list[tuple[e.CrawlStep, Step]] = []
    past: tuple[e.CrawlEvent, ...] = ()
    for events in rounds(state):
        if any(isinstance(x, e.CrawlStarted) for x in events):
            pairs += rebuilt(events, _dealt_with(past))[1]
        past += events
    return pairs


def rounds(state: ResearchState) -> list[tuple[e.CrawlEvent, ...]]:
    """The crawl's events, one tuple a round; the last one is the round that is not over, empty when all are."""
    ends = [i + 1 for i, x in enumerate(state.crawl) if isinstance(x, e.CrawlEnded)]
    return [state.crawl[start:end] for start, end in zip([0, *ends], [*ends, len(state.crawl)], strict=True)]


def _dealt_with(events: Iterable[e.CrawlEvent]) -> list[str]:
    return [url for x in events if isinstance(x, e.CrawlStep) for url in (x.url, x.final)]


def _known(state: ResearchState) -> list[str]:
    """Addresses that earlier rounds have dealt with."""
    return _dealt_with(x for events in rounds(state)[:-1] for x in events)


def _leads(state: ResearchState, web: Web, past: Sequence[e.CrawlEvent]) -> Iterator[Event | None]:
    """What the user named, what searches suggest, and the start."""
    assert state.web is not None
    assert state.limits is not None
    asked = {x.query for x in past if isinstance(x, e.LeadsFound)}
    found = [x for x in past if isinstance(x, e.LeadsFound)]
    for query in _asked(state, web):
        if query in asked:
            continue
        event = _found(state, web, query)
        found.append(event)
        yield event
        if event.trouble:
            yield e.Warned(text=event.trouble)
    left = Budget(state.limits, state).seconds_left()
    bounds = Bounds(_pages(state), round(max(1.0, TIME_SHARE * left), 3), WINDOW, state.web.follow)
    crawl = Crawl(web.goal, bounds, known=_known(state))
    for event in found:
        crawl.offer(_lead(each) for each in event.leads)
    launched = crawl.launch()
    yield e.CrawlStarted(
        round=state.rounds,
        goal=goal_of(state),
        vector=packed(web.goal),
        floor=web.floor,
        pages=bounds.pages,
        seconds=bounds.seconds,
        window=bounds.window,
        follow=bounds.follow,
        launched=launched,
        exit_reason=crawl.exit or "",
    )


def _asked(state: ResearchState, web: Web) -> Iterator[str]:
    assert state.web is not None
    if not state.rounds and state.web.urls:
        yield USER
        if state.web.follow:
            yield SITEMAPS
    if web.instance and state.web.follow:
        yield from queries_of(state)


def _found(state: ResearchState, web: Web, query: str) -> e.LeadsFound:
    assert state.web is not None
    if query == USER:
        named = [_normal(url) for url in state.web.urls]
        leads = [Lead(url, 1.0, "user") for url in named if url]
        wrong = [given for given, url in zip(state.web.urls, named, strict=True) if not url]
        trouble = f"not the address of a page: {', '.join(wrong)}" if wrong else ""
        return e.LeadsFound(query=query, leads=_suggestions(leads), trouble=trouble)
    if query == SITEMAPS:
        origins = list(dict.fromkeys(urls.origin_of(url) for given in state.web.urls if (url := _normal(given))))
        maps = [url for origin in origins for each in web.sitemaps(origin)[:3] if (url := _normal(each))]
        return e.LeadsFound(query=query, leads=_suggestions([Lead(url, 1.0, "list") for url in maps]))
    found, trouble = web.search(query, state.language)
    return e.LeadsFound(query=query, leads=_suggestions(found), trouble=trouble)


def _crawl(
    state: ResearchState, web: Web, past: Sequence[e.CrawlEvent], budget: Budget, cancel: CancelToken
) -> Iterator[Event | None]:
    assert state.web is not None
    crawl, steps = rebuilt(past, _known(state))
    kept = sum(step.verdict == "kept" for step, _ in steps)
    began = time.monotonic() - (steps[-1][0].seconds if steps else 0.0)
    named = {url for given in state.web.urls if (url := _normal(given))}
    arrived = len(steps)
    for url in crawl.flying:
        web.submit(url)
    while crawl.exit is None:
        cancel.check()
        seconds = round(time.monotonic() - began, 3)
        if seconds > crawl.bounds.seconds:
            crawl.exit = "budget_limit"
            break
        arrival = web.next(HEARTBEAT)
        if arrival is None:
            yield None
            continue
        event = _step(crawl, web, *arrival, seconds, _pressure(state), named)
        arrived += 1
        kept += event.verdict == "kept"
        yield event
        for url in event.launched:
            web.submit(url)
    yield e.CrawlEnded(round=state.rounds, exit_reason=crawl.exit, pages=arrived, kept=kept)


def _step(
    crawl: Crawl,
    web: Web,
    url: str,
    answer: Fetched | FetchFailed,
    seconds: float,
    pressure: float,
    named: set[str],
) -> e.CrawlStep:
    """Reads what arrived, decides, and takes a good page into the library."""
    depth = crawl.depth(url)
    found = (
        Nothing(url, answer.reason) if isinstance(answer, FetchFailed) else web.read(answer, depth, named=url in named)
    )
    source, reason, title = None, "", ""
    arrival = Arrival(url, found.final, "none", seconds, pressure=pressure)
    if isinstance(found, Nothing):
        reason = found.reason
    elif isinstance(found, Listed):
        arrival = Arrival(url, found.final, "list", seconds, links=found.leads, pressure=pressure)
    else:
        title = found.title
        verdict = crawl.judge(url, found.ga, found.vector, found.digest)
        links: tuple[Lead, ...] = ()
        if verdict == "kept":
            source, reason = web.keep(found)
            links = web.links(found, depth) if crawl.bounds.follow else ()
        arrival = _page_arrival(url, found, seconds, pressure, links)
    step = crawl.arrive(arrival)
    numbers = {name: getattr(step.numbers, name) for name in step.numbers.__slots__ if name != "ga"}
    return e.CrawlStep(
        url=url,
        final=arrival.final,
        outcome=arrival.outcome,
        reason=reason,
        title=title,
        source=source,
        ga=arrival.ga,
        vector=packed(arrival.vector) if arrival.vector is not None else "",
        digest=arrival.digest,
        links=_suggestions(arrival.links),
        seconds=seconds,
        pressure=pressure,
        verdict=step.verdict,
        launched=step.launched,
        exit_reason=step.exit or "",
        **numbers,
    )


def _page_arrival(url: str, page: Page, seconds: float, pressure: float, links: tuple[Lead, ...]) -> Arrival:
    return Arrival(url, page.final, "page", seconds, page.ga, page.vector, page.digest, links, pressure)


def _arrival(step: e.CrawlStep) -> Arrival:
    return Arrival(
        step.url,
        step.final,
        step.outcome,
        step.seconds,
        step.ga,
        unpacked(step.vector) if step.vector else None,
        step.digest,
        tuple(_lead(each) for each in step.links),
        step.pressure,
    )


def _pages(state: ResearchState) -> int:
    """Pages that may still be asked for."""
    assert state.limits is not None
    asked = sum(isinstance(x, e.CrawlStep) for x in state.crawl)
    return max(1, state.limits.pages - asked)


def _pressure(state: ResearchState) -> float:
    """The share of the run's searches and tokens that is used up."""
    assert state.limits is not None
    shares = (len(state.searches) / max(1, state.limits.searches), state.tokens / max(1, state.limits.tokens))
    return round(min(1.0, max(shares)), 6)


def _lead(found: e.Suggestion) -> Lead:
    return Lead(found.url, found.ga, found.via, found.text, found.depth)


def _suggestions(leads: Iterable[Lead]) -> tuple[e.Suggestion, ...]:
    return tuple(e.Suggestion(url=x.url, ga=x.ga, via=x.via, text=x.text, depth=x.depth) for x in leads)


def _normal(url: str) -> str | None:
    try:
        return urls.normal(url)
    except urls.BadUrl:
        return None
