"""Messages, by the standard library: what was written is a source, and each attachment another."""

from __future__ import annotations

import email
import email.header
import email.policy
import email.utils
import mimetypes
import re
from collections.abc import Iterator
from email.message import Message

from workstation.content import limits
from workstation.content.adapters import Extraction
from workstation.content.document import About, Document
from workstation.content.encodings import clean, decode
from workstation.content.errors import ContentError, Unreadable
from workstation.content.office import about, iso_date
from workstation.content.unpacking import too_large
from workstation.content.whole_page import markdown, parsed
from workstation.core.cancel import CancelToken

_DEPTH = 20  # parts within parts
_PARTS = 1000  # of one message
_SHOWN = ("From", "Date", "To")
_SHOWN_CHARACTERS = 200
_WORDS = re.compile(r"\w+")
_STUB = 30  # words; a plain text as short as this, beside a long HTML text, only says that there is one
# Signatures, keys and pictures inside the text are no documents.
_PASSED_OVER = ("application/pgp-", "application/pkcs7-signature", "application/x-pkcs7-signature", "message/delivery-")
_SEALED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """Subject, the main headers and the text."""
    cancel.check()
    message = _message(document)
    subject = header(message, "Subject")
    # Who wrote and when is a heading: it is found, and a locator names it, but it is no statement to quote.
    told = [f"{name}: {value[:_SHOWN_CHARACTERS]}" for name in _SHOWN if (value := header(message, name))]
    parts = [f"# {subject or 'No subject'}", f"## {'; '.join(told)}" if told else "", *_bodies(message, cancel)]
    if names := [name for name, _ in _attachments(message)]:
        parts.append(f"Attachments: {', '.join(names)}")
    text = clean("\n\n".join(part for part in parts if part)).strip()
    sealed = any(part.get_content_type() in _SEALED for part in _walk(message))
    status = "encrypted: only its headers could be read" if sealed else "ok"
    if len(text) > limits.TEXT:
        status = f"too long: only the first {limits.TEXT} characters were read"
    language = header(message, "Content-Language")
    return Extraction(
        text=text[: limits.TEXT],
        title=subject or document.stem,
        kind="mail",
        language=language[:2].lower() if re.match(r"[A-Za-z]{2}\b", language) else None,
        date=sent(message),
        status=status,
        meta=about(
            author=header(message, "From"),
            to=header(message, "To"),
            message_id=header(message, "Message-ID"),
            in_reply_to=header(message, "In-Reply-To"),
        ),
    )


def members(document: Document, cancel: CancelToken) -> Iterator[Document]:
    """The attachments; a forwarded message is one."""
    message = _message(document)
    told = about(attached_to=header(message, "Subject"), author=header(message, "From"))
    for name, part in _attachments(message):
        cancel.check()
        try:
            data = _bytes(part)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            yield document.member(name, error=Unreadable(f"the attachment is damaged ({type(error).__name__})"))
            continue
        if len(data) > limits.MEMBER:
            yield document.member(name, error=too_large(len(data)))
        elif data:
            yield document.member(name, data, about=About(date=sent(message), meta=told))


def header(message: Message, name: str) -> str:
    """A header decoded and on one line, "" when there is none. Headers break every rule, and the parser with them."""
    try:
        value = str(message.get(name, ""))
        if "=?" in value:
            value = str(email.header.make_header(email.header.decode_header(value)))
    except Exception:
        raw = next((str(v) for n, v in message.raw_items() if n.lower() == name.lower()), "")
        value = raw
    return " ".join(clean(value).split())


def sent(message: Message) -> str | None:
    """The day on which it was sent, where it was sent."""
    try:
        return iso_date(email.utils.parsedate_to_datetime(header(message, "Date")))
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _message(document: Document) -> Message:
    raw = document.read()
    try:
        return email.message_from_bytes(raw, policy=email.policy.compat32)
    except (RecursionError, ValueError, TypeError, AttributeError, LookupError) as error:
        raise Unreadable(f"damaged: not a complete message ({type(error).__name__})") from error


