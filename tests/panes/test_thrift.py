"""What is sent in fewer bytes is the same picture."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.color import Color
from rich.style import Style

from panes.thrift import _PART, PLAIN, _styled, thrifty

COLOURS = st.sampled_from(["default", "red", "bright_blue", "color(200)", "#123456", "#abcdef"])
FLAGS = st.fixed_dictionaries({name: st.sampled_from([True, None]) for name in ("bold", "dim", "reverse", "underline")})
PIECES = st.tuples(COLOURS, COLOURS, FLAGS, st.sampled_from(["a", "word ", "塔", " ", "\x1b]8;;\x07"]))
MOVES = st.sampled_from(["\x1b[2;80H", "\r\n", "\x1b[?2026h", "\x1b[K", "\x1b[0m"])


def picture(data: str) -> list[tuple[str, object]]:
    """Each character that is drawn with the style that it is drawn in, and every move of the cursor."""
    style, found = PLAIN, list[tuple[str, object]]()
    for part in _PART.finditer(data):
        if part[1] is not None:
            style = _styled(style, part[1])
        elif part[2]:
            found.append((part[2], "move"))
        else:
            found += [(char, (frozenset(style[0]), *style[1:])) for char in part[3]]
    return [*found, ("", (frozenset(style[0]), *style[1:]))]


def drawn(front: str, back: str, flags: dict[str, bool | None], text: str) -> str:
    style = Style(color=Color.parse(front), bgcolor=Color.parse(back), **flags)  # type: ignore[arg-type]
    return style.render(text)


@given(st.lists(PIECES.map(lambda piece: drawn(*piece)) | MOVES, max_size=20))
def test_the_picture_is_the_same_in_no_more_bytes(pieces: list[str]) -> None:
    data = "".join(pieces)
    sent = thrifty(data)
    assert picture(sent) == picture(data)
    assert len(sent) <= len(data)


def test_a_line_of_one_style_is_one_style() -> None:
    part = drawn("#e0e0e0", "#121212", {}, "word ")
    assert thrifty(part * 3) == drawn("#e0e0e0", "#121212", {}, "word " * 3)
    two = drawn("#e0e0e0", "#121212", {}, "a") + drawn("#ffc473", "#121212", {"bold": True}, "b")
    assert thrifty(two) == "\x1b[38;2;224;224;224;48;2;18;18;18ma\x1b[1;38;2;255;196;115mb\x1b[0m"
