"""Books in EPUB: a ZIP package with a list of chapters in XHTML. The standard library opens it, defusedxml parses its
lists, lxml its chapters; the libraries made for it have licences that this program cannot take on."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from workstation.content import limits
from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.encodings import clean
from workstation.content.errors import ContentError, NothingToRead, Unreadable
from workstation.content.office import about, iso_date
from workstation.content.requirements import needed
from workstation.content.whole_page import markdown, parsed
from workstation.content.zipped import guard, inflated, opened
from workstation.core.cancel import CancelToken

_DC = "{http://purl.org/dc/elements/1.1/}"
_CHAPTER = 32 * limits.MEGABYTE
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
_FONT_SCRAMBLING = (b"http://www.idpf.org/2008/embedding", b"http://ns.adobe.com/pdf/enc#RC")
_YEAR = re.compile(r"\d{4}")


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """The chapters in reading order; one whose text has no heading takes that of the table of contents."""
    needed("defusedxml", "Books")
    cancel.check()
    guard(document, cancel)
    with opened(document) as package:
        _refuse_protected(package)
        root = _rootfile(package)
        book = _xml(package, root)
        labels = _labels(package, book, root)
        texts: list[str] = []
        room, damaged = limits.TEXT, 0
        for path in _spine(book, root):
            cancel.check()
            try:
                text = markdown(parsed(_part(package, path))).strip()
            except ContentError:
                damaged += 1
                continue
            if text and path in labels and not any(line.startswith("#") for line in text.split("\n", 20)[:20]):
                text = f"# {labels[path]}\n\n{text}"
            room -= len(text) + 2
            if room < 0:
                break
            texts.append(text)
    text = clean("\n\n".join(filter(None, texts)))
    if not text:
        raise NothingToRead("the book holds no text (it may be made of pictures)")
    remarks = [f"{damaged} of its chapters could not be read"] if damaged else []
    remarks += [f"too long: only the first {limits.TEXT} characters were read"] if room < 0 else []
    language = _stated(book, "language")
    date = _stated(book, "date")
    year = _YEAR.match(date)
    return Extraction(
        text=text,
        title=_stated(book, "title") or document.stem,
        kind="book",
        language=language[:2].lower() or None,
        date=iso_date(date),
        status="; ".join(remarks) or "ok",
        meta=about(
            author=", ".join(_all(book, "creator")),
            publisher=_stated(book, "publisher"),
            year=year.group() if year else "",
            identifier=_stated(book, "identifier"),
        ),
    )


def _refuse_protected(package: zipfile.ZipFile) -> None:
    """Unreadable when chapters are encrypted. Scrambled fonts are noted in the same file and do no harm."""
    if "META-INF/encryption.xml" not in package.namelist():
        return
    stated = inflated(package, package.getinfo("META-INF/encryption.xml"), limits.MEGABYTE)
    methods = re.findall(rb"""EncryptionMethod[^>]*Algorithm\s*=\s*["']([^"']+)""", stated)
    if any(method not in _FONT_SCRAMBLING for method in methods):
        raise Unreadable("it is protected: only the seller's program can read it")


def _rootfile(package: zipfile.ZipFile) -> str:
    if "META-INF/container.xml" in package.namelist():
        for element in _xml(package, "META-INF/container.xml").iter():
            if _local(element) == "rootfile" and element.get("full-path"):
                return str(element.get("full-path"))
    found = next((name for name in package.namelist() if name.endswith(".opf")), None)
    if found is None:
        raise Unreadable("damaged: the book has no list of its chapters")
    return found


def _spine(book: Any, root: str) -> Iterator[str]:
    """The paths of the chapters in reading order."""
    items = {item.get("id"): item for item in book.iter() if _local(item) == "item"}
    for reference in book.iter():
        if _local(reference) != "itemref":
            continue
        item = items.get(reference.get("idref"))
        if item is None or "nav" in (item.get("properties") or "").split():
            continue
        if item.get("media-type") in _PAGES and item.get("href"):
            yield _joined(root, item.get("href"))


def _labels(package: zipfile.ZipFile, book: Any, root: str) -> dict[str, str]:
    """The first title in the table of contents for each chapter file: of EPUB 3's navigation page, or EPUB 2's list."""
    found: dict[str, str] = {}
    for item in (item for item in book.iter() if _local(item) == "item"):
        navigation = "nav" in (item.get("properties") or "").split()
        if not navigation and item.get("media-type") != "application/x-dtbncx+xml":
            continue
        path = _joined(root, item.get("href") or "")
        try:
            links = _navigation(package, path) if navigation else _contents(package, path)
            for target, label in links:
                if label:
                    found.setdefault(_joined(path, target), label[:300])
        except ContentError:
            continue
    return found


def _navigation(package: zipfile.ZipFile, path: str) -> Iterator[tuple[str, str]]:
    for element in parsed(_part(package, path)).iter():
        if _local(element) == "a" and element.get("href"):
            yield element.get("href"), " ".join("".join(element.itertext()).split())


def _contents(package: zipfile.ZipFile, path: str) -> Iterator[tuple[str, str]]:
    for point in _xml(package, path).iter():
        if _local(point) != "navPoint":
            continue
        label = next((e.text for e in point.iter() if _local(e) == "text"), "")
        target = next((e.get("src") for e in point.iter() if _local(e) == "content"), "")
        if target:
            yield target, " ".join((label or "").split())


def _part(package: zipfile.ZipFile, path: str) -> bytes:
    try:
        return inflated(package, package.getinfo(path), _CHAPTER)
    except KeyError as error:
        raise Unreadable(f"damaged: {path} is missing") from error


def _xml(package: zipfile.ZipFile, path: str) -> Any:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        return fromstring(_part(package, path))
    except (ParseError, DefusedXmlException, ValueError, RecursionError) as error:
        raise Unreadable(f"damaged: {path} is not XML that can be parsed") from error


def _joined(base: str, target: str) -> str:
    """A path in the package, from the file that names it."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(target.partition("#")[0])))


def _all(book: Any, name: str) -> list[str]:
    return [" ".join((e.text or "").split()) for e in book.iter(f"{_DC}{name}") if (e.text or "").strip()]


def _stated(book: Any, name: str) -> str:
    return next(iter(_all(book, name)), "")


def _local(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
