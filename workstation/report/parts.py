"""A report's Markdown as parts that another format can be made of: blocks with runs of text, citations told apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from workstation.report.catalogue import is_heading
from workstation.report.cite import SHOWN_CITATION, numbers_in

if TYPE_CHECKING:
    from markdown_it.token import Token

Kind = Literal["heading", "paragraph", "item", "quote", "code", "row", "head"]


@dataclass(frozen=True, slots=True)
class Run:
    """Text in one style. `number`: it cites the source with this number. `link`: an address that it leads to."""

    text: str
    strong: bool = False
    emphasis: bool = False
    code: bool = False
    number: int | None = None
    link: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One block. level: of a heading, from 1, or how deep an item is nested. cells: of a row of a table; elsewhere
    there is one. source: the number of the source that this line under Sources stands for."""

    kind: Kind
    cells: tuple[tuple[Run, ...], ...]
    level: int = 0
    source: int | None = None

    @property
    def runs(self) -> tuple[Run, ...]:
        return self.cells[0] if self.cells else ()

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


def parts(markdown: str) -> Iterator[Part]:
    """The blocks of a report in order. HTML in it is text."""
    from markdown_it import MarkdownIt  # 30 ms

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("text_join")  # escapes stay apart
    kinds: list[Kind] = []
    depth, listing = 0, False
    cells: list[tuple[Run, ...]] = []
    tokens = parser.parse(markdown)
    for token in tokens:
        match token.type:
            case "heading_open":
                kinds.append("heading")
            case "bullet_list_open" | "ordered_list_open":
                depth += 1
            case "bullet_list_close" | "ordered_list_close":
                depth -= 1
            case "blockquote_open":
                kinds.append("quote")
            case "list_item_open":
                kinds.append("item")
            case "tr_open":
                cells = []
            case "thead_open":
                kinds.append("head")
            case "tbody_open":
                kinds.append("row")
            case "tr_close":
                yield Part(kinds[-1], tuple(cells))
            case "heading_close" | "blockquote_close" | "list_item_close" | "thead_close" | "tbody_close":
                kinds.pop()
            case "fence" | "code_block" | "html_block":
                yield Part("code", ((Run(token.content.rstrip("\n"), code=True),),))
            case "inline":
                runs = tuple(_runs(token))
                if kinds and kinds[-1] in ("head", "row"):
                    cells.append(runs)
                    continue
                kind = kinds[-1] if kinds else "paragraph"
                part = Part(kind, (runs,), int(token.level and depth))
                if kind == "heading":
                    level = _level(tokens, token)
                    listing = is_heading("sources", part.text) or (listing and level > 2)
                    part = Part(kind, (runs,), level)
                elif kind == "item" and listing:
                    part = Part(kind, part.cells, part.level, next(iter(numbers_in(part.text, SHOWN_CITATION)), None))
                yield part


def _level(tokens: list[Token], inline: Token) -> int:
    opened = tokens[tokens.index(inline) - 1]
    return int(opened.tag[1:])


def _runs(inline: Token) -> Iterator[Run]:
    strong = emphasis = 0
    link = ""
    for child in inline.children or ():
        match child.type:
            case "strong_open" | "strong_close":
                strong += child.nesting
            case "em_open" | "em_close":
                emphasis += child.nesting
            case "link_open":
                link = str(child.attrGet("href") or "")
            case "link_close":
                link = ""
            case "softbreak" | "hardbreak":
                yield Run(" ")
            case "code_inline":
                yield Run(child.content, code=True)
            case "text":
                yield from _cited(child.content, bool(strong), bool(emphasis), link)
            case _ if child.content:
                yield Run(child.content, bool(strong), bool(emphasis), link=link)


def _cited(text: str, strong: bool, emphasis: bool, link: str) -> Iterator[Run]:
    """The text, with each citation a run of its own: "[3, 7]" is three, of which two lead somewhere."""
    at = 0
    for found in SHOWN_CITATION.finditer(text):
        if found.start() > at:
            yield Run(text[at : found.start()], strong, emphasis, link=link)
        numbers = numbers_in(found[0], SHOWN_CITATION)
        for n, number in enumerate(numbers):
            opening, closing = "[" * (n == 0), "]" * (n == len(numbers) - 1)
            yield Run(f"{opening}{number}{closing}", number=number)
            if not closing:
                yield Run(", ")
        at = found.end()
    if at < len(text):
        yield Run(text[at:], strong, emphasis, link=link)
