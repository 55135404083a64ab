"""Crawls over a generated site: they end for the right reason, fetch nothing forbidden, and can be gone through
again."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import httpcore
import numpy as np
import pytest

from local_models.protocols import TextEmbedding
from storage.library import Library
from tests.workstation.content.making import HashingEmbedder
from tests.workstation.discovery.site import Site, article, prose
from tests.workstation.discovery.world import GOAL, build, slow
from workstation.core.budget import Budget
from workstation.core.cancel import CancelToken
from workstation.discovery.convergence import Convergence, Floats, Rules, Spent, alignment
from workstation.discovery.crawl import packed, rounded, unpacked
from workstation.discovery.fetch import connect
from workstation.discovery.fetcher import Fetcher, Settings
from workstation.discovery.frontier import Frontier, Lead
from workstation.discovery.links import links_of
from workstation.discovery.results import Limits
from workstation.discovery.sitemaps import listing
from workstation.engine.discovering import discover, replayed
from workstation.engine.web import LiveWeb
from workstation.memory import events as e
from workstation.memory.crawl_plot import crawl_svg
from workstation.memory.folding import apply, fold
from workstation.memory.state import ResearchState

LIMITS = e.Limits(seconds=120, searches=10, sources=10, tokens=1000, reserve_s=0, pages=90)
FLOOR = 0.2


class Subjects(HashingEmbedder):
    """Knows texts by their longer words: what is on one subject is close together."""

    dimension = 192

    def embed_query(self, text: str) -> TextEmbedding:
        said = [word for word in text.split() if len(word) > 3] or ["nothing"]
        tokens = np.stack([_meaning(word.strip(".,?").lower(), self.dimension) for word in said])
        ids, starts = (np.arange(len(said), dtype=np.int32) for _ in range(2))
        vector = tokens.sum(axis=0)
        return TextEmbedding((vector / np.linalg.norm(vector)).astype(np.float32), tokens, ids, starts)


@cache
def _meaning(word: str, dimension: int) -> Floats:
    return np.random.default_rng(zlib.crc32(word.encode())).normal(size=dimension).astype(np.float32)


class Services:
    """As much of the engine's services as the discover stage uses, over a site on loopback."""

    def __init__(self, site: Site, folder: Path, instance: str = "") -> None:
        self.site, self.folder, self.instance = site, folder, instance
        self.dialled: set[str] = set()
        self.cancel = CancelToken()

    @contextmanager
    def web(self, state: ResearchState, goal: str, cancel: CancelToken) -> Iterator[LiveWeb]:
        async def dial(address: str, port: int, seconds: float | None) -> httpcore.AsyncNetworkStream:
            self.dialled.add(address)
            if address != "127.0.0.1":
                raise httpcore.ConnectError("not in a test")
            return await connect(address, port, seconds)

        limits = Limits(seconds=2.0, page_bytes=2 << 20, pdf_bytes=2 << 20)
        settings = Settings((self.site.host,), log=self.folder / "out.jsonl", limits=limits, backoff=0.01, run="r")
        with (
            Library.open(self.folder / "library", write=True, create=True) as library,
            Fetcher(settings, dial=dial) as fetcher,
        ):
            yield LiveWeb(fetcher, library, Subjects(), goal, FLOOR, cancel, self.instance)


def approved(urls: list[str], *, follow: bool = True, limits: e.Limits = LIMITS, goal: str = GOAL) -> ResearchState:
    item = e.SubQuestion(id="q1", text=goal, direct=True)
    web = e.Web(urls=tuple(urls), follow=follow)
    return fold(
        [
            e.RunStarted(question=goal, depth="quick", format="report", library="/l", program="0", web=web),
            e.BriefWritten(restated=goal, title="Lamps", language="en"),
            e.PlanProposed(items=(item,), limits=limits),
            e.PlanApproved(items=(item,), plan_hash="h"),
        ]
    )


def crawl(state: ResearchState, services: Services, stop_after: int | None = None) -> ResearchState:
    """What the runner does with the stage; `stop_after` so many steps it is killed."""
    while not state.crawl_is_over():
        before = state
        for event in discover(state, services, Budget(LIMITS, state), services.cancel):  # type: ignore[arg-type]
            if event is not None:
                state = apply(state, event)
            if stop_after is not None and len(steps(state)) >= stop_after:
                return state
        assert state is not before
    return state


def steps(state: ResearchState) -> list[e.CrawlStep]:
    return [x for x in state.crawl if isinstance(x, e.CrawlStep)]


def exit_of(state: ResearchState) -> str:
    return next(x.exit_reason for x in state.crawl if isinstance(x, e.CrawlEnded))


def kept(state: ResearchState) -> list[str]:
    return [step.final for step in steps(state) if step.verdict == "kept"]


