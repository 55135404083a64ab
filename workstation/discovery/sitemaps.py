"""Lists of addresses: sitemaps (https://www.sitemaps.org/protocol.html), their indexes, and feeds."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass

from workstation.discovery import urls
from workstation.discovery.inflate import Inflate
from workstation.discovery.links import Link
from workstation.discovery.results import FetchFailed

MOST = 300  # addresses of one list that are looked at: each is embedded
_MOST_BYTES = 50 << 20  # what the protocol allows a sitemap
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Listing:
    """What a list names: pages, and further lists."""

    pages: tuple[Link, ...]
    lists: tuple[str, ...] = ()


def listing(body: bytes, url: str) -> Listing | None:
    """The addresses of a sitemap, a sitemap index or a feed; None for anything else."""
    if body.startswith(_GZIP):
        try:
            body = Inflate("gzip", _MOST_BYTES).feed(body)
        except FetchFailed:
            return None
    root = _root(body)
    if root in ("urlset", "sitemapindex"):
        found = tuple(_locations(body, url))
        return Listing((), found[:MOST]) if root == "sitemapindex" else Listing(_pages(found))
    if root in ("rss", "feed", "rdf"):
        return _feed(body, url)
    return None


def _root(body: bytes) -> str:
    """The name of the outermost element in lower case; empty when this is no XML."""
    from lxml import etree

    head = body[:200].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not head.startswith(b"<") or head[:15].lower().startswith((b"<!doctype html", b"<html")):
        return ""
    try:
        for _, element in etree.iterparse(io.BytesIO(body), events=("start",), **_SAFE):
            return str(etree.QName(element).localname).lower()
    except etree.XMLSyntaxError:
        return ""
    return ""


_SAFE = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False, "recover": True}


def _locations(body: bytes, base: str) -> Iterator[str]:
    from lxml import etree

    met: set[str] = set()
    try:
        for _, element in etree.iterparse(io.BytesIO(body), events=("end",), tag="{*}loc", **_SAFE):
            parent = element.getparent()
            image = parent is not None and etree.QName(parent).localname in ("image", "video")
            try:
                address = urls.normal((element.text or "").strip(), base)
            except urls.BadUrl:
                continue
            if not image and address not in met:
                met.add(address)
                yield address
            if len(met) >= MOST:
                return
    except etree.XMLSyntaxError:
        return


def _pages(found: tuple[str, ...]) -> tuple[Link, ...]:
    return tuple(Link(url, urls.words(url)) for url in found[:MOST])


def _feed(body: bytes, base: str) -> Listing:
    import feedparser  # 60 ms

    parsed = feedparser.parse(io.BytesIO(body), sanitize_html=False, resolve_relative_uris=False)
    pages: dict[str, Link] = {}
    for entry in parsed.entries[:MOST]:
        try:
            address = urls.normal(str(entry.get("link") or ""), base)
        except urls.BadUrl:
            continue
        if entry.get("link"):
            title = " ".join(str(entry.get("title") or "").split())[:200]
            pages.setdefault(address, Link(address, title or urls.words(address)))
    return Listing(tuple(pages.values()))
