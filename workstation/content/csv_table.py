"""Tables in text files: comma, semicolon or tab between the cells. Read by the standard library."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from workstation.content import text as plain_text
from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.encodings import decode
from workstation.content.errors import NothingToRead, Unreadable
from workstation.content.limits import TEXT
from workstation.content.tables import Table
from workstation.core.cancel import CancelToken

_SAMPLE = 1 << 16
_DELIMITERS = ",;\t|"


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """The rows, in groups under their header. A file that is no table after all is read as plain text."""
    cancel.check()
    decoded = decode(document.read())
    dialect = _dialect(decoded.text[:_SAMPLE])
    if dialect is None:
        return plain_text.extract(document, cancel)
    name = document.stem
    table = Table(name, TEXT)
    try:
        blocks = list(table.write(_rows(decoded.text, dialect, cancel)))
    except csv.Error as error:
        size = csv.field_size_limit()
        raise Unreadable(f"a cell of more than {size} characters: a quotation mark is not closed ({error})") from error
    if not blocks:
        raise NothingToRead("the table holds no values")
    remarks = [f"{decoded.damaged} characters could not be decoded"] if decoded.damaged else []
    remarks += ["too long: only its first rows were read"] if table.cut else []
    return Extraction(
        text="\n\n".join([f"# {name}", *blocks]),
        title=name,
        kind="table",
        status="; ".join(remarks) or "ok",
        meta={} if decoded.encoding == "utf-8" else {"encoding": decoded.encoding},
    )


def _dialect(sample: str) -> type[csv.Dialect] | None:
    lines = sample.split("\n")
    whole = "\n".join(lines[:-1]) if len(lines) > 1 else sample
    try:
        found = csv.Sniffer().sniff(whole[:8192], delimiters=_DELIMITERS)
    except csv.Error:
        counts = {delimiter: lines[0].count(delimiter) for delimiter in _DELIMITERS}
        best = max(counts, key=lambda delimiter: counts[delimiter])
        if not counts[best]:
            return None
        found = type("found", (csv.excel,), {"delimiter": best})
    found.doublequote = True  # the sniffer says no where the sample has no quote in a cell
    found.strict = False
    return found


def _rows(text: str, dialect: type[csv.Dialect], cancel: CancelToken) -> Iterator[Sequence[str]]:
    for n, row in enumerate(csv.reader(io.StringIO(text, newline=""), dialect)):
        if n % 100 == 0:
            cancel.check()
        yield row
