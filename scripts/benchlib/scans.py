"""Twenty pages of the sample library's text, printed, spoilt as copiers and scanners spoil them, and read back."""

from __future__ import annotations

import io
import re
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchlib.figures import Figure
from benchlib.here import ROOT
from benchlib.material import Material

TEXTS = ("atlantic-cable.md", "siemens-telegraph.de.md", "bell-rock.md", "telegraphe-chappe.fr.md", "eddystone.md")
ERROR, SPACING = 0.02, 0.98
WIDTH, HEIGHT, MARGIN = 595, 842, 60  # points: A4
GUTTERS = (24, 14)  # between columns: wide, and as narrow as journals have them
LEADING = 1.25


@dataclass(frozen=True, slots=True)
class Spoilt:
    """How a page was printed and scanned. noise: standard deviation of a pixel's brightness, of 255. fade: contrast
    that is left. blur: radius in pixels. jpeg: quality."""

    dots: int
    skew: float
    turned: int
    columns: int
    gutter: int
    noise: float
    fade: float
    blur: float
    jpeg: int
    font: str
    size: float


def ways() -> list[Spoilt]:
    """Twenty, each property in turn: all pairs of the telling ones occur."""
    skews = (0.0, 0.6, -1.1, 1.6, -2.0, 2.0, -0.4)
    turns = (0, 0, 90, 0, 270, 0, 180, 0)
    fonts = (("Times-Roman", 11), ("Helvetica", 9.5), ("Times-Roman", 10), ("Helvetica", 10.5), ("Courier", 9.5))
    grades = ((6, 0.9, 0.0, 85), (14, 0.75, 0.4, 60), (10, 0.6, 0.6, 70))
    return [
        Spoilt(
            (150, 200)[n % 2],
            skews[n % 7],
            turns[n % 8],
            (1, 2, 2, 1)[n % 4],
            GUTTERS[n // 2 % 2],
            *grades[n % 3],
            *fonts[n % 5],
        )
        for n in range(20)
    ]


def measure(material: Material) -> list[Figure]:
    """With the reader that ingest uses."""
    from local_models.page_reader import RapidOcr

    reader = RapidOcr()
    wrong = characters = kept = spaces = 0
    seconds = 0.0
    try:
        for number, way in enumerate(ways()):
            page = typeset(source(number), way)
            with tempfile.TemporaryDirectory() as home:
                picture = Path(home) / "page.jpg"
                picture.write_bytes(scan(page, way, number))
                started = time.perf_counter()
                reading = reader.read(picture)
                seconds += time.perf_counter() - started if number else 0.0  # the first one loads the models
            mine = compared(" ".join(page.lines), " ".join(line.text for line in reading.lines))
            wrong, characters, kept, spaces = (
                a + b for a, b in zip((wrong, characters, kept, spaces), mine, strict=True)
            )
    finally:
        reader.close()
    on = f"{len(ways())} pages, {characters} characters: 150 and 200 dots an inch, skew up to 2, turned, noise, columns"
    return [
        Figure("page images: character error", wrong / characters, "", ERROR, note=on),
        Figure("page images: spaces kept", kept / spaces, "", SPACING, least=True),
        Figure("  page images: seconds a page", seconds / (len(ways()) - 1), "s"),
    ]


@dataclass(frozen=True, slots=True)
class Printed:
    """A page with one line of print for each of `lines`, in reading order."""

    pdf: bytes
    lines: list[str]


def source(first: int) -> str:
    """The samples one after the other, beginning with another each time, without their Markdown and in the characters
    that a PDF's own fonts have."""
    names = TEXTS[first % len(TEXTS) :] + TEXTS[: first % len(TEXTS)]
    parts = ((ROOT / "workstation/sample/library" / name).read_text(encoding="utf-8") for name in names)
    text = re.sub(r"[#*`>|]+", "", "\n\n".join(parts))
    return re.sub(r"[ \t]+", " ", text).encode("cp1252", "ignore").decode("cp1252")


def typeset(text: str, way: Spoilt) -> Printed:
    """As much of the text as fits, under a title that spans the columns; those are justified, as journals have them."""
    title, *paragraphs = [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]
    across = (WIDTH - 2 * MARGIN - way.gutter * (way.columns - 1)) / way.columns
    step = way.size * LEADING
    down = int((HEIGHT - 2 * MARGIN - 40) / step)
    wide = widths(way.font)
    rows = [row for part in paragraphs for row in (*_wrapped(part, across / way.size, wide), ("", 0.0))]
    stream = [f"BT /F1 17 Tf {MARGIN} {HEIGHT - MARGIN} Td ({_escaped(title)}) Tj ET"]
    shown = [title]
    for column in range(way.columns):
        part = rows[column * down : (column + 1) * down]
        left, top = MARGIN + column * (across + way.gutter), HEIGHT - MARGIN - 40
        spread = [spare * way.size if way.columns > 1 else 0.0 for _, spare in part]
        printed = " ".join(f"{gap:.3f} Tw ({_escaped(row)}) Tj T*" for gap, (row, _) in zip(spread, part, strict=True))
        stream.append(f"BT /F1 {way.size} Tf {step} TL {left} {top} Td {printed} ET")
        shown += [row for row, _ in part if row]
    return Printed(_pdf("\n".join(stream).encode("cp1252"), way.font), shown)


def _wrapped(paragraph: str, across: float, wide: dict[str, float]) -> Iterator[tuple[str, float]]:
    """Its lines, each with what every blank must be widened by for the line to be full; the last one with 0. In em."""
    row: list[str] = []
    used = 0.0
    for word in paragraph.split():
        long = sum(wide[character] for character in word)
        if row and used + wide[" "] + long > across:
            yield " ".join(row), (across - used) / max(1, len(row) - 1)
            row, used = [], 0.0
        used += long + (wide[" "] if row else 0.0)
        row.append(word)
    yield " ".join(row), 0.0


@cache
def widths(font: str) -> dict[str, float]:
    """How wide each character is, in em: measured between two bars, since a character's own box is that of its ink."""
    import pypdfium2

    def apart(between: str) -> float:
        content = f"BT /F1 100 Tf 50 400 Td (|{_escaped(between)}|) Tj ET".encode("cp1252")
        page = pypdfium2.PdfDocument(_pdf(content, font))[0].get_textpage()
        first, last = page.get_charbox(0), page.get_charbox(page.count_chars() - 1)
        return float(last[0] - first[0]) / 100

    codes = [*range(32, 127), *range(128, 256)]
    characters = bytes(codes).decode("cp1252", "ignore")
    bar = apart("")
    return {character: apart(character) - bar for character in characters}


def scan(page: Printed, way: Spoilt, seed: int) -> bytes:
    """The page as a JPEG file that a scanner made of a copy."""
    import numpy as np
    import pypdfium2
    from PIL import Image, ImageFilter

    picture: Any = pypdfium2.PdfDocument(page.pdf)[0].render(scale=way.dots / 72, grayscale=True).to_pil()
    picture = picture.rotate(-way.skew, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    if way.turned:
        picture = picture.rotate(way.turned, expand=True)  # counter-clockwise: it has to be turned back clockwise
    if way.blur:
        picture = picture.filter(ImageFilter.GaussianBlur(way.blur))
    random = np.random.default_rng(seed)
    grey = 255 - (255 - np.asarray(picture, np.float64)) * way.fade - 255 * (1 - way.fade) * 0.3
    grey += random.normal(0, way.noise, grey.shape)
    specks = random.random(grey.shape) < 0.0004
    grey[specks] = random.integers(0, 120, int(specks.sum()))
    out = io.BytesIO()
    spoilt = Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8))
    spoilt.save(out, "JPEG", quality=way.jpeg, dpi=(way.dots, way.dots))
    return out.getvalue()


