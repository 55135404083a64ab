"""The text and the pictures of PDF pages by PDFium, as a program of its own: JSON lines on stdin and stdout.

    {"path": "/a/file.pdf", "first": 1}  ->  {"page": 1, "text": "..."}  {"page": 2, "text": null}  ...  {"end": true}
    {"path": "/a/file.pdf", "draw": 4, "picture": "/tmp/x.pgm"}  ->  {"dots": 300}  or  {"error": "..."}

PDFium is native code that reads hostile files. Some send it into an endless loop or make it ask for gigabytes; here
that ends one small process, and the page is read another way. Run by path, and imports nothing of this package.
"""

import json
import sys
from pathlib import Path
from typing import Any

MEMORY = 2 << 30  # bytes of address space; honest files need under 200 MB
DOTS = 300.0  # an inch: small print at 200 is read worse, and drawing is not what takes the time
LONGEST = 5000.0  # pixels of the longer side: A3 at 300 dots an inch; a poster is drawn with fewer


def main() -> int:
    sys.addaudithook(_no_network)
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):  # not every system has it
        pass
    try:
        import pypdfium2  # noqa: F401
    except ImportError:
        return 3
    for line in sys.stdin:
        request = json.loads(line)
        if "draw" in request:
            _say(**_draw(request["path"], request["draw"] - 1, request["picture"]))
        else:
            _read(request["path"], request["first"] - 1)
    return 0


def _read(path: str, first: int) -> None:
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(path)
        for index in range(first, len(pdf)):
            _say(page=index + 1, text=_text(pdf, index))
        pdf.close()
    except (pypdfium2.PdfiumError, OSError, MemoryError):
        pass
    _say(end=True)


def _text(pdf: Any, index: int) -> str | None:
    import pypdfium2

    try:
        page = pdf[index]
        text = str(page.get_textpage().get_text_range())
        page.close()
    except (pypdfium2.PdfiumError, MemoryError, UnicodeError):
        return None
    return text


def _no_network(event: str, arguments: tuple[Any, ...]) -> None:
    if event.startswith("socket."):
        raise PermissionError(1, "this program reads PDFs and has no use for a network")


def _draw(path: str, index: int, picture: str) -> dict[str, Any]:
    """The page as a grey picture (PGM: a head, and a byte a pixel), its own rotation applied."""
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(path)
        pdf.init_forms()
        page = pdf[index]
        scale = min(DOTS / 72, LONGEST / max(1.0, *page.get_size()))
        bitmap = page.render(scale=scale, grayscale=True)
        with Path(picture).open("xb") as out:
            out.write(b"P5 %d %d 255\n" % (bitmap.width, bitmap.height))
            pixels = memoryview(bitmap.buffer)
            for row in range(bitmap.height):
                out.write(pixels[row * bitmap.stride : row * bitmap.stride + bitmap.width])
        page.close()
        pdf.close()
    except (pypdfium2.PdfiumError, OSError, MemoryError, ValueError) as error:
        return {"error": f"the page could not be drawn: {' '.join(str(error).split())[:160] or type(error).__name__}"}
    return {"dots": round(72 * scale)}


def _say(**message: object) -> None:
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    sys.exit(main())
