"""An image of one page of a source, drawn by the PDF helper, kept where it can be made again, and opened outside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from storage.library import Library
from workstation.commands.open import NoOriginal, show_file
from workstation.core.cancel import CancelToken
from workstation.errors import FloriError
from workstation.paths import cache_dir, private_folder


class NoPicture(FloriError):
    title = "There is no image of this page"
    hint = "Press o to open the original itself"
    exit_code = 3


def show_page(library: Library, source: int, version: str | None, page: int) -> dict[str, Any]:
    """{program, file}. Raises NoPicture where a page has no looks (a web page, a recording), NoOriginal, NoOpener."""
    return show_file(page_picture(library, source, version, page, cache_dir() / "pages"))


def page_picture(library: Library, source: int, version: str | None, page: int, folder: Path) -> Path:
    """The file that shows page `page` (from 1): for an image the original itself, for a PDF a drawing in `folder`."""
    found = library.source(source)
    original = library.original(source, version)
    if original is None:
        original = Path(found.path)
    if not original.is_file():
        raise NoOriginal(f"source {source}: {found.path}")
    if found.kind == "image":
        there = Path(found.path)
        return there if there.is_file() and version in (None, found.version) else original  # its name says what it is
    if found.kind != "pdf":
        raise NoPicture(f"{found.title}: a source of the kind {found.kind} has no pages that look like something")
    digest = (version or found.version).partition("#")[0]
    picture = private_folder(folder) / f"{digest[:16]}-{page}.png"
    if not picture.is_file():
        _draw(original, page, picture)
    return picture


def _draw(file: Path, page: int, picture: Path) -> None:
    import tempfile

    from workstation.content.pdf_text import TEXTS

    with tempfile.TemporaryDirectory(prefix="flori-page-", dir=picture.parent) as folder:
        drawn = Path(folder) / "page.pgm"
        if hindrance := TEXTS.draw(file, page, drawn, CancelToken()):
            raise NoPicture(hindrance)
        _as_png(drawn, Path(folder) / "page.png").replace(picture)


def _as_png(drawn: Path, wanted: Path) -> Path:
    """A PNG of a grey PGM: a tenth of its size, and every viewer knows it."""
    import struct
    import zlib

    data = drawn.read_bytes()
    head, pixels = data.split(b"\n", 1)
    width, height = (int(number) for number in head.split()[1:3])
    rows = b"".join(b"\0" + pixels[at * width : (at + 1) * width] for at in range(height))

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    wanted.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b"")
    )
    return wanted
