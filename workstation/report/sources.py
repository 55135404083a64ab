"""The line that stands for a source under Sources: made from the ledger, and recognised again."""

from __future__ import annotations

import re

from workstation.core.messages import every
from workstation.memory.state import LedgerEntry
from workstation.report.catalogue import phrase
from workstation.report.cite import escape, flat, int_of

SHORT = 8  # characters of a version hash that are shown: 4 billion values, enough to tell versions of one source apart

_URL = re.compile(r"https?://[^\s<>\\`\x00-\x1f\x7f-\x9f]+", re.IGNORECASE)
_PLAIN_PATH = re.compile(r"[\w./~@+,()#%=-]+(?: [\w./~@+,()#%=-]+)*")  # needs no escapes inside a code span
_LINE = re.compile(r"\s*(?:[-*+]\s+)?\[\^?(\d+)\]:?\s")
_PAGES = "|".join(re.escape(words) for words in every("pages"))
_LOCATORS = re.compile(rf"(?:, (?:{_PAGES}) \d+(?:, \d+)*)?(?:, \d+:\d\d(?::\d\d)?)*")


def source_line(entry: LedgerEntry, language: str) -> str:
    """[3] Title. kind, path or address, p. 4, 12 (version 1a2b3c4d)"""
    return _identity(entry) + _locators(entry, language) + _version(entry, phrase("version", language))


def number_of_line(line: str) -> int | None:
    """The number that a line under Sources speaks for, None when it is no such line."""
    found = _LINE.match(line)
    return int_of(found[1]) if found else None


def is_line_of(line: str, entry: LedgerEntry) -> bool:
    """True when `line` says what the ledger says of `entry`. Pages and times may be fewer or more: a run can go on."""
    shown = flat(re.sub(r"^\s*[-*+]\s+", "", line))
    head = flat(_identity(entry))
    tails = (_version(entry, word) for word in every("version"))
    return shown.startswith(head) and any(
        shown.endswith(tail) and _LOCATORS.fullmatch(shown[len(head) : -len(tail)]) for tail in tails
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
    pages = sorted({place.page for place in entry.places if place.page is not None})
    times = sorted({int(place.t0) for place in entry.places if place.t0 is not None})
    listed = f", {phrase('pages', language)} {', '.join(map(str, pages))}" if pages else ""
    return listed + "".join(f", {_clock(t)}" for t in times)


def _clock(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