def _walk(message: Message) -> Iterator[Message]:
    """The parts of a message, outermost first, without what is inside an attached message."""
    pending = [(message, 0)]
    count = 0
    while pending and count < _PARTS:
        part, depth = pending.pop()
        count += 1
        yield part
        inner = part.get_payload()
        if isinstance(inner, list) and depth < _DEPTH and part.get_content_maintype() == "multipart":
            pending.extend((each, depth + 1) for each in reversed(inner) if isinstance(each, Message))


def _bodies(message: Message, cancel: CancelToken) -> Iterator[str]:
    """The texts that are shown, one after the other; of alternatives the plain one, if it says anything."""
    pending = [(message, 0)]
    while pending:
        cancel.check()
        part, depth = pending.pop()
        sort = part.get_content_type()
        inner = part.get_payload()
        if isinstance(inner, list):
            parts = [each for each in inner if isinstance(each, Message)]
            if sort == "multipart/alternative":
                if text := _best(parts, cancel):
                    yield text
            elif depth < _DEPTH and part.get_content_maintype() == "multipart":
                pending.extend((each, depth + 1) for each in reversed(parts))
        elif sort in ("text/plain", "text/html") and not _attached(part) and (text := _text(part)):
            yield text


def _best(parts: list[Message], cancel: CancelToken) -> str:
    texts: dict[str, str] = {}
    for part in parts:
        for inner in _walk(part):
            cancel.check()
            sort = inner.get_content_type()
            if sort in ("text/plain", "text/html") and sort not in texts and not _attached(inner):
                texts[sort] = _text(inner)
    plain, rich = texts.get("text/plain", ""), texts.get("text/html", "")
    said = len(_WORDS.findall(plain))
    return rich if not said or (said < _STUB and len(_WORDS.findall(rich)) > 3 * said) else plain


def _text(part: Message) -> str:
    try:
        raw = _bytes(part)
        charset = part.get_content_charset()
        try:
            text = raw.decode(charset or "utf-8")
        except (LookupError, UnicodeDecodeError):
            text = decode(raw).text if raw.strip() else ""
        if part.get_content_type() == "text/html":
            return markdown(parsed(text.encode("utf-8", "replace"))).strip()
        return text.strip()
    except ContentError:
        return ""


def _attachments(message: Message) -> Iterator[tuple[str, Message]]:
    """Name and part of each; a name that comes twice gets a number."""
    taken: dict[str, int] = {}
    number = 0
    for part in _walk(message):
        sort = part.get_content_type()
        if part.get_content_maintype() == "multipart" or sort.startswith(_PASSED_OVER) or sort in _SEALED:
            continue
        name = _filename(part)
        if not (name or sort == "message/rfc822" or _attached(part)):
            continue
        if sort.startswith("image/") and (part.get("Content-ID") or not _attached(part)):
            continue
        number += 1
        if sort == "message/rfc822":
            name = name or f"message {number}"
            name += "" if name.lower().endswith(".eml") else ".eml"
        name = name or f"attachment {number}{mimetypes.guess_extension(sort) or ''}"
        taken[name] = taken.get(name, 0) + 1
        if taken[name] > 1:
            stem, dot, suffix = name.rpartition(".")
            name = f"{stem or suffix} ({taken[name]}){dot}{suffix if stem else ''}"
        yield name, part


def _attached(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or bool(_filename(part))


def _filename(part: Message) -> str:
    try:
        name = part.get_filename() or ""
        if "=?" in name:
            name = str(email.header.make_header(email.header.decode_header(name)))
    except Exception:
        return ""
    return " ".join(clean(name).replace("\\", "/").rsplit("/", 1)[-1].split())


def _bytes(part: Message) -> bytes:
    inner = part.get_payload()
    if isinstance(inner, list):  # an attached message
        return inner[0].as_bytes() if inner and isinstance(inner[0], Message) else b""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""
