"""From bytes to clean text, whatever wrote them."""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass

from workstation.content.errors import NothingToRead
from workstation.content.signatures import foreign_kind

# UTF-32 comes before UTF-16: its little-endian mark begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 1 << 16
# A text of Latin letters in UTF-16 is half NUL, all on one side; a text in UTF-8 has none. Anything between is data.
_UTF16_NULS = 0.35
_STRAY_NULS = 0.01
# Tab, newline, form feed, carriage return and escape (terminal logs) occur in text; 2 % of others do not.
_CONTROLS = re.compile(rb"[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_STRAY_CONTROLS = 0.02
_DAMAGED = 0.01  # a UTF-8 file with more bad bytes than this is in another encoding

_NEWLINES = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_TERMINAL = re.compile("\x1b\\[[0-9;?]*[ -/]*[@-~]")
# Characters that are invisible and carry nothing: controls, soft hyphen, byte order mark, non-characters, surrogates.
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\ufeff\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Clean text; `encoding` by name; `damaged` counts the places that could not be decoded (U+FFFD stands there)."""

    text: str
    encoding: str
    damaged: int = 0


def decode(raw: bytes) -> Decoded:
    """Byte order mark, then UTF-16 by its NULs, then UTF-8, then the likeliest legacy encoding.

    Raises NothingToRead when the bytes are not text.
    """
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return _decoded(raw[len(mark) :], name)
    sample = raw[:_SAMPLE]
    if foreign := foreign_kind(sample):
        raise NothingToRead(f"{foreign}, not text")
    if guess := _utf16(sample):
        return _decoded(raw[: len(raw) // 2 * 2], guess)
    if sample.count(0) > _STRAY_NULS * len(sample) or len(_CONTROLS.findall(sample)) > _STRAY_CONTROLS * len(sample):
        raise NothingToRead("a binary file, not text")
    try:
        return Decoded(clean(raw.decode("utf-8")), "utf-8")
    except UnicodeDecodeError:
        pass
    mended = raw.decode("utf-8", errors="replace")
    damaged = mended.count("\ufffd")
    wide = sum(1 for character in mended[:_SAMPLE] if character > "\x7f" and character != "\ufffd")
    if wide > damaged and damaged <= _DAMAGED * len(mended):
        return Decoded(clean(mended), "utf-8", damaged)
    return _decoded(raw, _legacy(raw))


def clean(text: str) -> str:
    """Unix newlines, NFC, nothing invisible. Offsets everywhere in the product count in the result."""
    text = _NEWLINES.sub("\n", text)
    if "\x1b" in text:
        text = _TERMINAL.sub("", text)
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", text))


def _decoded(raw: bytes, encoding: str) -> Decoded:
    text = raw.decode(encoding, errors="replace")
    return Decoded(clean(text), encoding, text.count("\ufffd"))


def _utf16(sample: bytes) -> str | None:
    if len(sample) < 4:
        return None
    even, odd = sample[0::2], sample[1::2]
    if odd.count(0) > _UTF16_NULS * 2 * len(odd) and even.count(0) < _STRAY_NULS * len(even) + 1:
        return "utf-16-le"
    if even.count(0) > _UTF16_NULS * 2 * len(even) and odd.count(0) < _STRAY_NULS * len(odd) + 1:
        return "utf-16-be"
    return None


def _legacy(raw: bytes) -> str:
    from charset_normalizer import from_bytes  # 20 ms, and only for files that are not UTF-8

    best = from_bytes(raw[:_SAMPLE]).best()
    return best.encoding if best is not None else "cp1252"
