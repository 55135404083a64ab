from __future__ import annotations

from workstation.core.messages import LANGUAGES
from workstation.memory.events import Place
from workstation.memory.state import LedgerEntry
from workstation.report.sources import is_line_of, source_line

SCAN = LedgerEntry(
    number=1,
    source=7,
    version="a" * 64,
    title="Minutes",
    path="/docs/scan.pdf",
    kind="pdf",
    language="en",
    date=None,
    origin=None,
    first_read="",
    places=(
        Place(start=0, end=9, page=4, ocr=0.934),
        Place(start=10, end=19, page=4, ocr=0.9199),
        Place(start=50, end=60, page=12),
    ),
)
LINE = "[1] Minutes. pdf, `/docs/scan.pdf`, p. 4 (read from the image, 91 %), 12 (version aaaaaaaa)"


def test_pages_that_were_read_from_their_images_say_so_and_how_surely() -> None:
    assert source_line(SCAN, "en") == LINE


def test_the_line_is_recognised_in_every_language() -> None:
    assert all(is_line_of(source_line(SCAN, language), SCAN) for language in LANGUAGES)


def test_a_line_may_know_other_places_but_must_not_hide_what_was_read_from_an_image() -> None:
    assert is_line_of(LINE.replace("91 %", "93 %"), SCAN)
    assert is_line_of(LINE.replace("12", "12, 13 (read from the image, 70 %)"), SCAN)
    assert is_line_of(LINE.replace(", 12", ""), SCAN)
    assert not is_line_of(LINE.replace(" (read from the image, 91 %)", ""), SCAN)
    assert not is_line_of(LINE.replace("91 %", "99 %"), SCAN)
    assert not is_line_of(LINE.replace("12", "12 (read from the image, 91 %)"), SCAN)
    assert not is_line_of(LINE.replace("91 %", "91 %, a very good book"), SCAN)
