"""What a page shows after its scripts have run. The browser asks, the fetcher answers: each request is checked, paced
and listed like any other, and what the fetcher does not do (posting, pictures, sockets) is refused.
"""

from __future__ import annotations

import re
import time
from base64 import b64encode
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from workstation.discovery.browser import Browser
from workstation.discovery.fetcher import Fetcher
from workstation.discovery.results import Fetched, FetchFailed

SECONDS = 20.0  # for one page
QUIET = 0.6  # seconds without a request after which a page counts as finished
MOST_REQUESTS = 60  # of one page
SCANT = 200  # characters of visible text; a page with fewer, and scripts, is an empty frame
_SCRIPT = re.compile(rb"<script[\s>]", re.I)

_TYPES = frozenset({"Document", "Script", "XHR", "Fetch"})  # pictures, fonts and streams say nothing


def needs_scripts(html: bytes) -> bool:
    """True for a page that shows next to nothing by itself, and has scripts that may fill it."""
    if not _SCRIPT.search(html):
        return False
    from lxml import etree
    from lxml import html as parser

    try:
        tree = parser.fromstring(html)
    except (etree.LxmlError, ValueError, AssertionError):
        return False
    etree.strip_elements(tree, "script", "style", "noscript", "template", with_tail=False)
    return len(" ".join(tree.text_content().split())) < SCANT


class Renderer:
    """One browser for many pages, each in a context of its own: no cookies, nothing kept."""

    def __init__(self, browser: Browser, fetcher: Fetcher, why: str) -> None:
        self._browser, self._fetcher, self._why = browser, fetcher, why

    def render(self, page: Fetched) -> Fetched:
        """The page with the HTML that its scripts made. Raises FetchFailed."""
        try:
            return self._rendered(page)
        except (TimeoutError, OSError) as error:
            raise FetchFailed("time", "its scripts did not finish in the browser") from error

    def _rendered(self, page: Fetched) -> Fetched:
        browser = self._browser
        context = browser.ask("Target.createBrowserContext")["browserContextId"]
        try:
            target = browser.ask("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
            session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            browser.ask("Fetch.enable", session, patterns=[{"urlPattern": "*"}])
            browser.ask("Page.enable", session)
            browser.tell("Page.navigate", session, url=page.final)
            self._serve(session, page)
            shown = browser.ask(
                "Runtime.evaluate", session, expression="document.documentElement.outerHTML", returnByValue=True
            )
        finally:
            browser.tell("Target.disposeBrowserContext", browserContextId=context)
        html = shown.get("result", {}).get("value")
        if not isinstance(html, str):
            raise FetchFailed("encoding", "the browser shows no page")
        return replace(page, body=f"<!doctype html>{html}".encode(), media_type="text/html", encoding="utf-8")

    def _serve(self, session: str, page: Fetched) -> None:
        """Answers the page's requests until it is loaded and has asked for nothing for a while."""
        end, quiet_since, loaded, asked = time.monotonic() + SECONDS, time.monotonic(), False, 0
        waiting: dict[str, Future[Fetched]] = {}
        while (now := time.monotonic()) < end:
            message = self._browser.listen(0.05)
            if message and message.get("sessionId") == session:
                loaded = loaded or message.get("method") == "Page.loadEventFired"
                if message.get("method") == "Fetch.requestPaused":
                    asked += 1
                    quiet_since = now
                    self._take(message["params"], session, page, waiting, refuse=asked > MOST_REQUESTS)
            for number in [number for number, future in waiting.items() if future.done()]:
                quiet_since = now
                self._answer(number, waiting.pop(number), session)
            if loaded and not waiting and now - quiet_since > QUIET:
                return
        for future in waiting.values():
            future.cancel()

    def _take(
        self, asked: dict[str, Any], session: str, page: Fetched, waiting: dict[str, Future[Fetched]], *, refuse: bool
    ) -> None:
        number, request = asked["requestId"], asked["request"]
        kind, url = asked.get("resourceType", "Other"), request["url"]
        if kind == "Document" and url == page.final:
            self._fulfil(number, session, page)
        elif refuse or request["method"] != "GET" or kind not in _TYPES or not url.startswith(("http://", "https://")):
            self._browser.tell("Fetch.failRequest", session, requestId=number, errorReason="BlockedByClient")
        else:
            waiting[number] = self._fetcher.submit(url, f"part of {page.final}: {self._why}")

    def _answer(self, number: str, future: Future[Fetched], session: str) -> None:
        try:
            self._fulfil(number, session, future.result())
        except FetchFailed:
            self._browser.tell("Fetch.failRequest", session, requestId=number, errorReason="Failed")

    def _fulfil(self, number: str, session: str, found: Fetched) -> None:
        charset = f"; charset={found.encoding}" if found.encoding else ""
        headers = [
            {"name": "Content-Type", "value": f"{found.media_type}{charset}"},
            {"name": "Access-Control-Allow-Origin", "value": "*"},
        ]
        body = b64encode(found.body).decode("ascii")
        self._browser.tell(
            "Fetch.fulfillRequest", session, requestId=number, responseCode=200, responseHeaders=headers, body=body
        )