@pytest.fixture
def site() -> Iterator[Site]:
    with Site().running() as running:
        yield running


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Site, Services, ResearchState]]:
    """The large site, another one that is not allowed, and the crawl over the first."""
    with Site().running() as site, Site().running() as forbidden:
        assert build(site, forbidden.url("")) >= 200
        services = Services(site, tmp_path_factory.mktemp("world"))
        yield site, forbidden, services, crawl(approved([site.url("/"), site.url("/traps")]), services)


def test_a_crawl_stops_when_its_subject_is_read(world: tuple[Site, Site, Services, ResearchState]) -> None:
    _, _, _, state = world
    assert exit_of(state) == "converged"
    read = [url for url in kept(state) if "/lighthouse/" in url or "/charset/" in url]
    assert len(read) >= 10
    others = [url for url in kept(state) if any(f"/{each}/" in url for each in ("telegraph", "garden", "bread"))]
    assert not others
    assert len(steps(state)) < LIMITS.pages
    assert 0.7 <= steps(state)[-1].psi <= 1


def test_nothing_forbidden_is_fetched_and_no_trap_holds_it(world: tuple[Site, Site, Services, ResearchState]) -> None:
    site, forbidden, services, state = world
    assert services.dialled == {"127.0.0.1"}
    assert forbidden.asked == []
    asked = site.paths()
    assert not [path for path in asked if path.startswith("/private")]
    assert not [path for path in asked if "PHPSESSID" in path]
    assert len([path for path in asked if path.startswith("/calendar")]) <= 20
    assert max((path.count("again") for path in asked), default=0) <= 2
    pages = [path for path in asked if path != "/robots.txt"]
    assert len(pages) == len(set(pages))
    reasons = {step.url.removeprefix(site.url("")): step.reason for step in steps(state) if step.reason}
    expected = {
        "/drip": "not finished",
        "/huge": "larger than",
        "/endless": "larger than",
        "/bomb": "bomb",
        "/private/lamp.html": "robots.txt",
        "/to-loopback": "this machine",
        "/to-metadata": "metadata",
        "http://169.254.169.254/latest/": "metadata",
        f"{forbidden.url('')}/": "this machine",
        "/soft-404": "does not exist",
        "/missing/0": "no such page",
        "/failing/0": "server failed",
    }
    assert set(expected) - set(reasons) <= {"/drip"}  # it may be on its way when the crawl ends
    assert not {path: why for path, why in reasons.items() if expected.get(path, why) not in why}
    assert {site.url(f"/charset/{n}") for n in range(3)} <= set(kept(state))
    log = [json.loads(line) for line in (services.folder / "out.jsonl").read_text().splitlines()]
    assert {line["host"] for line in log if line["outcome"] != "refused"} == {site.host}


def test_a_recorded_crawl_comes_to_the_same_decisions(world: tuple[Site, Site, Services, ResearchState]) -> None:
    _, _, _, state = world
    read_again = [e.EVENT.validate_json(x.model_dump_json()) for x in state.crawl]
    pairs = replayed(fold(read_again))
    assert len(pairs) == len(steps(state))
    for logged, step in pairs:
        assert (step.verdict, step.launched, step.exit or "") == (logged.verdict, logged.launched, logged.exit_reason)
        assert {n: getattr(logged, n) for n in step.numbers.__slots__} == {
            n: getattr(step.numbers, n) for n in step.numbers.__slots__
        }
    assert pairs[-1][1].exit == exit_of(state)
    picture = crawl_svg(state)
    assert picture.count("<polyline") == 3
    assert "converged" in picture


def test_a_killed_crawl_goes_on_where_it_was(site: Site, tmp_path: Path) -> None:
    build(site)
    services = Services(site, tmp_path)
    first = crawl(approved([site.url("/lighthouse/")]), services, stop_after=5)
    done = crawl(first, services)
    assert steps(done)[:5] == steps(first)
    assert exit_of(done) in ("converged", "urls_exhausted")
    assert len(steps(done)) == len({step.url for step in steps(done)}) > 8
    assert [step.exit or "" for _, step in replayed(done)] == [step.exit_reason for step in steps(done)]


def test_a_small_site_is_read_to_its_end(site: Site, tmp_path: Path) -> None:
    pages = [(f"/{n}", f"lighthouse lamp {n}") for n in range(6)]
    site.add("/", article("Lighthouse lamp", prose("lighthouse", 90), pages))
    for number, (path, name) in enumerate(pages):
        site.add(path, article(name, prose("lighthouse", number)))
    site.add("/5", article("lighthouse lamp 5", prose("lighthouse", 4)))
    state = crawl(approved([site.url("/")]), Services(site, tmp_path))
    assert exit_of(state) == "urls_exhausted"
    assert sorted(step.verdict for step in steps(state)).count("kept") >= 6


