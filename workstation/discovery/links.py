"""The links of a page, with what they say about where they lead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workstation.discovery import urls

MOST = 40  # of one page: each is embedded, and a page that links to hundreds recommends none of them
_TEXT = 120  # characters
_MUTE = 4  # characters: a shorter text ("next", "»") says less than the address
_FRAME = frozenset({"nav", "footer", "header", "aside"})
_FEEDS = ("application/rss+xml", "application/atom+xml")


@dataclass(frozen=True, slots=True)
class Link:
    """`text`: the link's own words, or those of its address."""

    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Links:
    """Links in the page's order, those of its content before those of its frame; `feeds` that the page names."""

    links: tuple[Link, ...]
    feeds: tuple[str, ...]


def links_of(page: str | bytes, base: str) -> Links:
    """The links of an HTML page. Links that the page itself disowns (rel=nofollow) are left out."""
    from lxml import etree, html

    try:
        tree = html.fromstring(page, parser=html.HTMLParser(no_network=True, huge_tree=False))
    except (etree.LxmlError, ValueError, AssertionError):
        return Links((), ())
    named = next((each.get("href") for each in tree.iter("base") if each.get("href")), None)
    base = _address(named, base) or base if named else base
    found: dict[str, tuple[bool, str]] = {}
    for anchor in tree.iter("a"):
        rel = (anchor.get("rel") or "").lower().split()
        if "nofollow" in rel or (url := _address(anchor.get("href"), base)) is None or url == base:
            continue
        framed, text = _framed(anchor), _text(anchor, url)
        if url not in found or (found[url][0] and not framed):
            found[url] = (framed, text)
    content = [Link(url, text) for url, (framed, text) in found.items() if not framed]
    frame = [Link(url, text) for url, (framed, text) in found.items() if framed]
    return Links((*content, *frame)[:MOST], tuple(dict.fromkeys(_feeds(tree, base))))


def _address(href: str | None, base: str) -> str | None:
    if not href or href.startswith(("#", "javascript:", "mailto:", "tel:", "data:")):
        return None
    try:
        return urls.normal(href, base)
    except urls.BadUrl:
        return None


def _text(anchor: Any, url: str) -> str:
    said = " ".join((anchor.text_content() or anchor.get("title") or "").split())
    if len(said) < _MUTE:
        said = " ".join(part for part in (anchor.get("title") or anchor.get("aria-label"), urls.words(url)) if part)
    return said[:_TEXT]


def _framed(anchor: Any) -> bool:
    return any(each.tag in _FRAME for each in anchor.iterancestors())


def _feeds(tree: Any, base: str) -> Iterator[str]:
    for link in tree.iter("link"):
        alternate = "alternate" in (link.get("rel") or "").lower().split()
        if alternate and (link.get("type") or "").lower() in _FEEDS and (url := _address(link.get("href"), base)):
            yield url
