from __future__ import annotations

import pytest

from tests.workstation.content.making import read
from workstation.content.errors import NothingToRead


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Grüße aus Köln".encode(), "Grüße aus Köln"),
        (b"\xef\xbb\xbfwith a mark", "with a mark"),
        ("Ünïcode".encode("utf-16"), "Ünïcode"),
        ("plain letters, two bytes each".encode("utf-16-le"), "plain letters, two bytes each"),
        (b"a\r\nb\rc", "a\nb\nc"),
        (b"one stray \x00 NUL in a longer line of text, as some exports have it." + b" It simply goes on." * 9, None),
        ("Cafe\u0301 and so\u00adft hyphen".encode(), "Café and soft hyphen"),
        (("Die Straße führt über die Brücke. Schöne Grüße. " * 20).encode("cp1252"), None),
        (("Привет, это обычный русский текст в старой кодировке. " * 20).encode("cp1251"), None),
    ],
)
def test_text_is_decoded_whatever_wrote_it(data: bytes, text: str | None) -> None:
    found = read("note.txt", data).text
    assert "\x00" not in found
    assert "\ufffd" not in found
    if text is not None:
        assert found == text
    else:
        assert any(word in found for word in ("stray", "Straße", "обычный"))


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("photo.txt", b"GIF89a" + bytes(200), "GIF"),
        ("data.md", bytes(range(256)) * 40, "binary"),
        ("empty.txt", b"", "empty"),
        ("blank.md", b" \n\n\t\n", "no text"),
        ("paper.dat", b"PK\x03\x04" + bytes(100), "office"),
    ],
)
def test_what_is_no_text_is_refused_by_name(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(NothingToRead, match=reason):
        read(name, data)


def test_front_matter_becomes_title_date_and_author_and_stays_out_of_the_text() -> None:
    source = (
        '---\ntitle: "On Tides"\ndate: 2021-03-04T10:00\nauthor: A. Person\nlang: en-GB\n---\n\n# Another\n\nText.\n'
    )
    found = read("x.md", source.encode())
    assert (found.title, found.date, found.language) == ("On Tides", "2021-03-04", "en")
    assert found.meta["author"] == "A. Person"
    assert found.text.startswith("# Another")


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# The *Normans* in [Sicily](x)\n\nText", "The *Normans* in Sicily"),
        ("Setext\n======\n\nText", "Setext"),
        ("A Line Alone\n\nThen prose that goes on.", "A Line Alone"),
        ("This is simply a sentence.\n\nAnother.", "my notes"),
        ("```\n# not a heading\n```\n# Heading\n", "Heading"),
    ],
)
def test_the_title_is_the_first_heading_else_the_file_name(source: str, title: str) -> None:
    assert read("folder/my_notes.md", source.encode()).title == title
