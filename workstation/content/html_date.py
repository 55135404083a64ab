"""When a page was published, if it says so. A date in its prose is not taken for an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_DATE = re.compile(r"(?<!\d)((?:19|20)\d{2})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_JSON_LD = re.compile(r'"datePublished"\s*:\s*"([^"]{10,40})"')
_URL = re.compile(r"/((?:19|20)\d{2})/(0[1-9]|1[0-2])/(0[1-9]|[12]\d|3[01])(?:/|$)")
# What Open Graph, schema.org, Dublin Core and common publishing systems call it.
_NAMES = frozenset(
    [
        "article:published_time",
        "og:published_time",
        "datepublished",
        "date",
        "dc.date",
        "dc.date.issued",
        "dcterms.created",
        "dcterms.issued",
        "pubdate",
        "publishdate",
        "publish-date",
        "publication_date",
        "citation_publication_date",
        "parsely-pub-date",
        "sailthru.date",
    ]
)


def published(tree: Any, origin: str | None) -> str | None:
    """ISO date from the page's metadata, its JSON-LD, its <time> elements when they agree, or its address."""
    for stated in _stated(tree):
        if found := _DATE.search(stated.replace("/", "-")):
            return found.group()
    times = {found.group() for each in tree.iter("time") if (found := _DATE.search(each.get("datetime") or ""))}
    if len(times) == 1:
        return times.pop()
    address = _URL.search(origin or "")
    return "-".join(address.groups()) if address else None


def _stated(tree: Any) -> Iterator[str]:
    for meta in tree.iter("meta"):
        names = (meta.get("property"), meta.get("name"), meta.get("itemprop"))
        if any((name or "").lower() in _NAMES for name in names):
            yield meta.get("content") or ""
    for script in tree.iter("script"):
        if "ld+json" in (script.get("type") or ""):
            yield from _JSON_LD.findall(script.text or "")
    for each in tree.iter("time"):
        if (each.get("itemprop") or "").lower() == "datepublished" or each.get("pubdate") is not None:
            yield each.get("datetime") or ""
