"""Foreign text (quotes, titles, file names, model output) on its way to a terminal: text, never commands."""

from __future__ import annotations

import re

# What can steer a terminal or reorder or hide text: C0 and C1 controls and DEL (escape sequences start with one of
# them), bidirectional marks and overrides, line and paragraph separators, the invisible tag block that can smuggle
# instructions, and lone surrogates (undecodable bytes of a file name), which no terminal can encode.
_ACTIVE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)


def printable(text: str, *, keep: str = "\n\t") -> str:
    """`text` with control characters made visible and inert; those in `keep` stay as they are.

    C0 controls become their pictures (ESC is shown as ␛), everything else its code point (<U+202E>).
    """
    return _ACTIVE.sub(lambda found: found[0] if found[0] in keep else _picture(found[0]), text)


def one_line(text: str, width: int | None = None) -> str:
    """`text` printable on a single line, white space collapsed; cut to `width` characters with an ellipsis."""
    flat = printable(" ".join(text.split()), keep="")
    return flat if width is None or len(flat) <= width else flat[: max(0, width - 1)] + "…"


def find_words(words: str, text: str, near: int = 0) -> tuple[int, int] | None:
    """Where words stand in a text, in this order whatever the white space between them; of several places the one
    whose start is closest to `near`."""
    parts = words.split()
    if not parts:
        return None
    found = [match.span() for match in re.finditer(r"\s+".join(map(re.escape, parts)), text)]
    return min(found, key=lambda span: abs(span[0] - near), default=None)


def _picture(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xDC80 <= code <= 0xDCFF:  # os.fsdecode's stand-in for one undecodable byte
        return f"<{code - 0xDC00:02X}>"
    return f"<U+{code:04X}>"
