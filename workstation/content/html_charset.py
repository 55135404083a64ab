"""The encoding of a page: what its bytes show, before what anybody says about them."""

from __future__ import annotations

import codecs
import re

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_META = re.compile(rb"""<meta[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)""", re.I)
_HEAD = 4096  # the standard asks for it within the first 1,024 bytes; pages put it later
# What these names mean on the web (WHATWG Encoding, 4.2): supersets of what they say.
_MEANT = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
_DAMAGED = 0.002  # with more characters that cannot be decoded than this, the page is not in that encoding


def decoded(raw: bytes, declared: str | None) -> str | bytes:
    """The page as text: by its byte order mark, as UTF-8 if it is valid UTF-8, or as the server or the page itself
    says. The bytes as they are when nothing of this holds: then somebody has to guess."""
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(name, errors="replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    meta = _META.search(raw[:_HEAD])
    for stated in (declared, meta.group(1).decode("ascii", "replace") if meta else None):
        if (encoding := _known(stated)) is None:
            continue
        text = raw.decode(encoding, errors="replace")
        if text.count("\ufffd") <= _DAMAGED * len(text):
            return text
    return raw


def _known(stated: str | None) -> str | None:
    try:
        name = codecs.lookup(stated).name if stated else None
    except LookupError:
        return None
    return _MEANT.get(name, name) if name else None
