"""Pages that need JavaScript, in a real Chromium that has no network of its own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workstation.discovery.site import HTML, Site, article, prose
from workstation.discovery.browser import Browser, BrowserMissing
from workstation.discovery.fetcher import Fetcher, Settings
from workstation.discovery.rendering import Renderer, needs_scripts

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
)

APP = """<!doctype html><html><head><title>App</title></head><body><div id="root"></div><script src="/app.js"></script>
</body></html>"""
SCRIPT = """
fetch('/data.json').then(a => a.json()).then(found => {
  const shown = '<article><h1>' + found.title + '</h1><p>' + found.text + '</p></article>';
  document.getElementById('root').innerHTML = shown;
});
fetch('http://FORBIDDEN/steal').catch(() => 0);
fetch('http://169.254.169.254/latest/').catch(() => 0);
fetch('/post', {method: 'POST', body: 'x'}).catch(() => 0);
new Image().src = 'http://FORBIDDEN/pixel.gif';
try { new WebSocket('ws://FORBIDDEN/'); } catch (e) {}
document.cookie = 'a=b';
"""


@pytest.fixture
def site() -> Iterator[Site]:
    with Site().running() as running:
        yield running


def test_a_page_that_shows_nothing_without_its_scripts_is_recognised() -> None:
    assert needs_scripts(APP.encode())
    assert not needs_scripts(article("Page", prose("bread", 1)).encode())
    assert not needs_scripts(b"<html><body><p>Short, and that is all.</p></body></html>")


def test_what_is_no_browser_is_named() -> None:
    with pytest.raises(BrowserMissing, match="no program"):
        Browser("/no/such/chromium")


@pytest.mark.skipif(not CHROMIUM, reason="no Chromium here")
def test_scripts_run_and_every_request_is_ours(site: Site, tmp_path: Path) -> None:
    with Site().running() as forbidden:
        site.add("/", APP)
        script = SCRIPT.replace("FORBIDDEN", forbidden.host).encode()
        site.pages["/app.js"] = (200, {"Content-Type": "text/javascript"}, script)
        data = {"title": "The tower", "text": "The tower was lit in 1811. " * 20}
        site.pages["/data.json"] = (200, {"Content-Type": "application/json"}, json.dumps(data).encode())
        site.pages["/post"] = (200, HTML, b"")
        settings = Settings((site.host,), log=tmp_path / "out.jsonl")
        with Fetcher(settings) as fetcher, Browser(CHROMIUM) as browser:
            page = fetcher.fetch(site.url("/"), "test")
            rendered = Renderer(browser, fetcher, "test").render(page)
        assert b"The tower was lit in 1811." in rendered.body
        assert rendered.final == page.final
        assert forbidden.asked == []
    assert set(site.paths()) == {"/robots.txt", "/", "/app.js", "/data.json"}
    log = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert {line["url"] for line in log if line["outcome"] == "ok"} == {site.url(path) for path in site.paths()}
    assert any(line["host"] == "169.254.169.254" and line["outcome"] == "refused" for line in log)
