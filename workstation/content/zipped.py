"""ZIP packages: which document they are, and whether they are safe to open. All by the standard library."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from workstation.content import limits
from workstation.content.document import Document
from workstation.content.errors import Unreadable
from workstation.core.cancel import CancelToken

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_OLE = "EncryptedPackage".encode("utf-16-le")
_MEDIA_TYPES = (
    ("application/epub+zip", "epub"),
    ("application/vnd.oasis.opendocument.", "odf"),
)
_PARTS = (("word/document.xml", "docx"), ("ppt/presentation.xml", "pptx"), ("xl/workbook.xml", "xlsx"))
_ENTITY = re.compile(rb"<!ENTITY|<\0!\0E\0N\0T\0I\0T\0Y", re.I)
_BLOCK = 1 << 20
_SMALL = 1 << 20  # bytes; a smaller part may be as empty as it likes
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, OSError, ValueError)


@contextmanager
def opened(document: Document) -> Iterator[zipfile.ZipFile]:
    """The package, open for reading. Unreadable when it is damaged or has more parts than any honest one."""
    with document.stream() as stream:
        try:
            package = zipfile.ZipFile(stream)
        except DAMAGED as error:
            raise Unreadable(_not_a_package(document)) from error
        with package:
            if len(package.infolist()) > limits.MEMBERS:
                raise Unreadable(f"it has {len(package.infolist())} parts (the limit is {limits.MEMBERS})")
            yield package


def kind_inside(document: Document) -> str | None:
    """The kind of adapter for a package by what is in it: docx, epub, wacz ..., and zip for any other; None when it
    cannot be opened, so that its name has to decide."""
    try:
        with opened(document) as package:
            return _kind(package)
    except Unreadable:
        return None


def inflated(package: zipfile.ZipFile, info: zipfile.ZipInfo, limit: int = limits.MEMBER) -> bytes:
    """The bytes of one part. Unreadable when it is encrypted, damaged, larger than `limit`, or a bomb."""
    check(info, limit)
    try:
        with package.open(info) as part:
            return part.read(limit)
    except RuntimeError as error:  # encrypted; the flag said otherwise
        raise Unreadable("it is encrypted") from error
    except DAMAGED as error:
        raise Unreadable("its bytes are damaged") from error


def check(info: zipfile.ZipInfo, limit: int) -> None:
    """Unreadable for a part that must not be unpacked, by what the package says of it. The reader of the standard
    library gives no byte more than that."""
    if info.flag_bits & 1:
        raise Unreadable("it is encrypted")
    if info.file_size > limit:
        megabytes, most = info.file_size / limits.MEGABYTE, limit // limits.MEGABYTE
        raise Unreadable(f"too large: it unpacks to {megabytes:.0f} MB (the limit is {most} MB)")
    if info.file_size > _SMALL and info.file_size > limits.RATIO * max(1, info.compress_size):
        times = info.file_size // max(1, info.compress_size)
        raise Unreadable(f"it unpacks to {times} times its size, as only a decompression bomb does")


def guard(document: Document, cancel: CancelToken) -> None:
    """Unreadable for an office document that is unsafe to hand to its library: XML that defines entities, a cell or a
    paragraph of many megabytes, parts that are bombs, encrypted or damaged."""
    with opened(document) as package:
        total = 0
        for info in package.infolist():
            total += info.file_size
            try:
                check(info, limits.PART)
                if total > 2 * limits.PART:
                    raise Unreadable(f"its parts unpack to more than {2 * limits.PART // limits.MEGABYTE} MB")
                if info.filename.lower().endswith((".xml", ".rels", ".opf", ".ncx")):
                    _scan(package, info, cancel)
            except Unreadable as error:
                raise Unreadable(f"{info.filename}: {error.reason}") from error


def _scan(package: zipfile.ZipFile, info: zipfile.ZipInfo, cancel: CancelToken) -> None:
    tail, run = b"", 0
    try:
        with package.open(info) as part:
            while block := part.read(_BLOCK):
                cancel.check()
                if _ENTITY.search(tail + block):
                    raise Unreadable("it defines XML entities, which no office program writes")
                tail = block[-32:]
                first = block.find(b"<")
                if run + (first if first >= 0 else len(block)) > limits.STRETCH:
                    raise Unreadable(f"a text of more than {limits.STRETCH // limits.MEGABYTE} MB without a break")
                run = run + len(block) if first < 0 else len(block) - 1 - block.rfind(b"<")
    except RuntimeError as error:
        raise Unreadable("it is encrypted") from error
    except DAMAGED as error:
        raise Unreadable("its bytes are damaged") from error


def _kind(package: zipfile.ZipFile) -> str:
    names = set(package.namelist())
    if "mimetype" in names:
        info = package.getinfo("mimetype")
        stated = inflated(package, info, 256).decode("ascii", "replace").strip() if info.file_size < 256 else ""
        for start, kind in _MEDIA_TYPES:
            if stated.startswith(start):
                return kind
    for part, kind in _PARTS:
        if part in names:
            return kind
    if "META-INF/container.xml" in names:
        return "epub"
    if "datapackage.json" in names and any(name.startswith("archive/") for name in names):
        return "wacz"
    return "zip"


def _not_a_package(document: Document) -> str:
    if document.head().startswith(_OLE):
        if _ENCRYPTED_OLE in document.read():
            return "it is encrypted: save it without a password first"
        return "it is in the older office format (.doc, .xls, .ppt): save it in the current one first"
    return "damaged: it is no complete ZIP package"
