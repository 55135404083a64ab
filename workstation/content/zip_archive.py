"""ZIP archives of documents, by the standard library; nothing is ever unpacked onto the disk."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator

from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.errors import Unreadable
from workstation.content.unpacking import holder
from workstation.content.walk import unwanted
from workstation.content.zipped import inflated, opened
from workstation.core.cancel import CancelToken


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """The archive itself says nothing."""
    return holder(document, "archive")


def members(document: Document, cancel: CancelToken) -> Iterator[Document]:
    """Each file in it, under its path there. What a folder's walk passes over is passed over here too."""
    taken: set[str] = set()
    with opened(document) as package:
        for info in package.infolist():
            cancel.check()
            name = info.filename.replace("\\", "/")
            parts = name.split("/")
            if info.is_dir() or name in taken:
                continue
            taken.add(name)
            if name.startswith("/") or ".." in parts or ":" in name[:2]:
                yield document.member(_harmless(parts), error=Unreadable("its name leads outside of the archive"))
            elif _is_link(info) or any(unwanted(part) for part in parts):
                continue
            else:
                yield _file(document, package, info, name)


def _file(document: Document, package: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> Document:
    try:
        return document.member(name, inflated(package, info))
    except Unreadable as error:
        return document.member(name, error=error)


def _is_link(info: zipfile.ZipInfo) -> bool:
    return (info.external_attr >> 16) & 0o170000 == 0o120000


def _harmless(parts: list[str]) -> str:
    return "/".join(part for part in parts if part not in ("", ".", "..")) or "unnamed"
