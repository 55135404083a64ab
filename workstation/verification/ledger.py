"""Does the report's list of sources, and sources.json, say what the log says?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from workstation.memory.ledger import source_record
from workstation.memory.state import ResearchState
from workstation.report.sources import is_line_of, number_of_line
from workstation.verification.failures import Kind, failure, shown

FIELDS = ("number", "source", "version", "title", "path", "origin", "kind")  # what identifies a source; places may grow


def check_list(listed: Iterable[tuple[int, str]], cited: dict[int, int], state: ResearchState) -> Iterator[str]:
    """Failures of the lines under Sources, and of citations that have none."""
    seen = set()
    for at, line in listed:
        number = number_of_line(line)
        entry = state.entry(number) if number is not None else None
        seen.add(number)
        if entry is None:
            yield failure(Kind.NUMBER, f"[{number}] is listed under Sources (line {at})")
        elif not is_line_of(line, entry):
            yield failure(Kind.SOURCE_LINE, f"[{number}] (line {at}): {shown(line)}")
    for number, at in cited.items():
        if state.entry(number) is None:
            yield failure(Kind.NUMBER, f"[{number}] (line {at})")
        elif number not in seen:
            yield failure(Kind.UNLISTED, f"[{number}] (line {at})")


def check_file(text: str | None, state: ResearchState) -> Iterator[str]:
    """Failures of sources.json (None: there is no such file)."""
    try:
        written = json.loads(text or "")["sources"]
        found = {record["number"]: {key: record.get(key) for key in FIELDS} for record in written}
    except (ValueError, KeyError, TypeError, AttributeError):
        yield failure(Kind.LEDGER_FILE, "it is missing" if text is None else "it cannot be read")
        return
    expected = {entry.number: {key: source_record(entry)[key] for key in FIELDS} for entry in state.ledger}
    for number in sorted(found.keys() | expected.keys(), key=str):
        if found.get(number) != expected.get(number):
            yield failure(Kind.LEDGER_FILE, f"[{number}]")
    if len(found) != len(written):
        yield failure(Kind.LEDGER_FILE, "a number stands there twice")
