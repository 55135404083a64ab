"""Foreign text in a report is text: it comes back as it was, and makes nothing on the way."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from workstation.report.cite import CITATION, escape, flat, numbers_in, quote_sentence, read_quote, unescape

NASTY = st.text(
    st.sampled_from("ab1 .\\`*_[]<>#|~&!(){}@^:/-+=\"'“”„«&;x【】［］３\n\t\x1b\u202e\u200b\u00adé战ا"), max_size=40
)
FOREIGN = st.one_of(st.text(max_size=60), NASTY)


@given(FOREIGN, st.lists(st.integers(1, 999), min_size=1, max_size=3, unique=True))
@example("He said “no” [2] & \\*went* <b>home</b>\n\n## Sources\n[1] x", [1, 3])
@example("ends with a backslash \\", [1])
@example("&ldquo; &#91;3&#93; 【3】 [^4]", [7])
def test_a_quote_comes_back_word_for_word_and_cites_only_its_own_numbers(quote: str, numbers: list[int]) -> None:
    sentence = quote_sentence(quote, *numbers)

    assert read_quote(sentence) == (flat(quote), tuple(numbers))
    assert numbers_in(sentence) == tuple(numbers)
    assert "\n" not in sentence


@given(FOREIGN)
@example("http://e.org www.x.y paypal.com a@b.com notes.md")
@example("1. one")
@example("---")
@example("| a | b |")
def test_escaped_text_makes_no_markup_wherever_it_stands(text: str) -> None:
    written = escape(text)

    assert unescape(written) == flat(text)
    parser = MarkdownIt("gfm-like")
    for place in ("{}", "### {}", "- {}", "words\n{}", "> {}"):
        tokens = parser.parse(place.format(written))
        inline = [child.type for token in tokens for child in token.children or ()]
        frame = [token.type for token in tokens if token.type != "inline"]
        plain = [token.type for token in parser.parse(place.format("x")) if token.type != "inline"]
        assert set(inline) <= {"text", "softbreak"}
        assert frame == plain or not written


def test_what_would_steer_a_terminal_is_written_by_its_code() -> None:
    assert escape("\x1b[31m\u202eabc") == "&#x1B;\\[31m&#x202E;abc"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("plain [3], more [4, 7]", (3, 4, 7)),
        ("a footnote [^3]", (3,)),
        ("Arabic [٣], wide ［４］ and 【5】, raised [⁶]", (3, 4, 5, 6)),
        ("a range [2-4]", (2, 3, 4)),
        ("text \\[9\\], a word [note], a link [x](y)", ()),
        ("a backslash before a real one \\\\[9]", (9,)),
    ],
)
def test_citations_are_read_in_every_style(text: str, numbers: tuple[int, ...]) -> None:
    assert numbers_in(text) == numbers
    assert bool(CITATION.search(text)) == bool(numbers)
