from __future__ import annotations

import io
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from local_models.errors import Cancelled, PictureUnreadable
from local_models.page_gutters import Box, Span, cuts
from local_models.page_layout import Line, in_reading_order
from local_models.page_reader import RapidOcr
from tests.workstation.content.making import PROSE, picture, png


@pytest.fixture(scope="module")
def reader() -> Iterator[RapidOcr]:
    opened = RapidOcr()
    yield opened
    opened.close()


def line(text: str, left: float, top: float, right: float, height: float = 20) -> Line:
    return Line(text, 0.99, left, top, right, top + height)


def read(*lines: Line) -> str:
    return " ".join(found.text for found in in_reading_order(lines))


LEFT = [line(f"l{n}", 100, 100 + 30 * n, 380) for n in range(5)]
RIGHT = [line(f"r{n}", 420, 104 + 30 * n, 700 - 200 * (n == 4)) for n in range(5)]


def test_columns_are_read_one_after_the_other_between_what_spans_them() -> None:
    title, note = line("title", 150, 20, 650, 40), line("note", 100, 300, 700)
    assert read(note, *RIGHT, title, *LEFT) == "title l0 l1 l2 l3 l4 r0 r1 r2 r3 r4 note"


def test_the_last_words_of_a_paragraph_above_columns_stay_in_it() -> None:
    above = [line("one", 100, 0, 700), line("end", 120, 30, 260), line("two", 100, 60, 700)]
    assert read(*RIGHT, *LEFT, *above) == "one end two l0 l1 l2 l3 l4 r0 r1 r2 r3 r4"


def test_a_table_is_read_row_by_row() -> None:
    cells = [
        line(text, left, 30 * n + left / 200, right)
        for n in range(5)
        for text, left, right in ((f"item{n}", 100, 300), (f"{n}.5", 500, 570), (f"{n}.7", 620, 700))
    ]
    assert read(*cells).startswith("item0 0.5 0.7 item1 1.5 1.7 item2")


def test_two_lines_that_were_taken_for_one_are_cut_where_the_columns_part() -> None:
    pairs = [(Box(100, 30 * n, 396, 30 * n + 20, ()), Box(404, 30 * n, 700, 30 * n + 20, ())) for n in range(6)]
    boxes = [box for pair in pairs for box in pair]
    boxes[4:6] = [Box(100, 60, 700, 80, (Span(210, 222), Span(392, 408), Span(600, 611)))]
    assert cuts(boxes) == {4: [Span(392, 408)]}
    assert cuts(boxes[4:5] * 8) == {}  # word spaces, and no column that was seen


def test_a_box_that_is_a_little_too_long_spans_no_columns() -> None:
    left = [line(f"l{n}", 100, 30 * n, 420 if n == 2 else 395) for n in range(10)]
    right = [line(f"r{n}", 390 if n == 3 else 405, 30 * n, 700) for n in range(10)]
    assert read(*right, *left) == "l0 l1 l2 l3 l4 l5 l6 l7 l8 l9 r0 r1 r2 r3 r4 r5 r6 r7 r8 r9"


def test_a_wider_space_and_another_size_begin_a_paragraph() -> None:
    lines = [line("head", 100, 0, 300, 36), *(line(f"a{n}", 100, 60 + 30 * n, 700) for n in range(3))]
    lines += [line(f"b{n}", 100, 190 + 30 * n, 700) for n in range(3)]
    assert [found.text for found in in_reading_order(lines) if found.opens] == ["head", "a0", "b0"]


@pytest.mark.parametrize(("turned", "skew"), [(0, 0.0), (90, 1.5), (180, -1.0), (270, 0.0)])
def test_a_page_is_read_whichever_way_up_it_lies(reader: RapidOcr, tmp_path: Path, turned: int, skew: float) -> None:
    spoilt = picture(*PROSE).rotate(-skew, fillcolor=255, expand=True).rotate(turned, expand=True)
    (tmp_path / "x.png").write_bytes(png(spoilt))
    found = reader.read(tmp_path / "x.png")
    assert " ".join(line.text for line in found.lines) == " ".join(PROSE)
    assert found.turned == turned
    assert found.skew == pytest.approx(skew, abs=0.3)
    assert found.confidence > 0.9
    assert all(0 <= line.box[0] < line.box[2] and line.confidence > 0.8 for line in found.lines)


def test_an_empty_page_has_no_lines(reader: RapidOcr, tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(png(picture()))
    assert reader.read(tmp_path / "x.png").lines == ()


def test_what_defeats_the_reader_is_said_and_the_next_picture_is_read(reader: RapidOcr, tmp_path: Path) -> None:
    from PIL import Image

    bomb = io.BytesIO()
    Image.new("1", (40_000, 40_000)).save(bomb, "PNG")
    (tmp_path / "bomb.png").write_bytes(bomb.getvalue())
    (tmp_path / "half.png").write_bytes(png(picture(*PROSE))[:3000])
    with pytest.raises(PictureUnreadable, match=r"too large: 40000 x 40000 pixels"):
        reader.read(tmp_path / "bomb.png")
    with pytest.raises(PictureUnreadable, match="truncated"):
        reader.read(tmp_path / "half.png")
    assert reader._child._process is not None
    reader._child._process.kill()  # a crash of native code
    (tmp_path / "x.png").write_bytes(png(picture("It goes on.")))
    with pytest.raises(PictureUnreadable, match="broke down"):
        reader.read(tmp_path / "x.png")
    assert [line.text for line in reader.read(tmp_path / "x.png").lines] == ["It goes on."]


def test_being_stopped_ends_the_helper_at_once(reader: RapidOcr, tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(png(picture(*PROSE * 12)))
    stop = threading.Event()
    threading.Timer(1.0, stop.set).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        reader.read(tmp_path / "x.png", cancelled=stop.is_set)
    assert time.monotonic() - started < 30.0
    assert not reader._child.running
