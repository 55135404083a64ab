from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from local_models.errors import PictureUnreadable
from local_models.loader import Loader
from local_models.page_reader import RapidOcr
from local_models.protocols import CancelCheck, PageReading, Pictures, TextLine, never
from storage.library import Library
from tests.conftest import Flori
from tests.workstation.content.making import PROSE, HashingEmbedder, lines, pdf, picture, png, read, scanned
from workstation.content.adapters import Adapters, Extraction
from workstation.content.document import Document
from workstation.content.errors import Unreadable
from workstation.content.ingest import ingest
from workstation.content.page_images import RememberedPages
from workstation.content.results import Progress
from workstation.core.cancel import Cancelled, CancelToken


@pytest.fixture(scope="module")
def model() -> Iterator[RapidOcr]:
    opened = RapidOcr()
    yield opened
    opened.close()


class Seer:
    """A model that reads the same on every picture, and counts."""

    fingerprint = "seer"

    def __init__(self, stop: CancelToken | None = None) -> None:
        self.numbers: list[int] = []
        self._stop = stop

    def pictures(self, file: Path, cancelled: CancelCheck = never) -> Pictures:
        return Pictures(3)

    def read(self, file: Path, number: int = 1, cancelled: CancelCheck = never) -> PageReading:
        assert file.stat().st_size > 0
        self.numbers.append(number)
        if self._stop and len(self.numbers) == 2:
            self._stop.cancel()
        if number == 2:
            raise PictureUnreadable("the picture is damaged")
        text = f"What stands on picture {number} is about whales and costs 1,234 pounds."
        return PageReading((TextLine(text, 0.934, (0, 0, 9, 9), True),), 0.934)

    def close(self) -> None:
        return


def seen(model: RapidOcr | Seer, folder: Path, name: str, data: bytes, cancel: CancelToken | None = None) -> Extraction:
    adapters = Adapters().seeing(RememberedPages(model, folder))
    return adapters.extract(Document(name, data=data), cancel or CancelToken())


def test_scanned_pages_are_read_beside_printed_ones(model: RapidOcr, tmp_path: Path) -> None:
    from pypdf import PdfWriter

    both = PdfWriter()
    scans = scanned(picture(*PROSE).rotate(90, expand=True), picture())
    for part in (pdf(lines("The first page is printed and speaks of trawlers.")), scans):
        both.append(io.BytesIO(part))
    out = io.BytesIO()
    both.write(out)
    found = seen(model, tmp_path, "x.pdf", out.getvalue())
    assert [page.state for page in found.pages] == ["text", "ocr", "blank"]
    second = found.pages[1]
    assert found.text[second.start : second.end] == " ".join(PROSE)
    assert second.confidence is not None
    assert second.confidence > 0.9
    assert found.pages[0].confidence is None
    assert found.status == "ok"


def test_a_photograph_is_a_source_with_its_date(model: RapidOcr, tmp_path: Path) -> None:
    from PIL import Image

    exif = Image.Exif()
    exif[0x0132] = "2021:05:04 10:20:30"
    exif[0x0112] = 6  # the camera was held on its side
    out = io.BytesIO()
    picture("Opening hours of the museum", "", *PROSE).rotate(90, expand=True).save(out, "JPEG", exif=exif)
    found = seen(model, tmp_path, "IMG_2034.jpg", out.getvalue())
    assert (found.kind, found.title, found.date) == ("image", "Opening hours of the museum", "2021-05-04")
    assert " ".join(PROSE) in found.text


def test_figures_that_two_readings_of_an_image_differ_in_are_named_on_its_page(tmp_path: Path) -> None:
    class Doubting(Seer):
        def read(self, file: Path, number: int = 1, cancelled: CancelCheck = never) -> PageReading:
            text = "It cost 1,234 pounds and 17 days."
            return PageReading((TextLine(text, 0.934, (0, 0, 9, 9), True, ("1,234",)),), 0.934)

    for _ in range(2):  # the second time from what is remembered
        found = seen(Doubting(), tmp_path, "x.png", png(picture(*PROSE)))
        assert found.pages[0].note == "two readings of its image differ in 1,234"
        assert found.meta == {"doubtful figures": '{"1": ["1,234"], "2": ["1,234"], "3": ["1,234"]}'}


def test_a_picture_without_print_says_that_it_was_looked_at(model: RapidOcr, tmp_path: Path) -> None:
    found = seen(model, tmp_path, "x.png", png(picture()))
    assert [page.state for page in found.pages] == ["blank"]
    assert found.status == "no text: no print was recognised on the image"
    with pytest.raises(Unreadable):
        seen(model, tmp_path, "x.png", png(picture())[:100])


def test_without_the_extra_pages_wait_and_the_command_that_helps_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("local_models.page_reader.find_spec", lambda name: None)
    assert Loader(Path("/nowhere")).page_reader() is None
    for name, data in (("x.pdf", scanned(picture(*PROSE))), ("x.png", png(picture(*PROSE)))):
        found = read(name, data)
        assert [page.state for page in found.pages] == ["needs_ocr"]
        assert found.status == 'no text: the page needs OCR (pip install "florilegium[ocr]")'


def test_each_page_is_read_once_whatever_stops_the_work(tmp_path: Path) -> None:
    frames = [picture("one"), picture("two"), picture("three")]
    out = io.BytesIO()
    frames[0].save(out, "TIFF", save_all=True, append_images=frames[1:])
    stop = CancelToken()
    with pytest.raises(Cancelled):
        seen(Seer(stop), tmp_path, "x.tif", out.getvalue(), stop)
    again = Seer()
    found = seen(again, tmp_path, "copy.tif", out.getvalue())
    assert again.numbers == [2, 3]
    assert [page.state for page in found.pages] == ["ocr", "failed", "ocr"]
    assert found.pages[1].note == "the image was not read: the picture is damaged"
    assert found.status == "partly read: of 3 pages 1 failed"


def test_what_waited_is_read_once_there_is_a_reader_and_its_quotes_say_where_from(tmp_path: Path) -> None:
    scan = tmp_path / "scan.pdf"
    scan.write_bytes(scanned(*(picture(word) for word in ("one", "two", "three"))))
    told: list[Progress] = []
    with Library.open(tmp_path / "library", write=True, create=True) as library:

        def run(adapters: Adapters) -> tuple[str, int]:
            embedder = HashingEmbedder()
            result = ingest([scan], library, embedder, cancel=CancelToken(), adapters=adapters, progress=told.append)
            return result.sources[0].change, result.sources[0].source

        assert run(Adapters())[0] == "added"
        assert run(Adapters())[0] == "unchanged"
        seeing = Adapters().seeing(RememberedPages(Seer(), library.folder))
        change, source = run(seeing)
        assert change == "updated"
        assert run(seeing)[0] == "unchanged"
        assert dict(library.source(source).pages) == {"ocr": 3}
        for passage in library.passages_of(source):
            assert passage.locator.ocr == 0.934
            assert "costs 1,234 pounds" in passage.text
        library.purge(source)
        assert not [path for path in (library.folder / "readings").rglob("*") if path.is_file()]


@pytest.mark.models
def test_an_answer_from_a_scan_says_so(flori: Flori) -> None:
    picture("Minutes of the harbour board", "", *PROSE).save(flori.home / "minutes.tif")
    taken = flori("--json", "ingest", flori.home / "minutes.tif")
    assert taken.code == 0, taken.err
    assert taken.json["sources"][0]["pages"]["ocr"] == 1
    shown = flori("ask", "When was a second quay added?")
    assert "p. 1 (read from the image, 9" in shown.out
    assert "the storm of 1911" in shown.out
