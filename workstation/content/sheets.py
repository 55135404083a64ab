"""Workbooks by openpyxl, row by row, so that a sheet of a million rows takes no more memory than one of ten."""

from __future__ import annotations

import datetime
import itertools
import math
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from workstation.content import limits
from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.encodings import clean
from workstation.content.errors import NothingToRead
from workstation.content.office import about, iso_date, opening
from workstation.content.requirements import needed
from workstation.content.tables import Table
from workstation.content.zipped import guard
from workstation.core.cancel import CancelToken

_COLUMNS = 500  # of a sheet; a row of 16,384 is a mistake of the program that wrote it
_EMPTY_ROWS = 100_000  # in a row: the sheet has ended, whatever its dimension says
_QUOTED = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_PERCENT = re.compile(r"0(?:\.(0+))?%")


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """Every sheet as a table, hidden ones too, with the values that the program last computed."""
    cancel.check()
    openpyxl = needed("openpyxl", "Workbooks")
    guard(document, cancel)
    blocks: list[str] = []
    room, cut = limits.TEXT, False
    with opening(document, "workbook") as stream:
        book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
        properties = book.properties
        for sheet in book.worksheets:
            blocks.append(f"# {' '.join(sheet.title.split())}")
            table = Table(" ".join(sheet.title.split()), room)
            blocks += table.write(_rows(sheet, cancel))
            room, cut = table.room, cut or table.cut
        book.close()
    if all(block.startswith("# ") for block in blocks):
        raise NothingToRead("the workbook holds no values")
    return Extraction(
        text=clean("\n\n".join(blocks)),
        title=(properties.title or "").strip() or document.stem,
        kind="table",
        language=(properties.language or "")[:2].lower() or None,
        date=iso_date(properties.modified) or iso_date(properties.created),
        status="too long: only its first rows were read" if cut else "ok",
        meta=about(author=properties.creator, subject=properties.subject, keywords=properties.keywords),
    )


def _rows(sheet: Any, cancel: CancelToken) -> Iterator[Sequence[str]]:
    sheet.reset_dimensions()  # some programs write a wrong one, and rows are then lost
    empty = 0
    for n, cells in enumerate(sheet.iter_rows()):
        if n % 100 == 0:
            cancel.check()
        told = [shown(cell.value, getattr(cell, "number_format", "")) for cell in itertools.islice(cells, _COLUMNS)]
        empty = 0 if any(told) else empty + 1
        if empty > _EMPTY_ROWS:
            return
        yield told


def shown(value: object, number_format: str = "") -> str:
    """A value as its reader sees it: 15 digits, per cent where the format says so, dates as ISO 8601."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float) and math.isfinite(value):
        percent = _PERCENT.search(_QUOTED.sub("", number_format or ""))
        if percent:
            return f"{value * 100:.{len(percent.group(1) or '')}f}%"
        exact = Decimal(format(value, ".15g"))
        return format(exact, "f") if abs(exact) < Decimal(10) ** 15 else str(exact)
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ", "minutes")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)
