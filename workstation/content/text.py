"""Plain text, Markdown, and notes: Markdown with front matter and links between notes."""

from __future__ import annotations

import re

from workstation.content import wiki_links
from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.encodings import decode
from workstation.content.errors import NothingToRead
from workstation.core.cancel import CancelToken

_FENCES = {"---": "---", "+++": "+++"}  # YAML and TOML front matter
_FRONT_MATTER_LINES = 200  # a longer one is a text that begins with a rule
_FIELD = re.compile(r"""([A-Za-z][\w -]*?)\s*[:=]\s*(?:"(.*)"|'(.*)'|(.*?))\s*$""")
_LISTED = re.compile(r"\s*-\s+(.+)$")
_INLINE = re.compile(r"\[(.*)\]")
_HEADING = re.compile(r"#\s+(.+?)\s*#*$")
_UNDERLINE = re.compile(r"=+\s*$")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_MARKUP = re.compile(r"\*\*|__|`|!?\[([^\]]*)\]\([^)]*\)")
_TITLE_CHARACTERS = 120  # longer first lines are prose
_KEPT = ("author", "tags", "aliases", "description")
_DATES = ("date", "updated", "modified", "created")
_MARKDOWN = (".md", ".markdown", ".mdown")


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """The whole text as it stands, without its front matter. Title: the front matter's, else the first `# heading`,
    else a first line that looks like one, else the file's name."""
    cancel.check()
    decoded = decode(document.read())
    fields, text = _front_matter(decoded.text)
    noted = bool(fields)
    if document.name.lower().endswith(_MARKDOWN):
        text, links = wiki_links.readable(text)
        noted = noted or links > 0
    if not text.strip():
        raise NothingToRead("the file holds no text")
    meta = {key: fields[key] for key in _KEPT if fields.get(key)}
    if decoded.encoding != "utf-8":
        meta["encoding"] = decoded.encoding
    date = next((found for key in _DATES if (found := _DATE.match(fields.get(key, "")))), None)
    language = fields.get("language") or fields.get("lang") or ""
    return Extraction(
        text=text,
        title=fields.get("title") or _title(text) or document.stem,
        kind="note" if noted and document.name.lower().endswith(_MARKDOWN) else "text",
        language=language[:2].lower() if re.match(r"[A-Za-z]{2}(?:[-_]|$)", language) else None,
        date=date.group() if date else None,
        status=f"partly damaged: {decoded.damaged} characters could not be decoded" if decoded.damaged else "ok",
        meta=meta,
    )


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    """Top-level `key: value` (or `key = "value"`) lines between two fences at the start, and the text behind them;
    a list of values is joined by commas. Not by a YAML parser: notes are written by hand, and a title with a colon in
    it is read all the same."""
    opening, _, rest = text.partition("\n")
    closing = _FENCES.get(opening.rstrip())
    if closing is None:
        return {}, text
    fields: dict[str, str] = {}
    listed: set[str] = set()
    key = ""
    offset = 0
    for line in rest.split("\n", _FRONT_MATTER_LINES)[:_FRONT_MATTER_LINES]:
        offset += len(line) + 1
        if line.rstrip() == closing:
            return fields, rest[offset:].lstrip("\n")
        if found := _LISTED.match(line):  # "- tag" below "tags:"
            if key and (not fields[key] or key in listed):
                fields[key] = ", ".join(filter(None, (fields[key], found.group(1).strip("\"' "))))
                listed.add(key)
            continue
        if line[:1].isspace() or not (found := _FIELD.match(line)):
            continue
        key = found.group(1).lower()
        value = (found.group(2) or found.group(3) or found.group(4) or "").strip()
        if inline := _INLINE.fullmatch(value):
            value = ", ".join(part.strip("\"' ") for part in inline.group(1).split(","))
        fields[key] = value
    return {}, text


def _title(text: str) -> str | None:
    lines = text.lstrip("\n").split("\n", 400)[:400]
    fenced = False
    for number, line in enumerate(lines):
        if line.startswith(("```", "~~~")):
            fenced = not fenced
        if fenced:
            continue
        if found := _HEADING.match(line):
            return _plain(found.group(1))
        if line.strip() and number + 1 < len(lines) and _UNDERLINE.match(lines[number + 1]):
            return _plain(line)
    return _first_line(lines)


def _first_line(lines: list[str]) -> str | None:
    """The first line when it stands alone, is short and does not end like a sentence."""
    first = lines[0].strip()
    alone = len(lines) > 1 and not lines[1].strip()
    if alone and len(first) <= _TITLE_CHARACTERS and first[-1:].isalnum() and any(c.isalpha() for c in first):
        return _plain(first)
    return None


def _plain(heading: str) -> str:
    return " ".join(_MARKUP.sub(r"\1", heading).split())[: 2 * _TITLE_CHARACTERS]