def test_the_page_limit_ends_a_crawl_that_still_learns(site: Site, tmp_path: Path) -> None:
    build(site)
    limits = LIMITS.model_copy(update={"pages": 12})
    state = crawl(approved([site.url("/lighthouse/")], limits=limits), Services(site, tmp_path))
    assert exit_of(state) == "budget_limit"
    assert len(steps(state)) <= 12


def test_the_time_limit_ends_a_crawl_of_slow_pages(site: Site, tmp_path: Path) -> None:
    names = [(f"/lighthouse/{n}", f"lighthouse lamp {n}") for n in range(80)]
    site.add("/", article("Lighthouse lamp", prose("lighthouse", 90), names))
    for number, (path, name) in enumerate(names):
        site.pages[path] = slow(0.4, article(name, prose("lighthouse", number)))
    state = approved([site.url("/")], limits=LIMITS.model_copy(update={"pages": 500}))
    services = Services(site, tmp_path)
    started = apply(
        state, e.LeadsFound(query="named by the user", leads=(e.Suggestion(url=site.url("/"), ga=1, via="user"),))
    )
    begun = next(x for x in _events(started, services) if isinstance(x, e.CrawlStarted))
    done = crawl(apply(started, begun.model_copy(update={"seconds": 1.5})), services)
    assert exit_of(done) == "budget_limit"
    assert len(steps(done)) < 60


def _events(state: ResearchState, services: Services) -> list[e.Event]:
    return [x for x in discover(state, services, Budget(LIMITS, state), services.cancel) if x is not None]  # type: ignore[arg-type]


def test_a_run_that_has_spent_its_means_reads_no_further(site: Site, tmp_path: Path) -> None:
    build(site)
    state = approved([site.url("/lighthouse/")])
    search = e.SearchDone(
        need="q1", query="x", angle="question", found=0, kept=(), top_cosine=0, covered=False, seconds=0
    )
    for _ in range(9):
        state = apply(state, search)
    state = crawl(state, Services(site, tmp_path))
    assert exit_of(state) == "budget_limit"
    assert len(steps(state)) <= 3


def test_a_run_that_goes_deeper_reads_on_and_asks_for_nothing_twice(site: Site, tmp_path: Path) -> None:
    build(site)
    services = Services(site, tmp_path)
    limits = LIMITS.model_copy(update={"pages": 8})
    first = crawl(approved([site.url("/lighthouse/1.html")], limits=limits), services)
    more = e.SubQuestion(id="q2", text="What was the beacon on the reef, and what oil and wick did it burn?")
    deeper = apply(
        first,
        e.PlanExtended(asked="more", items=(more,), reopened=(), limits=LIMITS, plan_hash="h2"),
    )
    deeper = apply(
        deeper, e.LeadsFound(query="x", leads=(e.Suggestion(url=site.url("/lighthouse/"), ga=0.9, via="search"),))
    )
    done = crawl(deeper, services)
    assert len(steps(done)) > len(steps(first)) > 1
    assert len({step.url for step in steps(done)}) == len(steps(done))
    assert [(step.verdict, step.launched) for _, step in replayed(done)] == [
        (x.verdict, x.launched) for x in steps(done)
    ]


def test_only_the_named_pages_are_read_without_leave_to_follow(site: Site, tmp_path: Path) -> None:
    build(site)
    urls = [site.url("/lighthouse/1.html"), site.url("/bread/2.html"), "ftp://x.example/"]
    services = Services(site, tmp_path)
    state = crawl(approved(urls, follow=False), services)
    assert set(kept(state)) == set(urls[:2])
    assert exit_of(state) == "urls_exhausted"
    assert any("ftp://" in warning for warning in state.warnings)
    with Library.open(tmp_path / "library") as library:
        stored = {source.path: source for source in library.sources()}
        assert set(stored) == set(urls[:2])
        assert stored[urls[0]].origin == urls[0]


