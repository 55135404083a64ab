"""All that an HTML or XHTML page says, as simple Markdown: for chapters of books and bodies of messages, where nothing
is navigation. lxml parses; the tree is walked without recursion, so that a page nested a thousandfold is only odd."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Any

from workstation.content.encodings import clean, decode
from workstation.content.errors import NothingToRead, Unreadable
from workstation.content.tables import row

_SKIPPED = frozenset(
    {"head", "script", "style", "noscript", "template", "svg", "math", "object", "iframe", "audio", "video", "title"}
)
_BLOCKS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "div",
        "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5",
        "h6", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table",
        "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
    }
)  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
_XML_ENTITIES = frozenset({"amp", "lt", "gt", "quot", "apos"})
_XHTML = re.compile(r"\s*<\?xml|<html[^>]*\sxmlns\s*=", re.I)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_DOCTYPE = re.compile(r"<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>", re.I | re.S)
_HEAD = 10_000  # characters in which a declaration and a doctype are looked for


def parsed(raw: bytes) -> Any:
    """The root element. XHTML is parsed as XML, because <title/> would swallow an HTML page. Raises NothingToRead,
    Unreadable."""
    from lxml import etree, html  # 30 ms

    text = decode(raw).text
    try:
        if _XHTML.search(text[:2000]):
            head = _DOCTYPE.sub("", _DECLARATION.sub("", text[:_HEAD]), count=1)  # no entity is defined but HTML's own
            text = head + text[_HEAD:]
            text = _ENTITY.sub(_character, text)
            parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False)
            root = etree.fromstring(text.encode(), parser)
        else:
            root = html.document_fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8"))
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise NothingToRead("there is no page in it") from error
    except (ValueError, RecursionError, AssertionError) as error:
        raise Unreadable(f"not a page that can be parsed ({type(error).__name__})") from error
    if root is None:
        raise NothingToRead("there is no page in it")
    return root


def markdown(root: Any) -> str:
    """Paragraphs apart by an empty line; headings with #, items with - or 1., rows of tables as | a | b |."""
    writer = _Writer()
    from lxml import etree

    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        if event in ("comment", "pi"):
            writer.text(element.tail)
        elif event == "start":
            tag = _tag(element)
            if tag in _SKIPPED:
                walk.skip_subtree()
            elif tag == "table" and (rows := _rows(element)) is not None:
                walk.skip_subtree()
                writer.table(rows)
            else:
                writer.start(tag, element)
                writer.text(element.text)
        else:
            tag = _tag(element)
            if tag not in _SKIPPED:
                writer.end(tag)
            if element is not root:
                writer.text(element.tail)
    return clean(writer.whole())


class _Writer:
    """Collects running text and closes a block whenever one begins or ends."""

    def __init__(self) -> None:
        self._done: list[tuple[str, bool]] = []  # block, is it an item
        self._running: list[str] = []
        self._lists: list[int | None] = []  # the next number of each open list; None for bullets
        self._marker = ""
        self._preformatted = 0
        self._skipping = False

    def start(self, tag: str, element: Any) -> None:
        if tag == "br":
            self._running.append("\n" if self._preformatted else "\v")
        if tag not in _BLOCKS:
            return
        self._close()
        if tag in ("ul", "ol"):
            start = element.get("start") or "1"
            self._lists.append((int(start) if start.isdigit() and len(start) < 6 else 1) if tag == "ol" else None)
        elif tag in ("li", "dd"):
            self._marker = self._next_marker()
        elif tag == "pre":
            self._preformatted += 1

    def end(self, tag: str) -> None:
        if tag not in _BLOCKS:
            return
        if tag in _HEADINGS:
            self._close("#" * _HEADINGS[tag] + " ")
            return
        self._close()
        if tag in ("ul", "ol") and self._lists:
            self._lists.pop()
        elif tag == "pre":
            self._preformatted = max(0, self._preformatted - 1)
        self._marker = ""

    def text(self, text: str | None) -> None:
        if text:
            self._running.append(text)

    def table(self, rows: list[list[str]]) -> None:
        self._close()
        self._done.append(("\n".join(row(cells) for cells in rows), False))

    def whole(self) -> str:
        self._close()
        parts: list[str] = []
        for index, (block, item) in enumerate(self._done):
            if index:
                parts.append("\n" if item and self._done[index - 1][1] else "\n\n")
            parts.append(block)
        return "".join(parts)

    def _next_marker(self) -> str:
        indent = "  " * (len(self._lists) - 1)
        if not self._lists or self._lists[-1] is None:
            return f"{indent}- "
        self._lists[-1] += 1
        return f"{indent}{self._lists[-1] - 1}. "

    def _close(self, before: str = "") -> None:
        running = "".join(self._running)
        self._running = []
        if self._preformatted:
            if running.strip():
                code = running.strip("\n")
                self._done.append((f"```\n{code}\n```" if "\n" in code else code, False))
            return
        lines = [" ".join(line.split()) for line in running.split("\v")]
        block = "\n".join(line for line in lines if line)
        if not block:
            return
        if before:
            block = before + block.replace("\n", " ")
        elif self._lists or self._marker:
            block = (self._marker or "  " * len(self._lists)) + block.replace("\n", " ")
            self._done.append((block, True))
            self._marker = ""
            return
        self._done.append((block, False))


def without_tags(text: str) -> str:
    """A line of text that may hold tags and entities, as reference managers write titles."""
    if "<" not in text and "&" not in text:
        return text
    try:
        return " ".join(markdown(parsed(f"<p>{text}</p>".encode())).split())
    except (NothingToRead, Unreadable):
        return text


def _rows(table: Any) -> list[list[str]] | None:
    """The cells of a table of data; None for one that only lays out a page."""
    if next((True for inner in table.iter() if inner is not table and _tag(inner) == "table"), False):
        return None
    rows = [[_cell(cell) for cell in line if _tag(cell) in ("td", "th")] for line in table.iter() if _tag(line) == "tr"]
    if max(map(len, rows), default=0) < 2 or any(len(cell) > 1000 for cells in rows for cell in cells):
        return None
    return [cells for cells in rows if any(cells)]


def _cell(cell: Any) -> str:
    parts: list[str] = []
    for element in cell.iter():
        tag = _tag(element)
        if tag in _BLOCKS or tag == "br":
            parts.append(" ")
        if tag and tag not in _SKIPPED:
            parts.append(element.text or "")
        if element is not cell:
            parts.append(element.tail or "")
    return " ".join("".join(parts).split())


def _tag(element: Any) -> str:
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def _character(found: re.Match[str]) -> str:
    name = found.group(1)
    return found.group() if name in _XML_ENTITIES else html5.get(f"{name};", found.group())
