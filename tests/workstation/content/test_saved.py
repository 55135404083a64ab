"""What people already saved: each file gives its sentence, under its title, with where it stands."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from storage.library import Library
from tests.workstation.content import saving
from tests.workstation.content.making import HashingEmbedder, lines, pdf, read
from tests.workstation.content.saving import CSV, NOTE, PAGE, RTF, SENTENCE, mbox, message, packed, warc
from workstation.content.errors import ReaderMissing
from workstation.content.ingest import IngestCancelled, ingest
from workstation.content.results import IngestResult, Progress
from workstation.core.cancel import CancelToken

WRITER = "Ann Keeper <ann@example.org>"


@pytest.mark.parametrize(
    ("name", "data", "kind", "title", "date", "author", "above"),
    [
        ("a.docx", saving.docx, "document", "Lamp rules", "2021-03-04", "Ann Keeper", "# The lantern\n\n"),
        ("a.pptx", saving.pptx, "slides", "Lamp rules", ..., "Ann Keeper", "## The lantern\n\n- "),
        ("a.xlsx", saving.xlsx, "table", "Lamp rules", ..., "Ann Keeper", "| Year | Rule | Share |\n"),
        ("a.odt", saving.odt, "document", "Lamp rules", ..., "Ann Keeper", "# The lantern\n\n"),
        ("a.rtf", RTF.encode, "document", "Lamp rules", "2021-03-04", "Ann Keeper", "The Lantern\n\n"),
        ("a.epub", saving.epub, "book", "Lamp rules", "2021-03-04", "Ann Keeper", "# The lantern\n\n"),
        ("a.eml", message().as_bytes, "mail", "Lamp rules", "2021-03-04", WRITER, "<bob@example.org>\n\n"),
        ("a.mhtml", saving.mhtml, "html", "Lamp rules", ..., None, "## The lantern\n\n"),
        ("a.html", saving.singlefile, "html", "Lamp rules", ..., None, "## The lantern\n\n"),
        ("a.ipynb", saving.notebook, "notebook", "Lamp rules", None, None, "## The lantern\n\n"),
        ("b.html", saving.BOOKMARKS.encode, "bookmarks", "Lamp rules", "2021-03-04", None, "## The lantern\n\n- "),
        ("lamp_rules.csv", CSV.encode, "table", "lamp rules", None, None, "| Year | Rule | Oil |\n"),
        ("a.bib", saving.BIBTEX.encode, "bibliography", "a", None, None, "(2021-03-04). Lights. doi:10.1/lamps.\n\n"),
        ("a.json", saving.CSL.encode, "bibliography", "a", None, None, "## Lamp rules\n\nAnn Keeper (2021-03-04).\n\n"),
        ("a.md", NOTE.encode, "note", "Lamp rules: the first draft", "2021-03-04", None, "# The lantern\n\n"),
    ],
)  # fmt: skip
def test_this_file_gives_this_sentence_under_this_title(
    name: str, data: object, kind: str, title: str, date: object, author: str | None, above: str
) -> None:
    found = read(name, data())  # type: ignore[operator]
    assert (found.kind, found.title, found.meta.get("author")) == (kind, title, author)
    assert date is ... or found.date == date
    before, sentence, _ = found.text.partition(SENTENCE)
    assert sentence
    assert above in before + sentence
    assert before[before.rindex(above) :].count("\n\n") <= 2  # nothing else stands between


def test_details_of_formats() -> None:
    assert "| Oil | 40 gallons |" in read("a.docx", saving.docx()).text
    changed = read("a.docx", saving.docx_with_changes()).text
    assert "The fee is twenty pounds." in changed
    assert "Signed by the keeper." in changed
    slides = read("a.pptx", saving.pptx())
    assert [slides.text[p.start : p.end].split("\n")[0] for p in slides.pages] == ["## Welcome", "## The lantern"]
    assert "Say it slowly." in slides.text
    assert "| 1850 | " + SENTENCE + " | 25.0% |" in read("a.xlsx", saving.xlsx()).text
    assert "Grüße." in read("a.rtf", RTF.encode()).text
    book = read("a.epub", saving.epub())
    assert book.language == "en"
    assert book.text.startswith("# Before\n\nSome words.\n\n1. One\n2. Two\n\n# The lantern")
    assert "| Oil | 40 |" in book.text
    saved = read("a.html", saving.singlefile())
    assert saved.origin == read("a.mhtml", saving.mhtml()).origin == "https://example.org/lamps"
    assert len(saved.text) < 2000
    assert "```\n42\n```" in read("a.ipynb", saving.notebook()).text
    links = read("b.html", saving.BOOKMARKS.encode()).text
    assert f"- {SENTENCE} <https://example.org/wick> [light, oil], 2021-03-04: The page on wicks" in links
    assert "alert" not in links
    note = read("a.md", NOTE.encode())
    assert note.meta["tags"] == "light, oil"
    assert "See the other note, Glass > Cleaning." in note.text
    assert "[[ -f lamp ]]" in note.text


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library.open(tmp_path / "library", write=True, create=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "saved").mkdir()
    return tmp_path / "saved"


def run(library: Library, *paths: Path, embedder: HashingEmbedder | None = None, **more: object) -> IngestResult:
    return ingest(paths, library, embedder or HashingEmbedder(), cancel=CancelToken(), **more)  # type: ignore[arg-type]


def test_the_passage_of_a_table_knows_its_columns_and_its_rows(library: Library, folder: Path) -> None:
    (folder / "rules.csv").write_text(CSV)
    passages = library.passages_of(run(library, folder).sources[0].source)
    assert len(passages) > 5
    assert all("| Year | Rule | Oil |" in passage.text for passage in passages)
    assert any(p.locator.heading.startswith("rules, rows") and SENTENCE in p.text for p in passages)  # type: ignore[union-attr]


def test_a_message_and_its_attachments_are_sources_of_their_own(library: Library, folder: Path) -> None:
    inner = message("Inner", "The forwarded words.", plan_txt=b"The plan in the forwarded message.")
    mail = message(report_pdf=pdf(lines("The attached report.")), report_docx=saving.docx())
    mail.add_attachment(inner)
    (folder / "a.eml").write_bytes(bytes(mail))
    result = run(library, folder)
    path = str(folder / "a.eml")
    assert {entry.path: entry.kind for entry in result.sources} == {
        path: "mail",
        f"{path}!/report.pdf": "pdf",
        f"{path}!/report.docx": "document",
        f"{path}!/message 3.eml": "mail",
        f"{path}!/message 3.eml!/plan.txt": "text",
    }
    report = library.source_at(f"{path}!/report.pdf")
    assert report is not None
    assert library.text(report.id) == "The attached report."
    assert library.source_meta(report.id)["attached_to"] == "Lamp rules"
    assert library.original(report.id).read_bytes().startswith(b"%PDF")  # type: ignore[union-attr]


def test_a_mailbox_is_read_once_and_what_is_gone_from_it_is_said(library: Library, folder: Path) -> None:
    box = folder / "Inbox"
    mails = [message(f"Number {n}", f"Words of message {n}.") for n in range(3)]
    box.write_bytes(mbox(*mails))
    first = run(library, folder)
    assert [entry.title for entry in first.sources] == ["Number 0", "Number 1", "Number 2", "Inbox"]
    assert first.sources[0].path == f"{box}!/Number.0@example.org"
    assert library.source_meta(first.sources[-1].source)["parts"] == "3"
    again = HashingEmbedder()
    assert run(library, folder, embedder=again).count("unchanged") == 4
    assert again.seen == []
    box.write_bytes(mbox(mails[2], message("Number 3", "The latest words.")))
    changed = run(library, folder, embedder=again)
    assert [(e.title, e.change) for e in changed.sources] == [
        ("Number 2", "unchanged"), ("Number 3", "added"), ("Inbox", "updated")
    ]  # fmt: skip
    assert len(again.seen) == 1
    assert changed.vanished == [f"{box}!/Number.0@example.org", f"{box}!/Number.1@example.org"]
    library.remove(changed.sources[0].source)
    unchanged = run(library, folder)
    assert [entry.title for entry in unchanged.sources] == ["Number 3", "Inbox"]
    assert library.source(first.sources[0].source).status == "vanished"
    data = box.read_bytes()
    box.unlink()
    assert len(run(library, folder).vanished) == 4
    box.write_bytes(data + b"\n")
    assert f"flori sources restore {changed.sources[0].source} " in run(library, folder).skipped[0].reason


def test_stopped_in_a_mailbox_the_next_run_goes_on_there(library: Library, folder: Path) -> None:
    (folder / "a.mbox").write_bytes(mbox(*(message(f"N {n}", f"Words {n}. " * 300) for n in range(30))))
    cancel = CancelToken()

    def stop(progress: Progress) -> None:
        if progress.files_done:
            cancel.cancel()

    with pytest.raises(IngestCancelled):
        ingest([folder], library, HashingEmbedder(), cancel=cancel, progress=stop)
    done = len(library.sources())
    assert 0 < done < 30
    result = run(library, folder)
    assert (result.count("unchanged"), result.count("added")) == (done, 31 - done)


def test_archives_give_their_pages_with_their_addresses(library: Library, folder: Path) -> None:
    page = PAGE.encode()
    again = page.replace(b"every four hours", b"every five hours")
    data = warc(
        ("https://example.org/a?b=1", "text/html; charset=utf-8", page),
        ("https://example.org/x.png", "image/png", b"\x89PNG"),
        ("https://example.org/a?b=1", "text/html", page),
        ("https://example.org/a?b=1", "text/html", again),
        ("https://example.org/report", "application/pdf", pdf(lines("A report."))),
    )
    (folder / "a.warc.gz").write_bytes(data)
    (folder / "b.wacz").write_bytes(packed({"datapackage.json": "{}", "archive/data.warc.gz": data}))
    (folder / "c.zim").write_bytes(saving.ZIM.read_bytes())
    (folder / "d.zip").write_bytes(packed({"notes/one.md": NOTE, "two.docx": saving.docx(), "__MACOSX/x.md": "x"}))
    result = run(library, folder)
    assert not result.failed
    assert {entry.status for entry in result.sources} == {"ok"}
    paths = {entry.path.removeprefix(str(folder) + "/"): entry for entry in result.sources}
    for archive in ("a.warc.gz", "b.wacz"):
        assert paths.pop(f"{archive}!/https://example.org/report").kind == "pdf"
        assert paths.pop(f"{archive}!/https://example.org/a?b=1 2021-03-04T10:00:03Z").kind == "html"
        source = library.source(paths.pop(f"{archive}!/https://example.org/a?b=1").source)
        assert (source.title, source.origin) == ("Lamp rules", "https://example.org/a?b=1")
        assert SENTENCE in library.text(source.id)
        paths.pop(archive)
    assert {path: (entry.kind, entry.title) for path, entry in paths.items()} == {
        "c.zim!/Fog_signal": ("html", "Fog signal"),
        "c.zim!/Keeper": ("html", "Keeper"),
        "c.zim!/Lamp": ("html", "Lamp"),
        "c.zim": ("archive", "c"),
        "d.zip!/notes/one.md": ("note", "Lamp rules: the first draft"),
        "d.zip!/two.docx": ("document", "Lamp rules"),
        "d.zip": ("archive", "d"),
    }
    lamp = library.source(paths["c.zim!/Lamp"].source)
    assert library.source_meta(lamp.id)["collection"] == "Lights of the coast"


def test_a_reference_names_its_file_and_cannot_have_others_read(library: Library, folder: Path) -> None:
    (folder / "z.bib").write_text(saving.BIBTEX)
    (folder / "files/12").mkdir(parents=True)
    (folder / "files/12/paper.pdf").write_bytes(pdf(lines("What the paper says.")))
    result = run(library, folder / "z.bib")
    paper = library.source_at(str(folder / "files/12/paper.pdf"))
    assert paper is not None
    assert (paper.title, paper.date) == ("Lamp Rules of Müller", "2021-03-04")
    assert library.source_meta(paper.id)["author"] == "Ann Keeper, Jörg Müller"
    assert result.sources[-1].status == (
        "1 of the files that it names are not there; 1 of the files that it names lie outside its folder: "
        "ingest them by name"
    )
    assert len(library.sources()) == 2
    assert [entry.change for entry in run(library, folder).sources] == ["unchanged", "unchanged"]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.zip", saving.bomb, "zeros.txt: it unpacks to .* times its size"),
        ("a.zip", lambda: packed({"../../etc/passwd": "x", "good.md": NOTE}), "etc/passwd: its name leads outside"),
        ("a.zip", lambda: saving.nested(6), "inner.zip: what is inside was not read: it lies 4 containers deep"),
        ("a.docx", saving.entity_bomb, "word/document.xml: it defines XML entities"),
        ("a.xlsx", saving.huge_cell, "sheet1.xml: a text of more than 4 MB"),
        ("a.docx", lambda: saving.docx()[:-400], "damaged: it is no complete ZIP package"),
        ("a.docx", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        ("a.xlsx", lambda: packed({"xl/workbook.xml": "<broken", "[Content_Types].xml": "<x/>"}), "damaged"),
        ("a.epub", lambda: packed({"META-INF/container.xml": "<!DOCTYPE x [<!ENTITY a 'b'>]><x/>"}), "XML entities"),
        ("a.ipynb", lambda: b'{"nbformat": 4, "cells": [' + b"[" * 100_000, "damaged"),
        ("a.csv", lambda: b'a,b\n1,"' + b"x" * 200_000, "a cell of more than"),
        ("a.warc.gz", saving.truncated_gzip, "not read to its end: the archive is damaged"),
        ("a.zim", lambda: b"ZIM\x04" + bytes(200), "the archive is damaged"),
    ],
)  # fmt: skip
def test_damaged_and_hostile_files_end_in_a_status(
    library: Library, folder: Path, name: str, data: object, reason: str
) -> None:
    (folder / name).write_bytes(data())  # type: ignore[operator]
    result = run(library, folder)
    said = [f"{refusal.path}: {refusal.reason}" for refusal in result.failed]
    said += [f"{entry.path}: {entry.status}" for entry in result.sources]
    assert any(re.search(reason, line) for line in said), said


def test_a_missing_reader_is_said_with_the_command_and_asked_for_again(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = saving.docx()
    (folder / "a.eml").write_bytes(bytes(message(rules_docx=word)))
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "docx", None)
        with pytest.raises(ReaderMissing, match=r"Word documents .* pip install 'florilegium\[saved\]'"):
            read("a.docx", word)
        result = run(library, folder)
        assert "pip install 'florilegium[saved]'" in result.skipped[0].reason
    assert [entry.change for entry in run(library, folder).sources] == ["added", "unchanged"]
