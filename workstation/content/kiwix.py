"""ZIM archives, as Kiwix distributes Wikipedia and other collections, by pyzim."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from workstation.content import limits
from workstation.content.adapters import Extraction
from workstation.content.document import About, Document
from workstation.content.errors import ContentError, Unreadable
from workstation.content.media_types import suffix_of
from workstation.content.office import about, iso_date
from workstation.content.requirements import needed
from workstation.content.unpacking import holder, too_large
from workstation.core.cancel import Cancelled, CancelToken

_CONTENT = ("A", "C")  # the namespace of articles, in the older and in the present form


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """The archive itself says nothing but what it is."""
    needed("pyzim", "ZIM archives")
    return holder(document, "archive")


def members(document: Document, cancel: CancelToken) -> Iterator[Document]:
    """Each article, under its name in the archive. Redirections, pictures and indexes are no articles."""
    pyzim = needed("pyzim", "ZIM archives")
    needed("zstandard", "ZIM archives")
    logging.getLogger("pyzim").setLevel(logging.CRITICAL)
    count = 0
    try:
        with document.stream() as stream, pyzim.Zim(stream) as zim:
            told = _told(zim)
            for entry in zim.iter_entries_by_url():
                cancel.check()
                if entry.is_redirect or entry.namespace not in _CONTENT:
                    continue
                suffix = suffix_of(entry.mimetype)
                if suffix is None:
                    continue
                count += 1
                yield _article(document, entry, suffix, told)
    except (ContentError, Cancelled, GeneratorExit):
        raise
    except Exception as error:  # it raises whatever the bytes lead it to
        raise Unreadable(f"the archive is damaged behind article {count} ({type(error).__name__})") from error


def _article(document: Document, entry: Any, suffix: str, told: About) -> Document:
    size = entry.get_size()
    if size > limits.MEMBER:
        return document.member(entry.url, error=too_large(size))
    return document.member(entry.url, entry.read(), about=told, suffix=suffix)


def _told(zim: Any) -> About:
    stated = zim.get_metadata_dict()
    meta = about(collection=stated.get("Title"), author=stated.get("Creator"), collected_from=stated.get("Source"))
    return About(date=iso_date(stated.get("Date")), meta=meta)
