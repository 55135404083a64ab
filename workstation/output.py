"""What goes to stdout: one JSON document, or text for a person. Progress and errors go to stderr, elsewhere."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence

from workstation.core.text import one_line, printable

# json.dumps escapes C0 controls itself. These would reach a terminal as they are, or cannot be encoded.
_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def json_line(document: object) -> str:
    """`document` as one line of JSON: UTF-8 text, with everything that could steer a terminal escaped."""
    text = json.dumps(document, ensure_ascii=False)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def emit(document: object) -> None:
    """Writes one JSON document to stdout, and flushes: a reader of a batch gets each line when it is ready."""
    sys.stdout.write(json_line(document) + "\n")
    sys.stdout.flush()


def say(text: str = "") -> None:
    """Writes text for a person to stdout, control characters made visible."""
    sys.stdout.write(printable(text) + "\n")


def table(head: Sequence[str], rows: Sequence[Sequence[object]], *, right: Sequence[int] = ()) -> str:
    """Columns under their heads, as wide as their content; the columns numbered in `right` are aligned to the right."""
    from rich.cells import cell_len

    cells = [[one_line(str(cell)) for cell in row] for row in (head, *rows)]
    widths = [max(cell_len(row[i]) for row in cells) for i in range(len(head))]

    def shown(row: list[str]) -> str:
        pads = [" " * (widths[i] - cell_len(cell)) for i, cell in enumerate(row)]
        return "  ".join(pads[i] + c if i in right else c + pads[i] for i, c in enumerate(row)).rstrip()

    return "\n".join(shown(row) for row in cells)
