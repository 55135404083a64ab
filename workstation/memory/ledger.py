"""The citation ledger and the evidence log as files: sources.json, and notes.md that can be read back."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from workstation.core.places import from_image
from workstation.memory.state import LedgerEntry, Note, ResearchState

HEAD = 'claim | [n] | "quote" | date | primary/secondary | confidence'

# What a kind of source usually is. A web page or a file can be either, and then nothing is said.
_PRIMARY = frozenset(
    {"transcript", "audio", "video", "email", "letter", "filing", "data", "table", "spreadsheet", "image"}
)
_SECONDARY = frozenset({"article", "news", "encyclopedia", "review", "book"})
_UNDATED, _UNCLASSIFIED = "undated", "unclassified"

# A pipe inside a field always has a backslash before it, so " | " stands between fields only.
_ESCAPES = {"\\": "\\\\", "|": "\\|", "\n": "\\n", "\r": "\\r"}
_UNESCAPES = {written[1]: char for char, written in _ESCAPES.items()}
# Controls, direction overrides and tags: written by their code, so that a file shown in a terminal is only text.
_ACTIVE = "\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f"
_IN_NOTES, _IN_JSON = (
    re.compile(rf"[\\|\n\r{_ACTIVE}]"),
    re.compile("[\x7f-\x9f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069]"),
)


class NoteLine(NamedTuple):
    """One line of notes.md."""

    claim: str
    number: int
    quote: str
    date: str
    standing: str
    confidence: str


def source_record(entry: LedgerEntry) -> dict[str, Any]:
    """A source as sources.json holds it. `date` is the source's own, `first_read` when the run met it."""
    fields = entry.model_dump(mode="json", exclude={"places"})
    return fields | {"locators": [place.model_dump(mode="json", exclude_none=True) for place in entry.places]}


def sources_json(state: ResearchState) -> str:
    records = [source_record(entry) for entry in sorted(state.ledger, key=lambda entry: entry.number)]
    text = json.dumps({"sources": records}, ensure_ascii=False, indent=2)
    return _IN_JSON.sub(lambda m: f"\\u{ord(m[0]):04x}", text) + "\n"


def notes_md(state: ResearchState) -> str:
    """The evidence log, a line for each quote in the order in which they were found."""
    lines = [_written(note_line(state, note)) for note in state.notes]
    return "\n".join([HEAD, *lines]) + "\n"


def note_line(state: ResearchState, note: Note) -> NoteLine:
    """What a note says: the claim is the thesis that rests on it, else the sub-question that it was found for."""
    entry = state.entry(note.number)
    thesis = next((t.sentence for t in state.theses if note.id in t.notes), None)
    question = next((n.question.text for n in state.needs if n.question.id == note.need), "")
    return NoteLine(
        claim=thesis or question,
        number=note.number,
        quote=note.quote,
        date=(entry.date if entry else None) or _UNDATED,
        standing=_standing(entry.kind if entry else ""),
        confidence=_confidence(note),
    )


def read_notes(text: str) -> list[NoteLine]:
    """The lines of notes.md, the inverse of `notes_md`. Lines of another shape are left out."""
    return [line for written in text.split("\n")[1:] if (line := _read(written))]


def _standing(kind: str) -> str:
    return "primary" if kind in _PRIMARY else "secondary" if kind in _SECONDARY else _UNCLASSIFIED


def _confidence(note: Note) -> str:
    if note.kind is None:
        return "unchecked"
    if note.kind == "rejected":
        return f"rejected: {note.reason}" if note.reason else "rejected"
    if note.kind == "extraction_error":
        return f"extraction error: {note.reason}" if note.reason else "extraction error"
    similarity = "found by its words" if note.cosine is None else f"cosine {note.cosine:.2f}"
    if note.place.ocr is not None:
        similarity += f", {from_image(note.place.ocr)}"
    if note.corrected:
        similarity += ", corrected"
    return f"hypothesis, {similarity}" if note.kind == "hypothesis" else similarity


def _written(line: NoteLine) -> str:
    rest = (_escaped(field) for field in line[3:])
    return " | ".join((_escaped(line.claim), f"[{line.number}]", f'"{_escaped(line.quote)}"', *rest))


def _read(written: str) -> NoteLine | None:
    fields = [_unescaped(field) for field in written.split(" | ")]
    if len(fields) != len(NoteLine._fields) or not re.fullmatch(r"\[\d+\]", fields[1]):
        return None
    claim, number, quote, *rest = fields
    return NoteLine(claim, int(number[1:-1]), quote[1:-1], *rest)


def _escaped(text: str) -> str:
    return _IN_NOTES.sub(lambda m: _ESCAPES.get(m[0]) or f"\\u{{{ord(m[0]):X}}}", text)


def _unescaped(text: str) -> str:
    return re.sub(
        r"\\(?:u\{([0-9A-F]+)\}|(.))", lambda m: chr(int(m[1], 16)) if m[1] else _UNESCAPES.get(m[2], m[2]), text
    )
