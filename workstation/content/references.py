"""Lists of references: what one says, and the files that belong to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from workstation.content import limits
from workstation.content.adapters import Extraction
from workstation.content.document import About, Document
from workstation.content.encodings import clean
from workstation.content.errors import NothingToRead
from workstation.content.office import about
from workstation.core.cancel import CancelToken

_YEAR = re.compile(r"\b(1[4-9]\d\d|20\d\d)\b")


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry. `date` is as exact as it is known: 1858, 1858-08 or 1858-08-16. `files`: name and path of each."""

    key: str
    title: str
    authors: str = ""
    date: str = ""
    where: str = ""
    address: str = ""
    abstract: str = ""
    note: str = ""
    keywords: str = ""
    files: tuple[tuple[str, str], ...] = ()

    def text(self) -> str:
        """A heading, and a paragraph each for who, where and when, the abstract and the notes."""
        who = f"{self.authors} ({self.date})" if self.authors and self.date else self.authors or self.date
        line = ". ".join(part.rstrip(".") for part in (who, self.where, self.address) if part)
        tags = f"Keywords: {self.keywords}" if self.keywords else ""
        parts = (f"## {self.title or self.key}", line and line + ".", self.abstract, self.note, tags)
        return "\n\n".join(part for part in parts if part)

    def about(self, name: str, first: bool) -> About:
        """What the entry says of one of its files. Only the first bears the title alone."""
        title = self.title if first or not self.title else f"{self.title} ({name})"
        told = about(author=self.authors, published_in=self.where, address=self.address, reference=self.key)
        return About(title=title or None, date=self.date if len(self.date) == 10 else None, meta=told)


def extraction(document: Document, references: Sequence[Reference], remark: str = "") -> Extraction:
    """The list as one source. `remark` says what is wrong with it."""
    if not references:
        raise NothingToRead(remark or "there are no references in the file")
    blocks = [f"# {document.stem}"]
    room = limits.TEXT
    for reference in references:
        block = clean(reference.text())
        room -= len(block) + 2
        if room < 0:
            remark = "; ".join(filter(None, (remark, "too long: only its beginning was read")))
            break
        blocks.append(block)
    missing, outside = _unread(document, references)
    said = [remark] if remark else []
    said += [f"{missing} of the files that it names are not there"] if missing else []
    said += [f"{outside} of the files that it names lie outside its folder: ingest them by name"] if outside else []
    return Extraction(
        text="\n\n".join(blocks),
        title=document.stem,
        kind="bibliography",
        status="; ".join(said) or "ok",
        meta={"references": str(len(references))},
    )


def files(document: Document, references: Sequence[Reference], cancel: CancelToken) -> Iterator[Document]:
    """The files that the entries name, as far as they lie below the folder of the list: one from elsewhere must not be
    able to have private files read."""
    for reference in references:
        cancel.check()
        for n, (name, path) in enumerate(reference.files):
            file = _located(document, path)
            if file is not None and file.is_file() and _inside(document, file):
                yield Document(str(file), file=file, about=reference.about(name or file.name, n == 0))


def _unread(document: Document, references: Sequence[Reference]) -> tuple[int, int]:
    missing = outside = 0
    for reference in references:
        for _, path in reference.files:
            file = _located(document, path)
            if file is None:
                continue
            if not _inside(document, file):
                outside += 1
            elif not file.is_file():
                missing += 1
    return missing, outside


def _located(document: Document, path: str) -> Path | None:
    """Where a named file would be; None for the list in an archive, whose neighbours are read anyway."""
    if document.file is None or not path or "\0" in path:
        return None
    try:
        return document.file.parent / Path(path)
    except ValueError:
        return None


def _inside(document: Document, file: Path) -> bool:
    assert document.file is not None
    try:
        return file.resolve().is_relative_to(document.file.parent.resolve()) and ".." not in file.parts
    except (OSError, RuntimeError):
        return False


def date_of(year: str, month: str = "", day: str = "") -> str:
    """1858, 1858-08 or 1858-08-16 of parts that may be missing."""
    found = _YEAR.search(year)
    if not found:
        return ""
    told = found.group()
    for part, most in ((month, 12), (day, 31)):
        if not part.isdigit() or not 1 <= int(part) <= most:
            break
        told += f"-{int(part):02}"
    return told
