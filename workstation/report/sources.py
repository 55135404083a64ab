"""The line that stands for a source under Sources: made from the ledger, and recognised again."""

from __future__ import annotations

import re

from workstation.core.messages import every
from workstation.core.places import from_image, percent
from workstation.memory.state import LedgerEntry
from workstation.report.catalogue import phrase
from workstation.report.cite import escape, flat, int_of

SHORT = 8  # characters of a version hash that are shown: 4 billion values, enough to tell versions of one source apart

_URL = re.compile(r"https?://[^\s<>\\`\x00-\x1f\x7f-\x9f]+", re.IGNORECASE)
_PLAIN_PATH = re.compile(r"[\w./~@+,()#%=-]+(?: [\w./~@+,()#%=-]+)*")  # needs no escapes inside a code span
_LINE = re.compile(r"\s*(?:[-*+]\s+)?\[\^?(\d+)\]:?\s")
_PAGES = "|".join(re.escape(words) for words in every("pages"))
_FROM_IMAGE = "|".join(r"\d+".join(map(re.escape, words.split("{}"))) for words in every("from_image"))
_PAGE = rf"\d+(?: \((?:{_FROM_IMAGE})\))?"
_LOCATORS = re.compile(rf"(?:, (?:{_PAGES}) {_PAGE}(?:, {_PAGE})*)?(?:, \d+:\d\d(?::\d\d)?)*")
_MARKED = re.compile(r"(?:^|, )(?:[^\d,]+ )?(\d+)(?: \([^()]*?(\d+)[^()\d]*\))?(?=, |$)")


def source_line(entry: LedgerEntry, language: str) -> str:
    """[3] Title. kind, path or address, p. 4, 12 (read from the image, 93 %) (version 1a2b3c4d)"""
    return _identity(entry) + _locators(entry, language) + _version(entry, phrase("version", language))


def number_of_line(line: str) -> int | None:
    """The number that a line under Sources speaks for, None when it is no such line."""
    found = _LINE.match(line)
    return int_of(found[1]) if found else None


def is_line_of(line: str, entry: LedgerEntry) -> bool:
    """True when `line` says what the ledger says of `entry`. Pages and times may be fewer or more: a run can go on.
    Of each page that both know, they must say alike whether it was read from its image."""
    shown = flat(re.sub(r"^\s*[-*+]\s+", "", line))
    head = flat(_identity(entry))
    tails = (_version(entry, word) for word in every("version"))
    return shown.startswith(head) and any(
        shown.endswith(tail) and _are_places(shown[len(head) : -len(tail)], entry) for tail in tails
    )


def _identity(entry: LedgerEntry) -> str:
    title = escape(entry.title) or escape(entry.path)
    stop = "" if title.endswith((".", "?", "!", "。", "？", "！")) else "."
    return f"[{entry.number}] {title}{stop} {escape(entry.kind)}, {_where(entry)}"


def _where(entry: LedgerEntry) -> str:
    where = entry.origin or entry.path
    if _URL.fullmatch(where):
        return f"<{where}>"
    return f"`{where}`" if _PLAIN_PATH.fullmatch(where) else escape(where)


def _version(entry: LedgerEntry, word: str) -> str:
    digest, mark, reading = entry.version.partition("#")  # hash#2 is a second reading of the same bytes
    return f" ({word} {escape(digest[:SHORT] + mark + reading)})"


def _locators(entry: LedgerEntry, language: str) -> str:
    pages: dict[int, float | None] = {}
    for place in entry.places:
        if place.page is not None:
            sure = [share for share in (pages.get(place.page), place.ocr) if share is not None]
            pages[place.page] = min(sure, default=None)
    shown = [
        f"{page} ({from_image(sure, language)})" if sure is not None else str(page)
        for page, sure in sorted(pages.items())
    ]
    times = sorted({int(place.t0) for place in entry.places if place.t0 is not None})
    listed = f", {phrase('pages', language)} {', '.join(shown)}" if pages else ""
    return listed + "".join(f", {_clock(t)}" for t in times)


def _are_places(shown: str, entry: LedgerEntry) -> bool:
    """Are these pages and times, with the marks that the ledger's places have? Of several places on one page the least
    sure one is shown; a run that goes on may find another."""
    if _LOCATORS.fullmatch(shown) is None:
        return False
    known: dict[int, set[int | None]] = {}
    for place in entry.places:
        if place.page is not None:
            known.setdefault(place.page, set()).add(None if place.ocr is None else percent(place.ocr))
    marked = ((int(page), int(sure) if sure else None) for page, sure in _MARKED.findall(shown.removeprefix(", ")))
    return all(page not in known or sure in known[page] for page, sure in marked)


def _clock(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
