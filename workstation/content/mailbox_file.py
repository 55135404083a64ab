"""Mailboxes (mbox): messages one after the other in one file, read as a stream, each in its turn.

The standard library's mailbox module reads the whole file for an index first and takes every line "From ..." for a
beginning; a mailbox of ten gigabytes has to be left when the user says so.
"""

from __future__ import annotations

import email
import hashlib
import re
from collections.abc import Iterator
from typing import BinaryIO

from workstation.content import limits
from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.mail import header
from workstation.content.unpacking import holder, too_large
from workstation.core.cancel import CancelToken

# "From sender date", where the date has a time and a year; a sentence that begins with From has not.
_BEGINS = re.compile(rb"From \S+ .*\d\d:\d\d.*\d{4}")
_LINE = 1 << 16


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """The mailbox itself says nothing."""
    return holder(document, "mailbox")


def members(document: Document, cancel: CancelToken) -> Iterator[Document]:
    """Each message, named by its Message-ID: its place changes whenever one before it is deleted."""
    taken: set[str] = set()
    with document.stream() as stream:
        for number, (data, size) in enumerate(_messages(stream, cancel), 1):
            name = _name(data, number)
            if name in taken:
                name += f" {hashlib.sha256(data).hexdigest()[:8]}"  # a copy, or another message with the same id
            if name in taken:
                continue
            taken.add(name)
            if size > limits.MEMBER:
                yield document.member(name, error=too_large(size), suffix=".eml")
            else:
                yield document.member(name, data, suffix=".eml")


def _messages(stream: BinaryIO, cancel: CancelToken) -> Iterator[tuple[bytes, int]]:
    """The bytes of each message, and how many there are: no more than the limit are kept."""
    lines: list[bytes] = []
    size = 0
    blank, whole, started = True, True, False
    while line := stream.readline(_LINE):
        if whole and blank and line.startswith(b"From ") and _BEGINS.match(line):
            cancel.check()
            if started:
                yield b"".join(lines), size
            lines, size, started = [], 0, True
        else:
            size += len(line)
            if size <= limits.MEMBER:
                lines.append(line)
        blank = whole and not line.strip()
        whole = line.endswith(b"\n")
    if started or size:
        yield b"".join(lines), size


def _name(data: bytes, number: int) -> str:
    end = data.find(b"\n\n")
    message = email.message_from_bytes(data[: end if 0 <= end < _LINE else _LINE])
    found = header(message, "Message-ID").strip("<> ")
    return found.replace("/", "_") or str(number)
