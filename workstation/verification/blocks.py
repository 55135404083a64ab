"""A report's Markdown taken apart: prose in blocks, the lines under Sources, and every number that is cited anywhere.

Nothing is skipped because of where it stands. What is not prose is recognised one line at a time: headings, the
question, statements that the program makes about the run, and lines under Verification and Sources in the shape that it
gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workstation.memory.state import ResearchState
from workstation.report.catalogue import is_heading, is_phrase
from workstation.report.cite import flat, numbers_in, unescape, without_hidden
from workstation.report.document import document
from workstation.report.markdown import unsettled_lines
from workstation.report.sources import number_of_line
from workstation.verification.failures import is_failure

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)])(?:\s+|$)")
_QUOTE = re.compile(r"^\s{0,3}>\s?")
_NO_TEXT = re.compile(r"\s*(?:(?:[-*_]\s*){3,}|=+|(?:```|~~~)[\w+-]*|\|?[\s:|-]*\|[\s:|-]*)\s*$")
_CELL = re.compile(r"(?<!\\)\|")
_SECTION_LEVEL = 2
_STATEMENTS = ("confidence", "nothing_found", "no_answer_yet", "unchecked", "stale_report", "stale_paragraph")


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, list item or table row of prose, from line `line` (counted from 1); `section` as in _Line."""

    text: str
    line: int
    section: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """cited: number -> first line where it is cited, outside Verification and Sources. listed: lines under Sources."""

    blocks: tuple[Block, ...]
    cited: dict[int, int]
    listed: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    heading: str | None
    section: str  # key of the section, "" for one that is not special


def parse(report: str, state: ResearchState) -> Parsed:
    options = {n.question.option for n in state.needs if n.question.option}
    own = {flat(line) for line in unsettled_lines(document(state))}
    prose: list[_Line | None] = []
    cited: dict[int, int] = {}
    listed: list[tuple[int, str]] = []
    for line in _question_removed(_lines(report)):
        if line.section == "sources" and number_of_line(line.text) is not None:
            listed.append((line.number, line.text))
            prose.append(None)
            continue
        if line.section == "verification" and _is_verification(line.text):
            prose.append(None)
            continue
        for number in numbers_in(line.text):
            cited.setdefault(number, line.number)
        mark = _ITEM.match(line.text)
        statement = line.text[mark.end() :] if mark else line.text
        program = any(is_phrase(key, statement) for key in _STATEMENTS) or flat(line.text) in own
        prose.append(None if line.heading is not None or program else _without_option(line, options))
    return Parsed(tuple(_blocks(prose)), cited, tuple(listed))


def _lines(report: str) -> list[_Line]:
    """All lines with the special section that they stand in: below the last such heading of each kind."""
    texts = without_hidden(report).splitlines()
    headings = [(i, len(m[1]), m[2] or "") for i, t in enumerate(texts) if (m := _HEADING.match(t))]
    special = {key: _last(key, headings) for key in ("verification", "sources")}
    special["sources"] = special["sources"] or _last_list(texts, headings)
    lines, section = [], ""
    level = 7
    for i, text in enumerate(texts):
        heading = next((h for h in headings if h[0] == i), None)
        if heading:
            starts = next((key for key, at in special.items() if at == heading), None)
            if starts or heading[1] <= level or section == "verification":
                section, level = starts or "", heading[1]
        lines.append(_Line(i + 1, text, heading[2] if heading else None, section))
    return lines


def _last(key: str, headings: list[tuple[int, int, str]]) -> tuple[int, int, str] | None:
    return next((h for h in reversed(headings) if is_heading(key, unescape(h[2]))), None)


def _last_list(texts: list[str], headings: list[tuple[int, int, str]]) -> tuple[int, int, str] | None:
    """The last heading, whatever its words, with a list of sources directly below it: a report in another language."""
    for heading in (h for h in reversed(headings) if h[1] <= _SECTION_LEVEL):
        below = next((t for t in texts[heading[0] + 1 :] if t.strip()), "")
        if number_of_line(below) is not None and below.lstrip()[:1] in "-*+":
            return heading
    return None


def _question_removed(lines: list[_Line]) -> list[_Line]:
    """Without the quoted question: the block quote between the title and the first section."""
    headings = [line.number for line in lines if line.heading is not None]
    end = headings[1] if len(headings) > 1 else 0
    begin = next((n for n in range(1, end) if _QUOTE.match(lines[n - 1].text)), 0)
    question = {begin}
    while begin and begin + 1 < end and _QUOTE.match(lines[begin].text):
        begin += 1
        question.add(begin)
    return [_Line(x.number, x.text, "", x.section) if x.number in question else x for x in lines]


def _without_option(line: _Line, options: set[str]) -> _Line:
    """A row of the table of a comparison without its first cell, which names what is compared and claims nothing."""
    first, _, rest = line.text.strip().removeprefix("|").partition("|")
    named = line.text.lstrip().startswith("|") and unescape(first.strip()) in options
    return _Line(line.number, rest, line.heading, line.section) if named else line


def _is_verification(line: str) -> bool:
    text = _ITEM.sub("", line, count=1)
    return is_phrase("verdict", text) or is_phrase("unchecked", text) or is_failure(unescape(text))


def _blocks(lines: list[_Line | None]) -> Iterator[Block]:
    """Neighbouring lines joined, until a blank line, a list item, a table row or a line that is not prose."""
    held: list[str] = []
    first: _Line | None = None
    for line in [*lines, None]:
        text = "" if line is None else _QUOTE.sub("", line.text)
        row, item = _CELL.search(text) is not None, _item(text, goes_on=bool(held))
        blank = not text.strip() or _NO_TEXT.match(text) is not None
        if first and held and (row or item or blank):
            yield Block(" ".join(held), first.number, first.section)
            held = []
        if line is not None and not blank:
            first = first if held else line
            held.append(_CELL.sub("; ", text).strip("; ") if row else text[item:].strip())


def _item(text: str, *, goes_on: bool) -> int:
    """The length of a list item's mark, 0 for none. Inside a paragraph only 1. begins a numbered list (CommonMark)."""
    found = _ITEM.match(text)
    mark = found[0].strip(" .)\t") if found else ""
    return 0 if not found or (goes_on and mark.isdigit() and mark != "1") else found.end()
