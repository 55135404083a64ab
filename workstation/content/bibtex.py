"""BibTeX and BibLaTeX by bibtexparser, with the files that Zotero, JabRef and Mendeley note in the entries."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.encodings import decode
from workstation.content.office import iso_date, opening
from workstation.content.references import Reference, date_of, extraction, files
from workstation.content.requirements import needed
from workstation.core.cancel import CancelToken

_SEPARATED = re.compile(r"(?<!\\);")
_PARTED = re.compile(r"(?<!\\):")
_ESCAPED = re.compile(r"\\(.)")
_MARKUP = re.compile(r"[\\$]")  # without them the braces are all that LaTeX adds
_AUTHORS = re.compile(r"\s+and\s+")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def extract(document: Document, cancel: CancelToken) -> Extraction:
    """Every entry with its title as a heading."""
    references, failed = _references(document, cancel)
    return extraction(document, references, f"{failed} of its entries are damaged" if failed else "")


def members(document: Document, cancel: CancelToken) -> Iterator[Document]:
    """The files that belong to the entries."""
    yield from files(document, _references(document, cancel)[0], cancel)


def _references(document: Document, cancel: CancelToken) -> tuple[tuple[Reference, ...], int]:
    needed("bibtexparser", "BibTeX files")
    cancel.check()
    with opening(document, "BibTeX file"):
        return _parsed(document.read())


@lru_cache(maxsize=1)  # asked twice for each file: for its text, and for its files
def _parsed(raw: bytes) -> tuple[tuple[Reference, ...], int]:
    from bibtexparser.entrypoint import parse_string

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    logging.getLogger().setLevel(max(logging.ERROR, logging.getLogger().level))  # it reports through the root as well
    library = parse_string(decode(raw).text)
    return tuple(_reference(entry) for entry in library.entries), len(library.failed_blocks)


def _reference(entry: Any) -> Reference:
    stated = {field.key.lower(): str(field.value) for field in entry.fields}

    def told(*names: str) -> str:
        return next((text for name in names if (text := _plain(stated.get(name, "")))), "")

    place = [told("journal", "journaltitle", "booktitle", "publisher", "school", "institution")]
    place += [f"vol. {volume}" for volume in [told("volume")] if volume]
    place += [f"pp. {pages}" for pages in [told("pages").replace("--", "-")] if pages]
    month = stated.get("month", "").strip().lower()[:3]
    date = iso_date(stated.get("date")) or date_of(
        stated.get("year", "") or stated.get("date", ""),
        str(_MONTHS.index(month) + 1) if month in _MONTHS else month,
        stated.get("day", ""),
    )
    authors = [_name(name) for name in _AUTHORS.split(told("author", "editor")) if name]
    doi = stated.get("doi", "").strip()
    return Reference(
        key=entry.key,
        title=told("title"),
        authors=", ".join(authors),
        date=date,
        where=", ".join(part for part in place if part),
        address=f"doi:{doi}" if doi else stated.get("url", "").strip(),
        abstract=told("abstract"),
        note=told("note", "annote", "annotation"),
        keywords=told("keywords"),
        files=tuple(_files(stated.get("file", ""))),
    )


def _name(name: str) -> str:
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma else name.strip()


def _files(field: str) -> Iterator[tuple[str, str]]:
    """Name and path of each: "Name:path:type;..." with : and ; escaped by a backslash, or a path alone."""
    for entry in _SEPARATED.split(field):
        parts = _PARTED.split(entry)
        name, path = (parts[0], parts[1]) if len(parts) == 3 else ("", entry)
        path = _ESCAPED.sub(r"\1", path).strip()
        if path:
            yield _ESCAPED.sub(r"\1", name).strip(), path


def _plain(text: str) -> str:
    """Without LaTeX. A decoded entry takes 10 ms, so that only those that need it are."""
    if _MARKUP.search(text):
        from pylatexenc.latex2text import LatexNodes2Text

        try:
            text = LatexNodes2Text(math_mode="verbatim", keep_braced_groups=False).latex_to_text(text)
        except Exception:  # it is shown as it stands
            text = _ESCAPED.sub(r"\1", text)
    else:
        text = text.replace("~", " ").replace("``", "“").replace("''", "”")
    return " ".join(text.replace("{", "").replace("}", "").split())
