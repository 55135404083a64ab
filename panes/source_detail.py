"""What is known of a source, as rows: where it came from, its pages, its versions, what it is a copy of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from panes import wording
from panes.rows import Pen, Row, blank
from panes.wording import when

LABEL = 10
"""Cells of the names before the values."""
LISTED = 200
"""Lines of a page ledger that are shown."""
PAGES = {"text": "text", "ocr": "read from the image", "needs_ocr": "waits to be read", "blank": "blank"}
STYLES = {"failed": "bad", "needs_ocr": "warn"}


def detail_rows(source: Mapping[str, Any]) -> list[Row]:
    """The rows of a `detail` document."""
    rows = [Pen().put(str(source.get("title") or source.get("path") or ""), "strong").row()]
    status = str(source.get("status") or "")
    rows.append(_line("Status", status, "" if status == "ok" else "warn"))
    rows.append(_line("Kind", ", ".join(filter(None, (source.get("kind"), source.get("language"))))))
    rows.append(_line("Passages", f"{int(source.get('passages') or 0):,}"))
    rows.append(_line("Path", str(source.get("path") or "")))
    for name, field in (("Origin", "origin"), ("Date", "date")):
        if source.get(field):
            rows.append(_line(name, str(source[field])))
    if source.get("added"):
        rows.append(_line("Added", when(str(source["added"]))))
    if copy := source.get("duplicate_of"):
        near = float(source.get("resemblance") or 1)
        rows.append(_line("Copy of", f"{copy}" + (f" (alike: {near:.0%})" if near < 1 else ""), "warn"))
    rows += _pages(source.get("ledger") or ())
    rows += _versions(source.get("readings") or ())
    return rows


def _line(name: str, value: str, style: str = "") -> Row:
    return Pen().put(name.ljust(LABEL), "dim").put(value, style).row(hang=LABEL)


def _pages(ledger: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    """The page ledger: how many of each state, then every stretch of pages that are alike."""
    if not ledger:
        return
    states = Counter(str(page.get("state")) for page in ledger)
    told = ", ".join(f"{count:,} {PAGES.get(state, state)}" for state, count in states.most_common())
    yield blank()
    yield Pen().put(wording.count(len(ledger), "page"), "heading").put(f"  {told}").row(hang=2)
    stretches = [list(pages) for _, pages in groupby(ledger, _told)]
    for pages in stretches[:LISTED]:
        first, last = pages[0].get("number"), pages[-1].get("number")
        state, words, _ = _told(pages[0])
        span = f"{first}" if first == last else f"{first}-{last}"
        yield Pen().put(f"  {span}".ljust(LABEL), "dim").put(words, STYLES.get(state, "")).row(hang=LABEL)
    if len(stretches) > LISTED:
        yield Pen().put(f"  and {len(stretches) - LISTED:,} more lines", "dim").row()


def _told(page: Mapping[str, Any]) -> tuple[str, str, str]:
    """State, words and note of a page; pages for which these are equal are told together."""
    state, sure, note = str(page.get("state")), page.get("confidence"), str(page.get("note") or "")
    words = PAGES.get(state, state) + (f", {float(sure):.0%} sure" if sure is not None else "")
    return state, f"{words}: {note}" if note else words, note


def _versions(readings: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    if not readings:
        return
    yield blank()
    yield Pen().put(wording.count(len(readings), "version"), "heading").row()
    for number, reading in enumerate(reversed(readings)):
        name = str(reading.get("version") or "")[:10]
        passages = "the current one" if not number else str(reading.get("status") or "")
        yield Pen().put(f"  {when(str(reading.get('read') or ''))}  {name}  ", "").put(passages, "dim").row(hang=4)
