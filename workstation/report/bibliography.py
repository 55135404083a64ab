"""The cited sources as CSL-JSON, which reference managers read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from workstation.memory.state import LedgerEntry

TYPES = {"web": "webpage", "mail": "personal_communication", "recording": "song", "image": "graphic"}
"""CSL's words for kinds of sources; all others are documents."""


def csl(entries: Iterable[LedgerEntry]) -> list[dict[str, Any]]:
    """One item for each source, under the number that the report cites it by."""
    return [_item(entry) for entry in entries]


def _item(entry: LedgerEntry) -> dict[str, Any]:
    where = entry.origin or entry.path
    item: dict[str, Any] = {
        "id": str(entry.number),
        "type": TYPES.get(entry.kind, "document"),
        "title": entry.title or entry.path,
        "language": entry.language,
        "accessed": _date(entry.first_read[:10]),
        "note": f"[{entry.number}], {entry.path}, version {entry.version}",
    }
    item |= {"URL": where} if where.startswith(("http://", "https://")) else {}
    item |= {"issued": _date(entry.date)} if entry.date else {}
    return {key: value for key, value in item.items() if value}


def _date(iso: str) -> dict[str, Any]:
    """CSL's form of an ISO date, of which month and day may be missing."""
    parts = [int(part) for part in iso.split("-")[:3] if part.isdigit()]
    return {"date-parts": [parts]} if parts else {}
