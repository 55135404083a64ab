"""What a server says about a body, and what the body's first bytes say themselves."""

from __future__ import annotations

import codecs
import re

_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([\w.:-]+)""", re.I)
_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+")
READABLE = frozenset(
    {"text/html", "application/xhtml+xml", "application/pdf", "text/plain", "text/markdown", "text/x-markdown"}
)
"""What a crawl takes in. A person who names an address may fetch whatever there is a reader for."""


def media_type(content_type: str) -> str:
    """The bare type in lower case; empty when there is none."""
    found = _TYPE.match(content_type.strip())
    return found.group().lower() if found else ""


def charset(content_type: str) -> str | None:
    """The encoding that the server names, if Python knows it too."""
    found = _CHARSET.search(content_type)
    if found is None:
        return None
    try:
        return codecs.lookup(found.group(1)).name
    except LookupError:
        return None


def sniffed(declared: str, body: bytes) -> str:
    """The type of a body: what its first bytes show, or else what the server says."""
    head = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"%PDF-"):
        return "application/pdf"
    lower = head[:512].lower()
    if lower.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "text/html"
    if lower.startswith((b"<?xml", b"<rss", b"<feed", b"<urlset", b"<sitemapindex")):
        return "application/xhtml+xml" if b"<html" in lower else "application/xml"
    if declared.startswith("text/") and b"\x00" in head[:512] and not body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "application/octet-stream"
    return declared or "application/octet-stream"
