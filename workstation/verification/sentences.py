"""Prose into sentences: a quotation with its citation is one, a citation or mark belongs to what is before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from workstation.report.cite import CITATION, MARK, SHOWN_CITATION, flat, numbers_in, unescape, without_hidden
from workstation.verification.quotes import TERMINATED, Quotation, quotations

Splitter = Callable[[str, str], Sequence[tuple[int, int]]]

_TAIL = re.compile(rf"(?:\s*(?:{CITATION.pattern}|{MARK.pattern}))+[.。]?", re.IGNORECASE)
_MARKUP = re.compile(r"(?<!\\)(?:<!--.*?-->|</?[a-zA-Z][^<>]*>|[*_`~]+)", re.DOTALL)
_LINK = re.compile(r"(?<!\\)!?\[((?:\\.|[^\]\\])*)\]\((?:\\.|[^)\\])*\)")
_AUTOLINK = re.compile(r"<https?://[^\s<>]*>", re.IGNORECASE)
_GOES_ON = ",;:)—–"


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` as a reader sees it, without citations and marks; `prose` is the part outside quotation marks."""

    markdown: str
    text: str
    prose: str
    quotes: tuple[str, ...]
    numbers: tuple[int, ...]
    unverified: bool

    @property
    def is_quotation(self) -> bool:
        return bool(self.quotes) and not any(char.isalnum() for char in self.prose)


def sentences(block: str, language: str, split: Splitter | None = None) -> list[Sentence]:
    """The sentences of one block of Markdown (a paragraph, a list item, a table cell)."""
    quoted = quotations(block)
    tails = list(_TAIL.finditer(block))
    cuts = {0, len(block)} | _split_at(_masked(block, quoted, tails), language, split or _default_splitter())
    inside = [(q.start, q.end) for q in quoted] + [t.span() for t in tails]
    cuts = {c for c in cuts if not any(a < c < b for a, b in inside) and not _goes_on_after_quote(block, c, quoted)}
    cuts = {_after_tail(block, c) for c in cuts} | {c for t in tails if (c := _cut_after(block, t, quoted))}
    return list(_read(block[a:b] for a, b in pairwise(sorted(cuts | {0, len(block)}))))


def plain(markdown: str) -> str:
    """Inline Markdown as it is shown: no markup, links as their text, escapes resolved."""
    text = _LINK.sub(_link_text, _AUTOLINK.sub(" ", markdown))
    return without_hidden(unescape(_MARKUP.sub("", text)))


def _link_text(link: re.Match[str]) -> str:
    """The text of a link; a number in brackets that leads somewhere is a citation all the same."""
    return f"[{link[1]}]" if SHOWN_CITATION.fullmatch(f"[{link[1]}]") else str(link[1])


def _read(pieces: Iterable[str]) -> Iterable[Sentence]:
    """Sentences from pieces; a piece without a word joins the one before."""
    held = ""
    for piece in pieces:
        if held and any(char.isalnum() for char in plain(_TAIL.sub("", piece))):
            yield from _sentence(held)
            held = ""
        held += piece
    yield from _sentence(held)


def _sentence(markdown: str) -> Iterable[Sentence]:
    quoted = quotations(markdown)
    outside = "".join(markdown[a:b] for a, b in _gaps(quoted, len(markdown)))
    shown = plain(MARK.sub("", outside))
    hidden = quotations(shown)  # marks that were written as entities
    prose = SHOWN_CITATION.sub("", "".join(shown[a:b] for a, b in _gaps(hidden, len(shown))))
    text = SHOWN_CITATION.sub("", plain(MARK.sub("", CITATION.sub("", markdown))))
    numbers = (*numbers_in(shown, SHOWN_CITATION), *(n for q in quoted for n in numbers_in(markdown[q.start : q.end])))
    if not any(char.isalnum() for char in text):
        return
    yield Sentence(
        markdown=markdown.strip(),
        text=flat(text),
        prose=flat(prose),
        quotes=tuple(q.words for q in (*quoted, *hidden) if q.words),
        numbers=tuple(dict.fromkeys(numbers)),
        unverified=MARK.search(markdown) is not None,
    )


def _gaps(quoted: list[Quotation], length: int) -> list[tuple[int, int]]:
    edges = [0, *(edge for q in quoted for edge in (q.start, q.end)), length]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _masked(block: str, quoted: list[Quotation], tails: list[re.Match[str]]) -> str:
    """The block with quotations and citations as plain words, so that no sentence ends inside them."""
    for tail in tails:
        block = block[: tail.start()] + re.sub(r"\S(?!$)|[^\s.。]", "x", tail[0]) + block[tail.end() :]
    for q in quoted:
        last = "." if q.terminated else "x"
        block = block[: q.start] + ("X" * (q.end - q.start - 1) + last)[-(q.end - q.start) :] + block[q.end :]
    return block


def _split_at(masked: str, language: str, split: Splitter) -> set[int]:
    return {start for start, _ in split(masked, language)}


def _default_splitter() -> Splitter:
    from workstation.content.sentences import sentences as spans  # compiled rules for 300 languages

    return spans


def _after_tail(block: str, cut: int) -> int:
    tail = _TAIL.match(block, cut) if 0 < cut < len(block) else None
    return tail.end() if tail else cut


def _cut_after(block: str, tail: re.Match[str], quoted: list[Quotation]) -> int | None:
    """Where a sentence ends after citations that follow its full stop or its quotation; None when it goes on."""
    rest = block[tail.end() :].lstrip()
    if not rest or rest[0].islower() or rest[0] in _GOES_ON:
        return None
    before = block[: tail.start()].rstrip()
    last = next((q for q in quoted if q.end == len(before)), None)
    ended = tail[0].endswith((".", "。")) or TERMINATED.search(before) is not None
    if last is not None:
        head = block[: last.start].rstrip()
        ended = ended or last.terminated or not head or TERMINATED.search(head) is not None or head.endswith("]")
    return tail.end() if ended else None


def _goes_on_after_quote(block: str, cut: int, quoted: list[Quotation]) -> bool:
    before, rest = len(block[:cut].rstrip()), block[cut:].lstrip()
    return rest[:1].islower() and any(q.end == before for q in quoted)
