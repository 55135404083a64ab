"""What a file is, by its first bytes."""

from __future__ import annotations

import re

# (offset, bytes, name in words), for the kinds that people keep beside documents.
_FOREIGN: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"GIF87a", "a GIF image"),
    (0, b"GIF89a", "a GIF image"),
    (0, b"II*\x00", "a TIFF image"),
    (0, b"MM\x00*", "a TIFF image"),
    (0, b"ID3\x02", "an MP3 recording"),
    (0, b"ID3\x03", "an MP3 recording"),
    (0, b"ID3\x04", "an MP3 recording"),
    (0, b"\xff\xfb", "an MP3 recording"),
    (0, b"\xff\xf3", "an MP3 recording"),
    (0, b"OggS\x00", "an Ogg recording"),
    (0, b"fLaC", "a FLAC recording"),
    (4, b"ftyp", "an MP4 file"),
    (0, b"\x1aE\xdf\xa3", "a Matroska or WebM file"),
    (0, b"PK\x03\x04", "a ZIP archive or office document"),
    (0, b"PK\x05\x06", "an empty ZIP archive"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an older office document"),
    (0, b"{\\rtf", "an RTF document"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (4, b"1AY&SY", "a bzip2 archive"),
    (0, b"\xfd7zXZ\x00", "an xz archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"SQLite format 3\x00", "an SQLite database"),
    (0, b"\x7fELF", "a program"),
    (0, b"MZ\x90\x00", "a Windows program"),
    (0, b"GGUF\x03\x00", "a model file"),
    (0, b"\x00asm", "a WebAssembly program"),
    (0, b"wOFF\x00\x01\x00\x00", "a font"),
    (0, b"wOF2\x00\x01\x00\x00", "a font"),
)

_RIFF = {b"WEBP": "a WebP image", b"WAVE": "a WAV recording", b"AVI ": "an AVI video"}

_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")

_PDF = re.compile(rb"%PDF-\d\.\d")
_OPENING = re.compile(rb"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]", re.I | re.S)
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def foreign_kind(head: bytes) -> str | None:
    """The name of a known format that is not text, or None."""
    for offset, magic, name in _FOREIGN:
        if head.startswith(magic, offset):
            return name
    return _RIFF.get(head[8:12]) if head.startswith(b"RIFF") else None


def is_picture(head: bytes) -> bool:
    """A PNG, JPEG, TIFF or WebP file."""
    return head.startswith(_PICTURES) or (head.startswith(b"RIFF") and head[8:12] == b"WEBP")


def is_pdf(head: bytes) -> bool:
    """A PDF header at the start, or behind junk within the first 1,024 bytes (ISO 32000, annex H.3.4.1) in a file that
    goes on like a PDF."""
    found = _PDF.search(head, 0, 1024)
    if found is None:
        return False
    return found.start() == 0 or re.search(rb"\d+ \d+ obj\b", head[found.end() :]) is not None


def is_html(head: bytes) -> bool:
    """A doctype, html, head or body tag comes first, but for white space, comments and an XML declaration."""
    if head.startswith(_BOMS):
        head = head.replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe")
    return _OPENING.match(head) is not None
