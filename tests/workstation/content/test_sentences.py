from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workstation.content.blocks import blocks
from workstation.content.sentences import sentences

LANGUAGES = st.sampled_from(["en", "de", "zh", "th", "ar", "und", "xx"])
TEXTS = st.text(st.sampled_from("aAbB 1.!?\n\n\t#-|>*\"'()[]。「」，؟।é\u0301😀"), max_size=200)


def shown(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in sentences(text, language)]


@settings(max_examples=400, deadline=None)
@given(TEXTS, LANGUAGES)
def test_sentences_are_in_order_and_cover_all_that_is_not_white_space(text: str, language: str) -> None:
    for spans in (sentences(text, language), [(b.start, b.end) for b in blocks(text)]):
        last = 0
        for start, end in spans:
            assert last <= start < end
            assert not text[last:start].strip()
            last = end
        assert not text[last:].strip()


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Dr. Smith paid $3.5 million. See Fig. 3. It works.", 3),
        ("en", "He left.[3] She stayed (at home). Why? Yes!", 4),
        ("en", "- One item. With two sentences.\n- Another item.", 3),
        ("en", "(i) First: this is one. Then two. (ii) Second. And more.", 4),
        ("en", "A wrapped line that is long enough to have been\nbroken by the margin. And then more.", 2),
        ("de", "Am 3. Mai kam er z. B. nach Köln. Die 2. Auflage war neu.", 2),
        ("zh", "他说：“好的。”然后走了。明天见！", 3),
        ("ja", "これは文です。次の文もある。", 2),
        ("hi", "यह पहला वाक्य है। यह दूसरा है।", 2),
        ("ar", "هذه جملة. هل هذا سؤال؟", 2),
    ],
)
def test_sentences_end_where_a_reader_ends_them(language: str, text: str, expected: int) -> None:
    assert len(shown(text, language)) == expected


def test_headings_rows_and_items_are_sentences_of_their_own() -> None:
    table = "| Year | Sum |\n| 2019 | 5 |\n\nNet income 5,007 4,002"
    text = f"# Sales\n\nThey rose. Then fell:\n\n{table}\nShort line\nAnother"
    assert shown(text) == [
        "# Sales", "They rose.", "Then fell:", "| Year | Sum |", "| 2019 | 5 |", "Net income 5,007 4,002", "Short line",
        "Another",
    ]  # fmt: skip


def test_thai_is_cut_at_blanks() -> None:
    assert len(shown("ภาษาไทยไม่มีเครื่องหมายจบประโยค " * 12, "th")) > 3
