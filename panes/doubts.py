"""Sentences of the report that nobody should take on trust: marked unverified, or found wanting by the check."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from panes.rows import Row, Span
from workstation.report.cite import MARK

_END = rf"[.!?。！？][\"'”’»)]*(?:\s*\[[\d,\s]+\])*(?:\s*(?:{MARK.pattern})[.。]?)?(?=\s|$)"
_SENTENCE = re.compile(rf".+?(?:{_END}|$)", re.DOTALL | re.IGNORECASE)
_CITED = re.compile(r"\s*\[\d[\d,\s]*\]")
_SUBJECT = r"(?: in: (?P<sentence>.+?)|“(?P<quote>.+?)” \[[\d, ]+\])"
_FAILURE = re.compile(rf"(?P<label>[^:]+): .*?{_SUBJECT}(?: \(line \d+\))?$")
UNVERIFIED, FAILED = "unverified", "failed"
SIGNS = {UNVERIFIED: "?", FAILED: "!"}
"""What stands before the line of such a sentence."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """`text` is how the sentence or quote begins, as far as a failure of the check repeats it; `word` what is wrong."""

    text: str
    word: str


def doubts(failures: Sequence[str]) -> tuple[Doubt, ...]:
    """The sentences that the check complains of. What it says of sources and of the whole is about no sentence."""
    found = []
    for failure in failures:
        if match := _FAILURE.match(failure):
            text = match["sentence"] or match["quote"]
            found.append(Doubt(_flat(text.rstrip("…")), match["label"]))
    return tuple(found)


def marked(row: Row, known: Sequence[Doubt]) -> Row:
    """The row with its doubtful sentences styled, and with a word behind those that failed; the row itself if none."""
    text, spans, at, changed = "", list[Span](), 0, False
    for sentence in _SENTENCE.finditer(row.text):
        start, end = sentence.span()
        shift = len(text) - start
        style, word = _trouble(sentence[0], known)
        text += row.text[start:end]
        spans += _styled(row, start, end, shift, style)
        if word:
            spans.append(Span(len(text), len(text) + len(word), "bad"))
            text += word
        changed, at = changed or bool(style), end
    if not changed:
        return row
    return Row(text + row.text[at:], tuple(spans), row.key, row.hang, row.folds)


def _trouble(sentence: str, known: Sequence[Doubt]) -> tuple[str, str]:
    """The style of a sentence and the word behind it; empty where nothing is wrong."""
    plain = _flat(_CITED.sub("", sentence))
    for doubt in known:
        if doubt.text and doubt.text in plain:
            return FAILED, f" (check failed: {doubt.word})"
    return (UNVERIFIED, "") if MARK.search(sentence) else ("", "")


def _styled(row: Row, start: int, end: int, shift: int, style: str) -> list[Span]:
    """The row's spans in text[start:end], moved; in a doubtful sentence what has no style of its own gets one."""
    found: list[Span] = []
    at = start
    for span in row.spans:
        left, right = max(span.start, at), min(span.end, end)
        if left >= right:
            continue
        if style and at < left:
            found.append(Span(at + shift, left + shift, style))
        found.append(Span(left + shift, right + shift, span.style or style, span.target))
        at = right
    if style and at < end:
        found.append(Span(at + shift, end + shift, style))
    return found


def _flat(text: str) -> str:
    return " ".join(text.split())
