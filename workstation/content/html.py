"""Web pages: the main text, without navigation and advertisements, written as simple Markdown."""

from __future__ import annotations

import logging
import re
from typing import Any
from urllib.parse import urljoin

from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.encodings import clean
from workstation.content.errors import NothingToRead, Unreadable
from workstation.content.html_charset import decoded
from workstation.content.html_date import published
from workstation.content.html_markdown import markdown
from workstation.content.saved_page import saved_from, shrunk
from workstation.content.walls import wall
from workstation.core.cancel import CancelToken

# Below this the article finder has most likely taken a caption or a cookie notice for the article (trafilatura's own
# bound for a plausible extraction is 250).
_SCANT = 250
_MOST = 32 << 20  # bytes of a page without its pictures; its tree takes some twenty times as much
_LANGUAGE = re.compile(rb"""<html[^>]*?\slang\s*=\s*["']?([A-Za-z]{2})\b""", re.I)
_WORDS = re.compile(r"\w")


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """Main text with headings, lists and tables; author, date and language as the page states them.

    A page in which no article is found (a form, an index, a list of links) gives all its visible text. Raises
    NothingToRead when it shows none, and for a fetched page that shows a wall or an error in its place.
    """
    cancel.check()
    raw = document.read()
    saved = saved_from(raw)
    origin = document.origin or (saved.address if saved else None)
    raw = shrunk(raw)
    document.release()
    if len(raw) > _MOST:
        raise Unreadable(f"too large: {len(raw) >> 20} MB without its pictures (the limit is {_MOST >> 20} MB)")
    page = decoded(raw, getattr(document, "encoding", None))
    tree = _tree(page)
    article = _article(tree, origin)
    cancel.check()
    text = clean(markdown(article.body)) if article is not None else ""
    meta = {}
    if len(_WORDS.findall(text)) < _SCANT:
        whole = _everything(page)
        if len(whole) > 2 * len(text):
            text = whole
            meta["extraction"] = "whole page"
    if not _WORDS.search(text):
        raise NothingToRead("the page shows no text (it may need JavaScript)")
    if article is not None:
        meta |= {key: value for key in ("author", "sitename", "description") if (value := getattr(article, key))}
    title = _title(article, tree)
    if document.origin:
        if stands_before := wall(text, title or "", raw, document.origin):
            raise NothingToRead(stands_before)
        meta |= _canonical(tree, document.origin)
    if saved and saved.when:
        meta["saved"] = saved.when
    language = _LANGUAGE.search(raw[:20_000])
    return Extraction(
        text=text,
        title=title or document.stem,
        kind="html",
        language=language.group(1).decode().lower() if language else None,
        date=published(tree, origin),
        meta=meta,
        origin=origin,
    )


def _tree(page: str | bytes) -> Any:
    from trafilatura import load_html  # 0.4 s, with lxml and htmldate

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it reports each odd page as an error
    logging.getLogger("htmldate").setLevel(logging.CRITICAL)
    try:
        tree = load_html(page)
    except (ValueError, RecursionError, AssertionError) as error:
        raise Unreadable(f"not a page that can be parsed ({type(error).__name__})") from error
    if tree is None:
        raise NothingToRead("there is no page in the file")
    return tree


def _article(tree: Any, origin: str | None) -> Any:
    """trafilatura's document, or None when it finds nothing or fails, as on some odd pages; the whole page is left."""
    from copy import deepcopy

    from trafilatura import bare_extraction

    try:
        return bare_extraction(
            deepcopy(tree),
            url=origin,
            with_metadata=True,
            include_comments=False,
            include_tables=True,
            include_links=False,
        )
    except (ValueError, TypeError, AttributeError, RecursionError, AssertionError):
        return None


def _everything(page: str | bytes) -> str:
    from trafilatura import html2txt

    try:
        return clean(re.sub(r"[ \t]*\n\s*", "\n", html2txt(page) or "")).strip()
    except (ValueError, RecursionError, AssertionError):
        return ""


def _canonical(tree: Any, origin: str) -> dict[str, str]:
    """The address that the page wants to be known by, when it is another one."""
    for link in tree.iter("link"):
        if "canonical" in (link.get("rel") or "").lower().split() and link.get("href"):
            try:
                named = urljoin(origin, link.get("href").strip())
            except ValueError:
                return {}
            return {"canonical": named[:2000]} if named != origin and named.startswith("http") else {}
    return {}


def _title(article: Any, tree: Any) -> str | None:
    stated = article.title if article is not None else None
    if not stated:
        found = tree.find(".//title")
        stated = found.text_content() if found is not None and hasattr(found, "text_content") else None
    return " ".join(clean(stated).split())[:300] if stated else None
