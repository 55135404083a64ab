"""`flori ingest URL`: pages and PDFs become sources, with their address; what is no page is named."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import Flori
from tests.workstation.content.making import lines, pdf
from tests.workstation.discovery.site import HTML, Site, article, prose, redirect


@pytest.fixture
def site() -> Iterator[Site]:
    with Site().running() as running:
        yield running


def test_pages_become_sources_with_versions(flori: Flori, site: Site, models_dir: object) -> None:
    site.add("/tower?page=1", article("The tower", prose("lighthouse", 1)))
    site.pages["/old"] = redirect("/tower?page=1", 301)
    site.pages["/report.pdf"] = (200, {"Content-Type": "application/pdf"}, pdf(lines("The tower was lit in 1811.")))
    site.add("/gone", article("Page not found", "<p>The page you are looking for does not exist.</p>"))
    site.pages["/closed"] = (403, HTML, b"no")
    site.pages["/robots.txt"] = (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /closed-to-us\n")
    named = [site.url(path) for path in ("/old", "/report.pdf", "/gone", "/closed", "/closed-to-us")]
    env = {"XDG_CACHE_HOME": str(flori.home / "cache")}

    done = flori("--json", "ingest", *named, "--allow-host", site.host, **env)

    assert done.code == 0, done.err
    assert [(s["path"], s["kind"], s["change"]) for s in done.json["sources"]] == [
        (site.url("/tower?page=1"), "html", "added"),
        (site.url("/report.pdf"), "pdf", "added"),
    ]
    unread = {row["path"]: row["reason"] for row in done.json["failed"] + done.json["skipped"]}
    assert set(unread) == {site.url(path) for path in ("/gone", "/closed", "/closed-to-us")}
    assert "not exist" in unread[site.url("/gone")]
    assert "robots.txt" in unread[site.url("/closed-to-us")]
    assert "/closed-to-us" not in site.paths()

    again = flori("--json", "ingest", site.url("/tower?page=1"), "--allow-host", site.host, **env).json
    assert [s["change"] for s in again["sources"]] == ["unchanged"]
    site.add("/tower?page=1", article("The tower", prose("lighthouse", 2)))
    changed = flori("--json", "ingest", site.url("/tower?page=1"), "--allow-host", site.host, **env).json
    assert [s["change"] for s in changed["sources"]] == ["updated"]
    (listed,) = [s for s in flori("--json", "sources").json["sources"] if s["kind"] == "html"]
    assert len(listed["versions"]) == 2

    refused = flori("--json", "ingest", site.url("/tower"), **env)
    assert refused.code == 1
    assert "--allow-host" in refused.json["failed"][0]["reason"]
    log = flori("--json", "outbound", "--last", "0").json
    assert {line["run"] for line in log["requests"]} == {"ingest"}
    assert log["totals"]["refused"] >= 1


def test_research_reads_the_web_when_it_is_told_to(flori: Flori, site: Site, models_dir: object) -> None:
    links = [("/bell-rock", "The Bell Rock lighthouse"), ("/bread", "How bread is made")]
    said = "The Bell Rock lighthouse was lit for the first time on 1 February 1811. Robert Stevenson built it."
    site.add("/", article("Reading room", "<p>Articles on towers and on baking.</p>", links))
    site.add("/bell-rock", article("The Bell Rock lighthouse", f"<p>{said}</p>{prose('lighthouse', 5)}"))
    site.add("/bread", article("How bread is made", prose("bread", 5)))
    question = "When was the Bell Rock lighthouse lit for the first time?"
    out = flori.home / "run"
    env = {"XDG_CACHE_HOME": str(flori.home / "cache")}

    told = ("--web", "--url", site.url("/"), "--allow-host", site.host, "--yes", "--out", out)
    done = flori("--json", "research", question, *told, **env)

    assert done.code == 0, done.err
    (crawl,) = done.json["web"]
    assert crawl["exit_reason"] in ("converged", "urls_exhausted")
    assert any("1811" in citation["quote"] for citation in done.json["citations"])
    sources = {s["path"] for s in flori("--json", "sources").json["sources"]}
    assert site.url("/bell-rock") in sources
    assert "24" in (out / "plan.md").read_text().split("\n")[2]
    assert "<polyline" in (out / "crawl.svg").read_text()
    assert flori("verify", out).code == 0
    runs = {line["run"] for line in flori("--json", "outbound").json["requests"]}
    assert len(runs) == 1


def test_research_on_the_web_needs_leave_and_a_beginning(flori: Flori) -> None:
    nowhere = flori("research", "Who built it?", "--web", "--yes")
    assert nowhere.code == 3
    assert "searxng" in nowhere.err
    offline = flori("--offline", "research", "Who built it?", "--url", "http://a.example/", "--yes")
    assert offline.code == 3
    assert "--offline" in offline.err
    assert not (flori.home / "state" / "florilegium" / "outbound.jsonl").exists()
