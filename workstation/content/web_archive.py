"""Web archives: WARC (and the older ARC) by warcio, and WACZ, which is a ZIP package with WARC files in it."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from workstation.content import limits
from workstation.content.adapters import Extraction
from workstation.content.document import About, Document
from workstation.content.errors import ContentError, NothingToRead, Unreadable
from workstation.content.media_types import suffix_of
from workstation.content.requirements import needed
from workstation.content.signatures import is_zip
from workstation.content.unpacking import holder, too_large
from workstation.content.zipped import DAMAGED, opened
from workstation.core.cancel import Cancelled, CancelToken

_RECORDS = ("response", "resource", "conversion")


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """The archive itself says nothing."""
    needed("warcio", "Web archives")
    return holder(document, "archive")


def members(document: Document, cancel: CancelToken) -> Iterator[Document]:
    """Each page that was answered with 200 and can be read, under its address. A page that was archived again with
    other content comes again, with the time behind its address."""
    needed("warcio", "Web archives")
    taken: dict[str, str] = {}
    if not is_zip(document.head()):
        with document.stream() as stream:
            yield from _pages(document, stream, taken, cancel)
        return
    with opened(document) as package:
        for info in package.infolist():
            if info.filename.startswith("archive/") and info.filename.endswith((".warc", ".warc.gz")):
                try:
                    with package.open(info) as stream:
                        yield from _pages(document, cast("BinaryIO", stream), taken, cancel)
                except (*DAMAGED, RuntimeError) as error:
                    raise Unreadable(f"{info.filename} is damaged or encrypted") from error


def _pages(document: Document, stream: BinaryIO, taken: dict[str, str], cancel: CancelToken) -> Iterator[Document]:
    from warcio.exceptions import ArchiveLoadFailed

    count = 0
    try:
        archive = _iterator(stream)
        for record in archive:
            cancel.check()
            count += 1
            if (page := _page(document, record, taken)) is not None:
                yield page
        if archive.truncated:
            raise EOFError
    except (ContentError, Cancelled):
        raise
    except (ArchiveLoadFailed, zlib.error, EOFError, OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        if not count:
            raise NothingToRead("no web archive: there is no record in it") from error
        raise Unreadable(f"the archive is damaged behind record {count}") from error


def _iterator(stream: BinaryIO) -> Any:
    from warcio.archiveiterator import ArchiveIterator

    class Records(ArchiveIterator):  # type: ignore[misc]  # warcio has no types
        """`truncated` once it has ended: the file ends within a compressed record, which warcio passes over."""

        INC_RECORD = ""  # what it writes on the terminal about damaged records
        truncated = False

        def close(self) -> None:
            decompressor = self.reader.decompressor if self.reader else None
            self.truncated = decompressor is not None and not decompressor.eof
            super().close()

    return Records(stream, arc2warc=True)


def _page(document: Document, record: Any, taken: dict[str, str]) -> Document | None:
    headers, http = record.rec_headers, record.http_headers
    address = headers.get_header("WARC-Target-URI") or ""
    if record.rec_type not in _RECORDS or not address or address.startswith(("urn:", "dns:", "metadata:")):
        return None
    if http is not None and (http.get_statuscode() or "") != "200":
        return None
    media_type = http.get_header("Content-Type") if http is not None else headers.get_header("Content-Type")
    suffix = suffix_of(media_type)
    if suffix is None:
        return None
    when = headers.get_header("WARC-Date") or ""
    address = address.strip("<>")
    data = record.content_stream().read(limits.MEMBER + 1)
    digest = str(zlib.crc32(data))
    name = address
    if address in taken:
        if taken[address] == digest:
            return None
        name = f"{address} {when}"
    if name in taken:
        return None
    taken.setdefault(address, digest)
    taken[name] = digest
    if not data:
        return None
    if getattr(record.raw_stream, "limit", 0) and len(data) <= limits.MEMBER and not _encoded(http):
        return document.member(name, error=Unreadable("damaged: a part of the page is missing"), origin=address)
    if len(data) > limits.MEMBER:
        return document.member(name, error=too_large(len(data)), origin=address)
    meta = {"archived": when[:10]} if when else {}
    return document.member(name, data, origin=address, about=About(meta=meta), suffix=suffix)


def _encoded(http: Any) -> bool:
    return http is not None and bool(http.get_header("Content-Encoding") or http.get_header("Transfer-Encoding"))