def compared(truth: str, read: str) -> tuple[int, int, int, int]:
    """Edits between them (Levenshtein), characters of the truth, its spaces that stand in what was read, all its
    spaces."""
    import numpy as np

    a, b = np.array([*map(ord, truth)]), np.array([*map(ord, read)])
    places = np.arange(len(b) + 1)
    rows = np.empty((len(a) + 1, len(b) + 1), np.int32)
    rows[0] = places
    for number, character in enumerate(a, 1):
        best = np.minimum(rows[number - 1, 1:] + 1, rows[number - 1, :-1] + (b != character))
        rows[number] = np.minimum.accumulate(np.concatenate(([number], best)) - places) + places
    x, y, kept = len(a), len(b), 0
    while x and y:  # back along one of the cheapest ways
        if rows[x, y] == rows[x - 1, y - 1] + (a[x - 1] != b[y - 1]):
            kept += truth[x - 1] == read[y - 1] == " "
            x, y = x - 1, y - 1
        elif rows[x, y] == rows[x - 1, y] + 1:
            x -= 1
        else:
            y -= 1
    return int(rows[-1, -1]), len(truth), kept, truth.count(" ")


def _escaped(line: str) -> str:
    return re.sub(r"([()\\])", r"\\\1", line)


def _pdf(content: bytes, font: str) -> bytes:
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
        % (WIDTH, HEIGHT),
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/%s/Encoding/WinAnsiEncoding>>" % font.encode(),
    ]
    return (
        b"%PDF-1.7\n"
        + b"".join(b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(objects, 1))
        + (b"trailer\n<</Size 6/Root 1 0 R>>\n%%EOF\n")
    )
