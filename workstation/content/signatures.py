"""What a file is, by its first bytes."""

from __future__ import annotations

import re
import zlib

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

# Recordings. "ftyp" opens still images as well (HEIF, AVIF, Canon raw): their brands stand beside.
_MEDIA = (
    *(b"ID3\x02", b"ID3\x03", b"ID3\x04", b"\xff\xfb", b"\xff\xf3"),  # MP3
    *(b"OggS\x00", b"fLaC", b"wvpk", b"caff\x00", b".snd\x00", b"#!AMR"),
    *(b"\x1aE\xdf\xa3", b"FLV\x01", b"\x00\x00\x01\xba"),  # Matroska, WebM; Flash; MPEG program stream
    b"0&\xb2u\x8ef\xcf\x11",  # ASF: WMA, WMV
)
_STILL = (b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis", b"crx ")
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")

_PDF = re.compile(rb"%PDF-\d\.\d")
_OPENING = re.compile(rb"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]", re.I | re.S)
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


_BOOKMARKS = re.compile(rb"\s*<!doctype\s+netscape-bookmark-file", re.I)
_FIELDS = re.compile(
    rb"(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n(?:[ \t][^\n]*\n)*)+"
)  # header lines, with their continuations
_MAILBOX = re.compile(rb"From \S+ [^\n]*\d\d:\d\d[^\n]*\n>?[A-Za-z][A-Za-z0-9-]*:")
_REFERENCE = re.compile(
    rb'"type"\s*:\s*"(?:article(?:-journal|-magazine|-newspaper)?|book|chapter|paper-conference|report|thesis|webpage|'
    rb'post(?:-weblog)?|manuscript|legislation|legal_case|document|dataset|entry(?:-\w+)?|patent|interview|speech)"'
)
_ZIM = b"ZIM\x04"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


def foreign_kind(head: bytes) -> str | None:
    """The name of a known format that is not text, or None."""
    for offset, magic, name in _FOREIGN:
        if head.startswith(magic, offset):
            return name
    return _RIFF.get(head[8:12]) if head.startswith(b"RIFF") else None


def is_media(head: bytes) -> bool:
    """Sound or video, by signatures that nothing else has; the name decides where a format has none."""
    if head.startswith(b"RIFF"):
        return head[8:12] in (b"WAVE", b"AVI ")
    if head.startswith(b"FORM"):
        return head[8:12] in (b"AIFF", b"AIFC")
    if head.startswith(b"ftyp", 4):
        return head[8:12] not in _STILL
    return head.startswith(_MEDIA)


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


def is_bookmarks(head: bytes) -> bool:
    """What every browser exports its bookmarks as."""
    return _BOOKMARKS.match(head.removeprefix(_BOMS[0])) is not None


def is_rtf(head: bytes) -> bool:
    return head.startswith(b"{\\rtf")


def is_zip(head: bytes) -> bool:
    return head.startswith(_ZIP)


def is_zim(head: bytes) -> bool:
    return head.startswith(_ZIM)


def is_warc(head: bytes) -> bool:
    """A web archive, compressed or not."""
    if head.startswith(b"\x1f\x8b"):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, 16)
        except zlib.error:
            return False
    return head.startswith((b"WARC/", b"filedesc://"))


def is_mailbox(head: bytes) -> bool:
    """Messages one after the other, each behind a line "From sender date"."""
    return _MAILBOX.match(head) is not None


def is_mail(head: bytes) -> bool:
    """Header lines come first, and among them those that a post office adds or every message has."""
    fields = _fields(head)
    return b"\nmessage-id:" in fields and (b"\nfrom:" in fields or b"\nreceived:" in fields) and not is_mhtml(head)


def is_mhtml(head: bytes) -> bool:
    """A page with its pictures in one file, as browsers save it."""
    fields = _fields(head)
    if b"\ncontent-type: multipart/related" not in fields:
        return False
    return b"\nsnapshot-content-location:" in fields or b"saved by" in fields or b"text/html" in fields


def is_references(head: bytes) -> bool:
    """A list of references in CSL-JSON, as reference managers export it."""
    start = head.removeprefix(_BOMS[0]).lstrip()
    return (
        start[:1] == b"["
        and start[1:].lstrip()[:1] == b"{"
        and b'"type"' in head
        and _REFERENCE.search(head) is not None
    )


def _fields(head: bytes) -> bytes:
    found = _FIELDS.match(head.replace(b"\r\n", b"\n"))
    return b"\n" + found.group().lower() if found else b""
