from __future__ import annotations

import io
import logging
from collections import Counter

import pytest

from tests.workstation.content.making import PDFS, lines, pdf, read
from workstation.content import pdf_text
from workstation.content.adapters import Extraction
from workstation.content.errors import Unreadable
from workstation.content.pages import INSTALL

PROSE = (
    "The harbour was built in 1880 and has been used by fishing boats and by the ferry ever",
    "since. A second quay was added after the storm of 1911, when half of the fleet was destr-",
    "oyed in one night.",
    "In winter the water freezes.",
)


def stored(name: str) -> Extraction:
    return read(name, (PDFS / name).read_bytes())


def states(found: Extraction) -> Counter[str]:
    return Counter(page.state for page in found.pages)


@pytest.mark.parametrize(
    ("name", "ledger", "status"),
    [
        ("multicolumn.pdf", {"text": 3}, "ok"),
        ("libreoffice-form.pdf", {"text": 1}, "ok"),
        ("habibi.pdf", {"text": 1}, "ok"),
        ("trivial.pdf", {"blank": 1}, "no text: every page is blank"),
        ("imagemagick-CCITTFaxDecode.pdf", {"needs_ocr": 1}, f"no text: the page needs OCR ({INSTALL})"),
    ],
)
def test_every_page_is_accounted_for(name: str, ledger: dict[str, int], status: str) -> None:
    found = stored(name)
    assert states(found) == ledger
    assert found.status == status


def test_a_broken_page_is_said_and_the_others_are_read() -> None:
    found = stored("content-stream-errors.pdf")
    assert states(found)["text"] == 3
    assert found.pages[2].state in ("failed", "needs_ocr")
    assert found.status.startswith("partly read: of 4 pages 1")


def test_columns_are_read_one_after_the_other_in_whole_words() -> None:
    text = stored("multicolumn.pdf").text
    assert "consectetuer adipiscing elit. Ut purus elit" in text
    assert "Maecenas lacinia. Nam ipsum ligula" in text
    assert "two columns filled with Lorem Ipsum text." in text


def test_arabic_is_read_in_the_order_of_reading() -> None:
    assert "حَبيبي" in stored("habibi.pdf").text


def test_the_values_in_a_form_are_read() -> None:
    assert "First Name: Alice" in stored("libreoffice-form.pdf").text


def test_lines_become_paragraphs_and_hyphens_at_line_ends_go() -> None:
    text = read("x.pdf", pdf(lines(*PROSE))).text
    assert "by the ferry ever since. A second quay" in text
    assert "was destroyed in one night.\n\nIn winter" in text


def test_page_offsets_are_exact_and_running_heads_stand_once() -> None:
    contents = [lines("Annual report of the harbour", *PROSE, f"Closing word {word}.", str(number))
                for number, word in enumerate(("alpha", "beta", "gamma", "delta"), 1)]  # fmt: skip
    found = read("x.pdf", pdf(*contents))
    for page, word in zip(found.pages, ("alpha", "beta", "gamma", "delta"), strict=True):
        assert f"Closing word {word}." in found.text[page.start : page.end]
    assert found.text.count("Annual report of the harbour") == 1
    assert not found.text.rstrip().endswith("4")


def test_a_drawing_without_text_needs_ocr_and_a_lone_rule_does_not() -> None:
    drawn = b" ".join(b"%d 0 m 10 10 l S" % number for number in range(40))
    assert [page.state for page in read("x.pdf", pdf(drawn, b"0 0 m 10 10 l S")).pages] == ["needs_ocr", "blank"]


def encrypted(user: str) -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(lines(*PROSE)))))
    writer.encrypt(user, "owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_a_file_that_anyone_may_open_is_read_and_a_locked_one_says_so() -> None:
    assert "In winter" in read("x.pdf", encrypted("")).text
    with pytest.raises(Unreadable, match="encrypted"):
        read("x.pdf", encrypted("secret"))


@pytest.mark.parametrize("data", [b"%PDF-1.4\n%%EOF", b"%PDF-1.7\n" + bytes(range(256)) * 50, pdf(lines("x"))[:-200]])
def test_a_broken_file_is_unreadable_and_nothing_is_printed(data: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    logging.getLogger().handlers.clear()
    with pytest.raises(Unreadable):
        read("x.pdf", data)
    assert capfd.readouterr() == ("", "")


def test_a_header_behind_junk_is_still_a_pdf() -> None:
    assert read("mail.bin", b"X-Mailer: none\r\n\r\n" + pdf(lines(*PROSE))).kind == "pdf"


def test_a_file_that_never_ends_in_pdfium_costs_one_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_text, "PAGE_SECONDS", 1.0)
    loop = pdf(b"/X Do " * 50, lines(*PROSE)).replace(b"<</Font", b"<</XObject<</X 4 0 R>>/Font", 1)
    loop = loop.replace(
        b"<</Length 300>>", b"<</Length 300/Type/XObject/Subtype/Form/Resources<</XObject<</X 4 0 R>>>>>>"
    )
    found = read("x.pdf", loop)
    assert len(found.pages) == 2


def test_without_pdfium_pypdf_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_text.TEXTS, "_missing", True)
    assert "by the ferry ever since. A second quay" in read("x.pdf", pdf(lines(*PROSE))).text
