"""Pages on their way into the ledger: the text that they make together, and what is said of those without any."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from storage.records import Page
from workstation.content.adapters import PageText
from workstation.content.pdf_furniture import without_furniture
from workstation.content.pdf_lines import paragraphs, tidy, vocabulary

INSTALL = 'pip install "florilegium[ocr]"'
DOUBTFUL = "doubtful figures"
NOTHING_SEEN = "no print was recognised on the image"


@dataclass(frozen=True, slots=True)
class Draft:
    """A page before it is known where its text will stand. An empty line parts paragraphs, where that is known."""

    number: int
    state: str
    lines: list[str] = field(default_factory=list)
    note: str = ""
    confidence: float | None = None
    doubtful: tuple[str, ...] = ()


def recognised(draft: Draft, seen: PageText) -> Draft:
    """The page with what its image says. A few letters beside an image, such as a stamp, stand on the image as well;
    they are kept where it could not be read."""
    lines = tidy(seen.text)
    if not seen.failure and _letters(lines) >= max(1, _letters(draft.lines)):
        return Draft(draft.number, "ocr", lines, seen.note, seen.confidence, seen.doubtful)
    note = f"the image was not read: {seen.failure}" if seen.failure else NOTHING_SEEN
    if _letters(draft.lines):
        return replace(draft, state="text", note=note)
    return Draft(draft.number, "failed" if seen.failure else "blank", note=note)


def assemble(drafts: Sequence[Draft]) -> tuple[str, tuple[Page, ...]]:
    """The text of all pages, and the ledger. An empty line parts the pages, or one newline where a sentence goes on."""
    stripped = without_furniture([draft.lines for draft in drafts])
    words = vocabulary(line for lines in stripped for line in lines)
    text: list[str] = []
    pages: list[Page] = []
    length = 0
    last = ""
    for draft, lines in zip(drafts, stripped, strict=True):
        body = paragraphs(lines, words)
        if body and last:
            gap = "\n" if body[0].islower() and last[-1] not in ".!?:;" else "\n\n"
            text.append(gap)
            length += len(gap)
        text.append(body)
        pages.append(Page(draft.number, draft.state, length, length + len(body), draft.note, draft.confidence))
        length += len(body)
        last = body or last
    return "".join(text), tuple(pages)


def doubtful(drafts: Iterable[Draft]) -> dict[str, str]:
    """For a version's `meta`: the figures of each page of which two readings of its image differ."""
    found = {str(draft.number): draft.doubtful for draft in drafts if draft.doubtful}
    return {DOUBTFUL: json.dumps(found)} if found else {}


def status(pages: Sequence[Page]) -> str:
    """ "ok", or in words what is wrong, with what mends it."""
    some = list(_shortcomings(pages))
    if any(page.end > page.start for page in pages):
        return f"partly read: of {len(pages)} pages {', '.join(some)}" if some else "ok"
    if not some:
        seen = any(page.note == NOTHING_SEEN for page in pages)
        return f"no text: {NOTHING_SEEN}" if seen else "no text: every page is blank"
    if len(pages) > 1:
        return f"no text: of {len(pages)} pages {', '.join(some)}"
    return (
        f"no text: the page failed: {pages[0].note}"
        if pages[0].state == "failed"
        else _needing("no text: the page needs")
    )


def _shortcomings(pages: Sequence[Page]) -> Iterator[str]:
    counts = Counter(page.state for page in pages)
    if needing := counts["needs_ocr"]:
        yield _needing(f"{needing} {'needs' if needing == 1 else 'need'}")
    if counts["failed"]:
        yield f"{counts['failed']} failed"


def _needing(words: str) -> str:
    return f"{words} OCR ({INSTALL})"


def _letters(lines: Sequence[str]) -> int:
    return sum(character.isalnum() for line in lines for character in line)