def test_a_search_engine_and_a_sitemap_give_leads_and_no_evidence(site: Site, tmp_path: Path) -> None:
    build(site)
    answer = {
        "query": "q",
        "number_of_results": 0,
        "results": [
            {
                "url": site.url(f"/lighthouse/{n}.html"),
                "title": "lighthouse lamp",
                "content": "The secret snippet of the lamp and the lens.",
                "engine": "wikipedia",
                "engines": ["wikipedia"],
                "parsed_url": ["http", site.host, f"/lighthouse/{n}.html", "", "", ""],
                "score": 1.0,
                "category": "general",
                "publishedDate": None,
            }
            for n in (3, 4)
        ],
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": ["lens"],
        "unresponsive_engines": [["google", "timeout"]],
    }
    with Site().running() as engine:
        engine.pages["/search"] = (200, {"Content-Type": "application/json"}, json.dumps(answer).encode())
        engine.pages["/robots.txt"] = (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /*?*q=*\n")
        services = Services(site, tmp_path, engine.url(""))
        state = crawl(approved([], limits=LIMITS.model_copy(update={"pages": 6})), services)
        assert all("format=json" in path for path in engine.paths())
        assert engine.paths()
    assert {site.url("/lighthouse/3.html"), site.url("/lighthouse/4.html")} <= set(kept(state))
    with Library.open(tmp_path / "library") as library:
        assert not any("secret snippet" in library.text(source.id) for source in library.sources())
    with Site().running() as engine:
        engine.pages["/search"] = (403, {}, b"")
        refused = crawl(approved([]), Services(site, tmp_path / "other", engine.url("")))
        assert any("settings.yml" in warning for warning in refused.warnings)


def test_lists_of_addresses_are_read() -> None:
    base = "https://a.example/sitemap.xml"
    urls = "".join(f"<url><loc>https://a.example/bell-rock/{n}</loc></url>" for n in range(400))
    sitemap = f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
    found = listing(sitemap.encode(), base)
    assert found is not None
    assert (len(found.pages), found.pages[0].text) == (300, "bell rock")
    index = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>/s/1.xml</loc></sitemap></sitemapindex>'
    assert listing(index.encode(), base).lists == ("https://a.example/s/1.xml",)  # type: ignore[union-attr]
    feed = (
        '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>The lamp is lit</title>'
        "<link>https://a.example/lamp?utm_source=rss</link></item></channel></rss>"
    )
    assert [(x.url, x.text) for x in listing(feed.encode(), base).pages] == [
        ("https://a.example/lamp", "The lamp is lit")
    ]  # type: ignore[union-attr]
    laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><urlset><url><loc>https://a.example/&b;</loc></url></urlset>'
    assert listing(laughs.encode(), base) is not None
    assert listing(b"<!doctype html><html></html>", base) is None


def test_links_come_with_their_words_and_without_those_that_a_page_disowns() -> None:
    page = (
        '<html><body><nav><a href="/about">About us</a></nav><main><a href="lamp.html#x">The lamp</a>'
        '<a href="/the-bell-rock">»</a><a rel="nofollow" href="/ad">Buy</a><a href="mailto:a@b">Mail</a>'
        '<a href="javascript:x()">Run</a></main></body></html>'
    )
    found = links_of(page, "https://a.example/towers/index.html").links
    assert [(link.url, link.text) for link in found] == [
        ("https://a.example/towers/lamp.html", "The lamp"),
        ("https://a.example/the-bell-rock", "the bell rock"),
        ("https://a.example/about", "About us"),
    ]


def test_the_queue_gives_the_best_first_and_leaves_barren_shapes() -> None:
    frontier = Frontier()
    frontier.offer(Lead("https://a.example/1", 0.9, "link"))
    frontier.offer(Lead("https://a.example/2", 0.3, "link"))
    frontier.offer(Lead("https://a.example/named", 1.0, "user"))
    assert not frontier.offer(Lead("https://a.example/1", 1.0, "link"))
    assert not frontier.offer(Lead("https://a.example/x/y/x/y/x/y", 1.0, "link"))
    got = []
    while (lead := frontier.next(hungry=False)) is not None:
        got.append(lead.url)
        frontier.judge(lead, kept=True)
    assert got == ["https://a.example/named", "https://a.example/1"]
    assert frontier.next(hungry=True) is not None
    for day in range(9):
        frontier.offer(Lead(f"https://a.example/cal/2024/{day}", 1.0, "link"))
        if (lead := frontier.next(hungry=False)) is not None:
            frontier.judge(lead, kept=False)
    assert frontier.next(hungry=True) is None


def test_the_numbers_are_those_of_their_formulas() -> None:
    goal = np.zeros(4, dtype=np.float32)
    goal[0] = 1
    page = np.array([0.8, 0.6, 0, 0], dtype=np.float32)
    ga = alignment(goal, np.stack([page, -page]), 0.0)
    convergence = Convergence(goal, Rules())
    first = convergence.see(ga, page, True, Spent(pages=0.5))
    assert (first.ga, first.novelty, first.best, first.recon) == (0.8, 1.0, 0.8, 0.8)
    assert first.ig == pytest.approx(2 * 0.8 / 1.8, abs=1e-6)
    assert first.ig_ema == pytest.approx(0.7 + 0.3 * first.ig, abs=1e-6)
    assert first.score == pytest.approx((0.8 + 1 - first.ig_ema + 0.8) / 3, abs=1e-6)
    assert first.budget == pytest.approx(0.5**6, abs=1e-6)
    assert first.psi == pytest.approx(1 - (1 - first.plateau) * (1 - first.budget), abs=1e-6)
    again = convergence.see(ga, page, False, Spent())
    assert again.novelty == pytest.approx(0, abs=1e-6)
    assert np.array_equal(unpacked(packed(rounded(page))), rounded(page))
