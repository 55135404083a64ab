"""What the tests of this folder are made with."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from local_models.errors import Cancelled
from local_models.protocols import CancelCheck, PassageInput, TextEmbedding, never
from workstation.content.adapters import Adapters, Extraction
from workstation.content.document import Document
from workstation.core.cancel import CancelToken

PDFS = Path(__file__).resolve().parents[2] / "data" / "pdf"
_WORD = re.compile(r"\w+|[^\w\s]")


def read(name: str, data: bytes) -> Extraction:
    return Adapters().extract(Document(name, data=data), CancelToken())


def words(text: str) -> int:
    return len(_WORD.findall(text))


class HashingEmbedder:
    """An embedder without a model: each word has a fixed random vector. `seen` collects the inputs, `windows` how many
    came together."""

    fingerprint = "hashing-1"
    dimension = 32
    window = 250

    def __init__(self) -> None:
        self.seen: list[PassageInput] = []
        self.windows: list[int] = []

    def count_tokens(self, text: str) -> int:
        return words(text)

    def embed_query(self, text: str) -> TextEmbedding:
        found = list(_WORD.finditer(text))
        ids = np.array([zlib.crc32(match.group().lower().encode()) % 30_000 for match in found], dtype=np.int32)
        tokens = np.stack([_vector(int(each), self.dimension) for each in (*ids, 30_001)]).astype(np.float32)
        vector = tokens.sum(axis=0)
        starts = np.array([match.start() for match in found], dtype=np.int32)
        return TextEmbedding((vector / np.linalg.norm(vector)).astype(np.float32), tokens[:-1], ids, starts)

    def embed_passages(
        self, passages: Sequence[PassageInput], cancelled: CancelCheck = never
    ) -> Iterator[TextEmbedding]:
        self.windows.append(len(passages))
        for passage in passages:
            if cancelled():
                raise Cancelled
            self.seen.append(passage)
            yield self.embed_query(passage.text)

    def close(self) -> None:
        return


def _vector(seed: int, dimension: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=dimension)


def pdf(
    *contents: bytes, resources: bytes = b"<</Font<</F1 <</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
) -> bytes:
    """A PDF with one page for each content stream."""
    count = len(contents)
    kids = b" ".join(b"%d 0 R" % (3 + 2 * index) for index in range(count))
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count)]
    for index, content in enumerate(contents):
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources%s>>"
            % (4 + 2 * index, resources)
        )
        objects.append(b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content))
    out, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def lines(*text: str) -> bytes:
    """A content stream that prints these lines below one another."""
    shown = b" ".join(b"(%s) Tj T*" % line.encode("latin-1") for line in text)
    return b"BT /F1 10 Tf 12 TL 50 740 Td " + shown + b" ET"


PROSE = (
    "The harbour was built in 1880 and has been used by fishing boats and by",
    "the ferry ever since. A second quay was added after the storm of 1911.",
)


def picture(*text: str, dots: int = 150) -> Any:
    """The page with these lines as a scanner would see it: a grey Pillow image."""
    import pypdfium2

    page = pypdfium2.PdfDocument(pdf(lines(*text)))[0]
    return page.render(scale=dots / 72, grayscale=True).to_pil()


def png(image: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def scanned(*images: Any) -> bytes:
    """A PDF with a page for each of these pictures."""
    out = io.BytesIO()
    images[0].save(out, "PDF", save_all=True, append_images=images[1:], resolution=150)
    return out.getvalue()
