"""A fetched page as a document: what the server said about the bytes goes along with them."""

from __future__ import annotations

from workstation.content.document import Document

_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
    "text/markdown": ".md",
}


class WebDocument(Document):
    """Bytes from an address. `encoding` is the one that the server named; `media_type` decides about the reader where
    the bytes themselves do not."""

    def __init__(
        self, url: str, data: bytes, *, origin: str | None = None, media_type: str = "", encoding: str | None = None
    ) -> None:
        super().__init__(url, data=data, origin=origin or url)
        self.encoding = encoding
        suffix = _SUFFIXES.get(media_type)
        if suffix and not self.name.lower().endswith(suffix):
            self.name = (self.name or url.split("/")[2]) + suffix
