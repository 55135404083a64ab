"""What the fetcher sends, and what it does not: every trap is on loopback, and no other address is ever dialled."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpcore
import pytest

from tests.workstation.discovery.site import HTML, Site, article, bomb, drip, endless, prose, redirect, reply
from workstation.discovery import outbound, urls
from workstation.discovery.addresses import refusal
from workstation.discovery.fetch import connect
from workstation.discovery.fetcher import Fetcher, Settings
from workstation.discovery.results import FetchFailed, Limits

LIMITS = Limits(seconds=1.5, page_bytes=4 << 20, pdf_bytes=8 << 20)


class Dialled:
    """Dials loopback and nothing else; writes down what it was asked to dial."""

    def __init__(self) -> None:
        self.addresses: list[str] = []

    async def __call__(self, address: str, port: int, seconds: float | None) -> httpcore.AsyncNetworkStream:
        self.addresses.append(address)
        if address != "127.0.0.1":
            raise httpcore.ConnectError("not in a test")
        return await connect(address, port, seconds)


@pytest.fixture
def site() -> Iterator[Site]:
    with Site().running() as running:
        yield running


@pytest.fixture
def dialled() -> Dialled:
    return Dialled()


def settings(site: Site, tmp_path: Path, *allowed: str) -> Settings:
    hosts = (site.host, *allowed)
    return Settings(hosts, cache=tmp_path / "cache", log=tmp_path / "out.jsonl", run="r", limits=LIMITS, backoff=0.01)


@pytest.fixture
def fetcher(site: Site, dialled: Dialled, tmp_path: Path) -> Iterator[Fetcher]:
    with Fetcher(settings(site, tmp_path), dial=dialled) as made:
        yield made


def trouble(fetcher: Fetcher, url: str) -> str:
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(url, "test")
    return failed.value.trouble


def test_a_page_comes_with_its_type_and_the_log_says_so(fetcher: Fetcher, site: Site, tmp_path: Path) -> None:
    site.add("/page", article("Page", prose("bread", 1)), Set_Cookie="a=b")
    page = fetcher.fetch(site.url("/page#part"), "named by the user")
    assert (page.final, page.media_type, page.encoding) == (site.url("/page"), "text/html", "utf-8")
    fetcher.fetch(site.url("/page"), "again")
    assert [path for path in site.paths() if path != "/robots.txt"] == ["/page", "/page"]
    assert not any("cookie" in headers for headers in site.headers)
    assert all("florilegium/" in headers["user-agent"] for headers in site.headers)
    line = next(line for line in outbound.read(tmp_path / "out.jsonl") if line["url"] == site.url("/page"))
    assert {"time", "host", "url", "why", "bytes", "status", "run"} <= set(line)
    assert (line["status"], line["why"], line["run"], line["host"]) == (200, "named by the user", "r", site.host)
    assert line["bytes"] > 200
    assert (tmp_path / "out.jsonl").stat().st_mode & 0o777 == 0o600


INSIDE = (
    "127.0.0.1 127.8.8.8 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.100.100.200 168.63.129.16 0.0.0.0 "
    "224.0.0.1 255.255.255.255 240.0.0.1 ::1 :: fe80::1 fd00:ec2::254 ff02::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 "
    "2002:7f00:1:: 2001:db8::1 localhost"
)


@pytest.mark.parametrize("address", INSIDE.split())
def test_no_page_comes_from_inside(address: str) -> None:
    assert refusal(address)


def test_the_open_internet_is_not_refused() -> None:
    assert [refusal(each) for each in ("93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c")] == [None, None]


@pytest.mark.parametrize("where", ["10.0.0.7", "169.254.169.254", "127.0.0.1", "fd00::1"])
def test_a_name_that_leads_inside_is_refused_when_it_is_dialled(
    where: str, site: Site, dialled: Dialled, tmp_path: Path
) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return [where]

    with Fetcher(settings(site, tmp_path), resolve=resolve, dial=dialled) as fetcher:
        assert trouble(fetcher, f"http://innocent.example:{site.port}/") == "address"
    assert dialled.addresses == []
    assert site.asked == []
    refused = [line for line in outbound.read(tmp_path / "out.jsonl") if line["outcome"] == "refused"]
    assert {line["host"] for line in refused} == {f"innocent.example:{site.port}"}


def test_of_several_addresses_only_a_checked_one_is_dialled(site: Site, dialled: Dialled, tmp_path: Path) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return ["10.0.0.7", "93.184.215.14"]

    with Fetcher(settings(site, tmp_path), resolve=resolve, dial=dialled) as fetcher:
        assert trouble(fetcher, "http://two-faced.example/") == "connection"
    assert set(dialled.addresses) == {"93.184.215.14"}


@pytest.mark.parametrize(
    "target",
    ["http://127.0.0.1:9999/", "http://169.254.169.254/latest/meta-data/", "http://[::1]/", "http://0x7f.1:9999/"],
)
def test_a_redirect_is_checked_again(target: str, fetcher: Fetcher, site: Site, dialled: Dialled) -> None:
    site.pages["/away"] = redirect(target)
    assert trouble(fetcher, site.url("/away")) == "address"
    assert set(site.paths()) == {"/robots.txt", "/away"}
    assert set(dialled.addresses) == {"127.0.0.1"}


def test_a_host_is_allowed_with_its_port_and_no_other(fetcher: Fetcher, site: Site) -> None:
    with Site().running() as other:
        other.add("/", article("Secret", "<p>secret</p>"))
        assert trouble(fetcher, other.url("/")) == "address"
        assert other.asked == []


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://x.example/", "http://user:pw@x.example/", "http://x.example:22/", "http:///x"]
)
def test_what_is_no_page_is_not_asked_for(url: str, fetcher: Fetcher, dialled: Dialled) -> None:
    assert trouble(fetcher, url) == "url"
    assert dialled.addresses == []


def test_robots_rules_hold_for_pages_and_for_redirects(fetcher: Fetcher, site: Site) -> None:
    rules = b"User-agent: *\nDisallow: /private\nAllow: /private/open\nUser-agent: florilegium\nDisallow: /not-you\n"
    site.pages["/robots.txt"] = (200, {"Content-Type": "text/plain"}, rules)
    site.add("/private/open", article("Open", prose("bread", 2)))
    site.pages["/there"] = redirect("/not-you/page")
    assert trouble(fetcher, site.url("/not-you/page")) == "robots"
    assert trouble(fetcher, site.url("/there")) == "robots"
    fetcher.fetch(site.url("/private/open"), "test")
    assert not any(path.startswith("/not-you") for path in site.paths())
    assert site.paths().count("/robots.txt") == 1


def test_a_site_whose_robots_fail_is_left_alone(fetcher: Fetcher, site: Site) -> None:
    site.pages["/robots.txt"] = (500, HTML, b"")
    site.add("/page", article("Page", "<p>text</p>"))
    assert trouble(fetcher, site.url("/page")) == "robots"
    assert "/page" not in site.paths()


def test_bodies_that_are_too_large_too_slow_or_bombs_are_given_up(fetcher: Fetcher, site: Site) -> None:
    site.pages["/announced"] = (200, HTML | {"Content-Length": str(500 << 20)}, b"x")
    site.pages["/endless"] = endless
    site.pages["/bomb"] = (200, HTML | {"Content-Encoding": "gzip"}, bomb())
    site.pages["/twice"] = (200, HTML | {"Content-Encoding": "gzip, gzip"}, gzip.compress(bomb()))
    site.pages["/drip"] = drip
    started = time.monotonic()
    found = {path: trouble(fetcher, site.url(path)) for path in ("/announced", "/endless", "/bomb", "/twice", "/drip")}
    assert found == {"/announced": "size", "/endless": "size", "/bomb": "size", "/twice": "encoding", "/drip": "time"}
    assert time.monotonic() - started < 15


def test_only_what_may_pass_is_tried_again(fetcher: Fetcher, site: Site) -> None:
    answers = [503, 503, 200]
    site.pages["/wobbly"] = lambda _: (answers.pop(0), HTML, b"<html><body>here</body></html>")
    assert b"here" in fetcher.fetch(site.url("/wobbly"), "test").body
    for status in (404, 403, 500):
        site.pages[f"/{status}"] = (status, HTML, b"no")
        assert trouble(fetcher, site.url(f"/{status}")) == "status"
        assert site.paths().count(f"/{status}") == 1
    site.pages["/later"] = (503, HTML | {"Retry-After": "3600"}, b"no")
    assert trouble(fetcher, site.url("/later")) == "status"
    assert site.paths().count("/later") == 1


def test_a_host_that_keeps_failing_is_left_alone(fetcher: Fetcher, site: Site) -> None:
    site.pages["/broken/*"] = (500, HTML, b"no")
    found = [trouble(fetcher, site.url(f"/broken/{number}")) for number in range(12)]
    assert found[-1] == "busy"
    assert len([path for path in site.paths() if path.startswith("/broken")]) == 8


def test_a_page_that_has_not_changed_is_not_sent_twice(fetcher: Fetcher, site: Site, tmp_path: Path) -> None:
    body = article("Page", prose("bread", 3)).encode()

    def page(handler: object) -> tuple[int, dict[str, str], bytes]:
        same = handler.headers.get("If-None-Match") == '"1"'  # type: ignore[attr-defined]
        return (304, {"ETag": '"1"'}, b"") if same else (200, HTML | {"ETag": '"1"'}, body)

    site.pages["/page"] = page
    first, second = (fetcher.fetch(site.url("/page"), "test") for _ in range(2))
    assert (first.cached, second.cached, second.body) == (False, True, body)
    assert [line["status"] for line in outbound.read(tmp_path / "out.jsonl") if line["why"] == "test"] == [200, 304]


def test_a_circle_of_redirects_ends(fetcher: Fetcher, site: Site) -> None:
    site.pages["/a"], site.pages["/b"] = redirect("/b"), redirect("/a")
    assert trouble(fetcher, site.url("/a")) == "redirects"


def test_a_foreign_host_gets_few_requests_and_far_apart(site: Site, dialled: Dialled, tmp_path: Path) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"] if host == "127.0.0.1" else ["93.184.215.14"]

    at_once, most, lock = 0, 0, threading.Lock()

    async def dial(address: str, port: int, seconds: float | None) -> httpcore.AsyncNetworkStream:
        return await connect("127.0.0.1", site.port, seconds)  # stands in for a host on the open internet

    def page(handler: object) -> None:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.05)
        with lock:
            at_once -= 1
        reply(handler, (200, HTML, b"<html><body>page</body></html>"))  # type: ignore[arg-type]

    site.pages["/*"] = page
    started = time.monotonic()
    with Fetcher(settings(site, tmp_path), resolve=resolve, dial=dial) as fetcher:
        waiting = [fetcher.submit(f"http://elsewhere.example/{number}", "test") for number in range(3)]
        for each in waiting:
            each.result()
    assert time.monotonic() - started > 1.9
    assert most <= 2


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("HTTP://Example.ORG:80", "http://example.org/"),
        ("https://example.org/a/../b/./c?utm_source=x&q=1#top", "https://example.org/b/c?q=1"),
        ("https://example.org/ä b", "https://example.org/%C3%A4%20b"),
        ("https://bücher.example/x%20y", "https://xn--bcher-kva.example/x%20y"),
    ],
)
def test_a_page_has_one_address(given: str, kept: str) -> None:
    assert urls.normal(given) == kept
    assert urls.normal(kept) == kept
