"""Sends the terminal fewer bytes for the same picture: a style is only sent where it changes, and only what changes.

Textual closes every piece of text with a reset and opens the next one with its whole style, which is two thirds of all
that is sent. Over a slow line that is the wait for a key.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.driver import Driver

# a style; what moves the cursor and looks the same in every style; everything up to the next of them
_PART = re.compile(r"\x1b\[([0-9;]*)m|(\x1b\[[0-9;]*H|[\r\n]+)|((?:(?!\x1b\[[0-9;]*[mH]|[\r\n]).)+)", re.DOTALL)

Style = tuple[tuple[str, ...], str, str]
"""Attributes, foreground, background, as a terminal is told of them; empty where they are its own."""
PLAIN: Style = ((), "", "")
ENDS = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "7": "27", "8": "28", "9": "29"}
"""What ends an attribute; 22 ends bold and dim alike. All others need a reset."""


def thrifty(data: str) -> str:
    """The same picture in fewer bytes. It begins and ends with the style that `data` does, where that begins plain."""
    has = wanted = PLAIN
    found: list[str] = []
    for part in _PART.finditer(data):
        style, move, text = part.groups()
        if style is not None:
            wanted = _styled(wanted, style)
        elif move:
            found.append(move)
        else:
            if has != wanted:
                found.append(_change(has, wanted))
                has = wanted
            found.append(text)
    return "".join([*found, _change(has, wanted) if has != wanted else ""])


def thrifty_driver(kind: type[Driver]) -> type[Driver]:
    """The driver, with all that it sends made shorter."""

    class Thrifty(kind):  # type: ignore[valid-type,misc]  # the class is only known when the terminal is
        def write(self, data: str) -> None:
            super().write(thrifty(data) if data.count("m") > 1 else data)

    return Thrifty


@lru_cache(4096)
def _styled(style: Style, codes: str) -> Style:
    """A style after these codes."""
    attributes, front, back = style
    given = codes.split(";") if codes else ["0"]
    while given:
        code = given.pop(0) or "0"
        if code == "0":
            attributes, front, back = PLAIN
        elif code in ("38", "48"):
            count = 4 if given[:1] == ["2"] else 2
            colour = ";".join([code, *given[:count]])
            del given[:count]
            front, back = (colour, back) if code == "38" else (front, colour)
        elif code in ("39", "49"):
            front, back = ("", back) if code == "39" else (front, "")
        elif 30 <= int(code) <= 37 or 90 <= int(code) <= 97:
            front = code
        elif 40 <= int(code) <= 47 or 100 <= int(code) <= 107:
            back = code
        elif code in ENDS.values():
            attributes = tuple(known for known in attributes if ENDS.get(known) != code)
        else:
            attributes = (*attributes, code) if code not in attributes else attributes
    return attributes, front, back


@lru_cache(4096)
def _change(before: Style, after: Style) -> str:
    """What brings a terminal from one style to the other: by ending what ends, or by a reset where that is shorter."""
    if after == PLAIN:
        return "\x1b[0m"
    ends = list(dict.fromkeys(ENDS.get(code, "0") for code in before[0] if code not in after[0]))
    ways = [_codes(PLAIN, after, ["0"])]
    if "0" not in ends:
        kept = tuple(code for code in before[0] if ENDS.get(code) not in ends)
        ways.append(_codes((kept, *before[1:]), after, ends))
    return min(ways, key=len)


def _codes(before: Style, after: Style, first: list[str]) -> str:
    """The codes that `after` has beyond `before`, with `first` before them."""
    codes = [*first, *(code for code in after[0] if code not in before[0])]
    codes += [after[1] or "39"] if after[1] != before[1] else []
    codes += [after[2] or "49"] if after[2] != before[2] else []
    return f"\x1b[{';'.join(codes)}m" if codes else ""
