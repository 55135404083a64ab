"""Pages saved with their pictures in one file (MHTML): a message of related parts, by the standard library."""

from __future__ import annotations

import email
import email.policy
from dataclasses import replace
from email.message import Message

from workstation.content import html
from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.errors import NothingToRead, Unreadable
from workstation.content.mail import header, sent
from workstation.core.cancel import CancelToken

_PARTS = 10_000


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """The page, as if it had been fetched from the address that it was saved from."""
    cancel.check()
    try:
        message = email.message_from_bytes(document.read(), policy=email.policy.compat32)
        page = _page(message)
    except (RecursionError, ValueError, TypeError, AttributeError, LookupError) as error:
        raise Unreadable(f"damaged: not a complete page ({type(error).__name__})") from error
    if page is None:
        raise NothingToRead("there is no page in the file")
    origin = header(message, "Snapshot-Content-Location") or header(page, "Content-Location")
    origin = origin if origin.startswith(("http://", "https://")) else ""
    document.release()
    inner = Document(document.path, data=_utf8(page), origin=document.origin or origin or None, name=document.name)
    found = html.extract(inner, cancel)
    kept = sent(message)
    title = header(message, "Subject") if found.title == inner.stem else found.title
    return replace(
        found,
        title=title or found.title,
        origin=origin or None,
        meta={**found.meta, **({"saved": kept} if kept else {})},
    )


def _page(message: Message) -> Message | None:
    """The part that the others belong to: the one that is named as the start, or the first page."""
    start = str(message.get_param("start") or "").strip("<> ")
    pages = []
    for n, part in enumerate(message.walk()):
        if n > _PARTS:
            break
        if part.get_content_type() in ("text/html", "application/xhtml+xml"):
            if start and header(part, "Content-ID").strip("<> ") == start:
                return part
            pages.append(part)
    return pages[0] if pages else None


def _utf8(part: Message) -> bytes:
    """The page's bytes; in UTF-8 when their encoding is stated outside of them."""
    raw = part.get_payload(decode=True)
    if not isinstance(raw, bytes):
        return b""
    charset = part.get_content_charset()
    if charset and charset not in ("utf-8", "us-ascii"):
        try:
            return raw.decode(charset, "replace").encode()
        except LookupError:
            pass
    return raw
