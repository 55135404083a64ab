"""Running heads, feet and page numbers: lines that come back at the edge of page after page."""

from __future__ import annotations

import re
from collections import Counter

_EDGE = 3  # lines at the top and bottom that are looked at
_LEAST_PAGES = 3  # pages that must share a line
_SHARE = 0.3  # of the pages; left and right pages may have heads of their own
_FIGURES = re.compile(r"\d+|\b[ivxlc]+\b")


def without_furniture(pages: list[list[str]]) -> list[list[str]]:
    """The pages without lines that come back on them. A running head with letters stays where it stands first, since it
    may be the title; a page that holds nothing else is left as it is."""
    heads, feet = (_recurring(pages, bottom) for bottom in (False, True))
    seen: set[str] = set()
    kept = []
    for number, page in enumerate(pages, 1):
        body = _without(_without(page, heads, seen)[::-1], feet, seen)[::-1]
        full = [line for line in body if line]
        if len(full) > 1 and full[-1] == str(number):
            body = body[: len(body) - 1 - body[::-1].index(full[-1])]
        kept.append(body if any(body) else page)
    return kept


def _recurring(pages: list[list[str]], bottom: bool) -> frozenset[str]:
    counts: Counter[str] = Counter()
    for page in pages:
        full = [line for line in page if line]
        edge = full[-_EDGE:] if bottom else full[:_EDGE]
        counts.update({_key(line) for line in edge})
    least = max(_LEAST_PAGES, _SHARE * len(pages))
    return frozenset(key for key, count in counts.items() if count >= least)


def _key(line: str) -> str:
    """The line with its figures masked, so that page numbers are alike."""
    return _FIGURES.sub("#", line.casefold())


def _without(page: list[str], recurring: frozenset[str], seen: set[str]) -> list[str]:
    """The page from its first line on that does not recur; `seen` collects what was kept once."""
    kept: list[str] = []
    for index, line in enumerate(page):
        key = _key(line)
        if line and key not in recurring:
            return kept + page[index:]
        if line and key not in seen and any(character.isalpha() for character in key):
            kept.append(line)
            seen.add(key)
    return kept
