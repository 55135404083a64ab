"""From a citation in the report to the quote that carries it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from panes.rows import Pen
from workstation.memory.state import Note, Paragraph, ResearchState
from workstation.report.cite import MARK

_CITATION = re.compile(r"\[(\d{1,5}(?:\s*,\s*\d{1,5})*)\]")
_UNVERIFIED = re.compile(rf"{MARK.pattern}|[\[(]unverified[\])]", re.IGNORECASE)
_MARKS = re.compile(f"{_CITATION.pattern}|(?i:{_UNVERIFIED.pattern})")
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’»)]*\s")
_WORD = re.compile(r"\w+")
COMPARED = "compared "
"""What stands before a paragraph's id where it is said again in the table of a comparison."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One number of one [n] in a paragraph. `sentence` is the text that it stands for, up to the mark."""

    paragraph: str
    ordinal: int
    number: int
    sentence: str

    @property
    def target(self) -> str:
        return f"{self.paragraph}#{self.ordinal}"


class CitationWriter:
    """Writes a paragraph's running text so that its citations become targets; they are collected in `found`.

    Only the paragraph's own numbers count: a quote may hold an "[5]" of its own.
    """

    def __init__(self, paragraph: str, numbers: frozenset[int]) -> None:
        self._paragraph, self._numbers = paragraph, numbers
        self._sentence = ""
        self._cited = False
        self._pen: Pen | None = None
        self.found: list[Citation] = []

    def __call__(self, pen: Pen, text: str, style: str) -> None:
        if pen is not self._pen:  # another row is another sentence
            self._pen, self._sentence, self._cited = pen, "", False
        if style == "em" and text.strip(" .").lower() == "unverified":
            pen.put(text, "warn")
            return
        at = 0
        for mark in _MARKS.finditer(text):
            self._plain(pen, text[at : mark.start()], style)
            at = mark.end()
            if mark[1] is None:
                pen.put(mark[0], "warn")
            elif not self._cite(pen, mark[1]):
                self._plain(pen, mark[0], style)
        self._plain(pen, text[at:], style)

    def _plain(self, pen: Pen, text: str, style: str) -> None:
        pen.put(text, style)
        if self._cited and _WORD.search(text):  # the text after a citation is another sentence's, or its second half
            self._sentence, self._cited = "", False
        ends = list(_SENTENCE_END.finditer(text))
        if ends and text[ends[-1].end() :].strip():
            self._sentence, text = "", text[ends[-1].end() :]
        self._sentence += text

    def _cite(self, pen: Pen, numbers: str) -> bool:
        cited = [int(n) for n in numbers.split(",")]
        if not all(n in self._numbers for n in cited):
            return False
        for index, number in enumerate(cited):
            citation = Citation(self._paragraph, len(self.found), number, self._sentence.strip())
            self.found.append(citation)
            left = "[" if not index else ", "
            if len(cited) == 1:
                pen.put(f"[{number}]", "cite", citation.target)
            else:
                pen.put(left, "cite").put(str(number), "cite", citation.target)
        if len(cited) > 1:
            pen.put("]", "cite")
        self._cited = True
        return True


def numbers_of(paragraph: Paragraph, state: ResearchState) -> frozenset[int]:
    """The citation numbers that a paragraph may use: those of its notes, or all when it names no notes."""
    if not paragraph.notes:
        return frozenset(entry.number for entry in state.ledger)
    ids = set(paragraph.notes)
    return frozenset(note.number for note in state.notes if note.id in ids)


def evidence_of(citation: Citation, state: ResearchState) -> Note | None:
    """The note behind a citation: among those of its source, the one whose words the sentence shares most."""
    paragraph = next((p for p in state.paragraphs if p.id == citation.paragraph.removeprefix(COMPARED)), None)
    ids = set(paragraph.notes) if paragraph else set()
    behind = [n for n in state.notes if n.number == citation.number and n.id in ids]
    behind = behind or [n for n in state.notes if n.number == citation.number and n.kind == "fact"]
    return max(behind, key=lambda note: _shared(note.quote, citation.sentence), default=None)


def _shared(quote: str, sentence: str) -> float:
    words, others = set(_WORD.findall(quote.lower())), set(_WORD.findall(sentence.lower()))
    return len(words & others) / max(1, len(words | others))
