"""Reads pictures of pages, as a program of its own: JSON lines on stdin and stdout.

    {"file": "/a/scan.tif"}               ->  {"count": 3, "date": "2021-05-04"}
    {"file": "/a/scan.tif", "number": 2}  ->  {"lines": [["text", .98, [l, t, r, b], true, []], ...], ...}
    what cannot be read                   ->  {"error": "..."}

It holds 0.5 GB while it works, and ends when nobody has asked for IDLE seconds.
"""

from __future__ import annotations

import json
import os
import select
import sys
from datetime import date
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from local_models.page_engine import Engine, Image

IDLE = 30.0  # seconds; it takes 2 to start again
MEMORY = 4 << 30  # bytes of address space; a page takes 1.4 GB, most of it only reserved, the largest picture 2 more
MOST_PIXELS = 120_000_000  # of one picture, once decoded: A2 at 450 dots an inch, 360 MB in colour
LONGEST = 6_000  # pixels of the longer side that are kept: print of 8 points on A2 is then 40 high
MOST_PICTURES = 5_000
NOT_INSTALLED = 3  # exit status
_EXIF, _TAKEN, _CHANGED = 0x8769, 0x9003, 0x0132


def main() -> int:
    _bound()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # native libraries print to fd 1
    try:
        from local_models.page_engine import Engine
    except ImportError:
        return NOT_INSTALLED
    engine: Engine | None = None
    while line := _next(sys.stdin.buffer):
        request = json.loads(line)
        try:
            if "number" in request:
                engine = engine or Engine()
                reply = _read(engine, request["file"], request["number"])
            else:
                reply = _describe(request["file"])
        except MemoryError:
            return 1  # what is left of the heap is worth nothing
        except Exception as error:  # Pillow raises many kinds for damaged files
            reply = {"error": " ".join(str(error).split())[:160] or type(error).__name__}
        answers.write(json.dumps(reply) + "\n")
        answers.flush()
    return 0


def _bound() -> None:
    """Limits on memory, and no connections: a library that looks for an update is refused."""

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event in ("socket.connect", "socket.getaddrinfo"):
            raise PermissionError("no connection is made from here")

    sys.addaudithook(refuse)
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):  # not every system has it
        pass


def _next(requests: IO[bytes]) -> bytes:
    """The next request; none at the end, or when nobody asks any more. One request is answered before the next is
    sent, so that none lies in the buffer."""
    return requests.readline() if select.select([requests], [], [], IDLE)[0] else b""


def _describe(file: str) -> dict[str, Any]:
    with _open(file) as picture:
        count = getattr(picture, "n_frames", 1) if picture.format == "TIFF" else 1  # elsewhere frames move
        exif = picture.getexif()
        return {"count": min(count, MOST_PICTURES), "date": _day(exif.get_ifd(_EXIF).get(_TAKEN) or exif.get(_CHANGED))}


def _read(engine: Engine, file: str, number: int) -> dict[str, Any]:
    reading = engine.read(_decoded(file, number))
    return {
        "lines": [[line.text, line.confidence, line.box, line.opens, line.doubtful] for line in reading.lines],
        "confidence": reading.confidence,
        "unread": reading.unread,
        "turned": reading.turned,
        "skew": reading.skew,
    }


def _open(file: str) -> Any:
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # checked here, before anything is decoded
    picture = Image.open(file, formats=("PNG", "JPEG", "TIFF", "WEBP", "PPM", "MPO"))
    _check(picture)
    return picture


def _check(picture: Any) -> None:
    if picture.width * picture.height > MOST_PIXELS:
        limit = MOST_PIXELS // 1_000_000
        raise ValueError(f"too large: {picture.width} x {picture.height} pixels (the limit is {limit} million)")


def _decoded(file: str, number: int) -> Image:
    """One picture as the camera or the scanner meant it: upright, without transparency, 8 bits a colour."""
    import numpy as np
    from PIL import Image, ImageOps

    with _open(file) as picture:
        picture.seek(number - 1)
        _check(picture)
        picture.draft("RGB", (LONGEST, LONGEST))  # a JPEG is decoded smaller, which costs less than to shrink it
        picture.load()
        seen = ImageOps.exif_transpose(picture)
        if seen.mode.startswith(("I", "F")):  # 16 bits and more: stretched to what is there
            values = np.asarray(seen, np.float64)
            low, high = float(values.min()), float(values.max())
            seen = Image.fromarray(((values - low) / max(high - low, 1e-9) * 255).astype(np.uint8))
        if "A" in seen.mode or "transparency" in seen.info:
            seen = seen.convert("RGBA")
            paper = Image.new("RGBA", seen.size, "white")
            seen = Image.alpha_composite(paper, seen)
        seen = seen.convert("RGB")
        seen.thumbnail((LONGEST, LONGEST), reducing_gap=2.0)
        return np.ascontiguousarray(np.asarray(seen)[:, :, ::-1])  # OpenCV has blue first


def _day(stamp: object) -> str | None:
    """The ISO date of an EXIF time, "2021:05:04 10:20:30"."""
    try:
        return date.fromisoformat(str(stamp)[:10].replace(":", "-")).isoformat()
    except ValueError:
        return None


if __name__ == "__main__":
    sys.exit(main())
