"""Words are found in every script, and nothing that is typed breaks a query."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage import fulltext
from storage.library import Library

from .making import DIMENSION, make_version

TEXTS = {
    "english": "The mitochondrion is the powerhouse of the cell. Figures: 1,234.5 in 2024.",
    "german": "Die Straßenbahn fährt über die Brücke nach Zürich.",
    "ligature": "The \ufb01nancial e\ufb00ects were signi\ufb01cant and co\u00adoperative.",
    "hindi": "भारत की राजधानी नई दिल्ली है।",
    "arabic": "العَرَبِيَّة لغة جميلة",
    "russian": "Москва является столицей России.",
    "japanese": "東京都の人口は約千四百万人です。データはPython言語で処理した。",
    "chinese": "北京大学位于中国首都北京。",
    "korean": "서울은 대한민국의 수도이다.",
    "thai": "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย",
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Library, dict[str, int]]]:
    with Library.open(tmp_path_factory.mktemp("shelf"), write=True, create=True) as library:
        library.bind_embedder("random", DIMENSION, b"")
        ids = {}
        for name, text in TEXTS.items():
            source = library.add_version(make_version(f"/{name}", text, size=1000, title=f"On {name}"))
            ids[name] = library.passages_of(source.id)[0].id
        yield library, ids


@pytest.mark.parametrize(
    ("where", "word"),
    [
        ("english", "MITOCHONDRION"),
        ("english", "1,234.5"),
        ("german", "zurich"),
        ("german", "Bru\u0308cke"),
        ("ligature", "financial"),
        ("ligature", "cooperative"),
        ("hindi", "राजधानी"),
        ("arabic", "العربية"),
        ("russian", "столицей"),
        ("japanese", "python"),
    ],
)
def test_a_word_is_found(shelf: tuple[Library, dict[str, int]], where: str, word: str) -> None:
    library, ids = shelf
    assert [passage for passage, _ in library.lexical([word], 10)] == [ids[where]]


@pytest.mark.parametrize(
    ("where", "word"),
    [
        ("japanese", "人口"),
        ("japanese", "東京都の人口はどのくらいですか"),
        ("japanese", "約"),
        ("chinese", "首都"),
        ("chinese", "北京大学"),
        ("korean", "대한민국"),
        ("korean", "서울"),
        ("thai", "ประเทศไทย"),
    ],
)
def test_a_word_is_found_where_words_are_not_spaced(
    shelf: tuple[Library, dict[str, int]], where: str, word: str
) -> None:
    library, ids = shelf
    assert library.unspaced([word], 10)[0][0] == ids[where]


@pytest.mark.parametrize(
    ("where", "phrase", "found"),
    [
        ("english", "powerhouse of the CELL", True),
        ("english", "cell of the powerhouse", False),
        ("japanese", "人口は約", True),
        ("japanese", "口人", False),
        ("japanese", "言語で", True),
        ("japanese", "Python言語", True),
        ("japanese", "Perl言語", False),
        ("korean", "대한민국의 수도", True),
        ("chinese", "京", True),
    ],
)
def test_a_phrase_keeps_its_order(shelf: tuple[Library, dict[str, int]], where: str, phrase: str, found: bool) -> None:
    library, ids = shelf
    assert (ids[where] in dict(library.phrase(phrase, 10))) is found


def test_the_title_counts_as_much_as_one_wants(shelf: tuple[Library, dict[str, int]]) -> None:
    library, ids = shelf
    light, heavy = (dict(library.lexical(["german"], 5, head_weight=weight)) for weight in (1.0, 5.0))
    assert heavy[ids["german"]] > light[ids["german"]] > 0


hostile = st.one_of(
    st.text(),
    st.text(alphabet=st.characters(codec=None)),
    st.text(alphabet="\"*():^+-{}\\'NEAR ANDORNOT\x00東京ก😀"),
)


@given(terms=st.lists(hostile, max_size=6), k=st.integers(-1, 5))
def test_any_text_is_a_safe_query(shelf: tuple[Library, dict[str, int]], terms: list[str], k: int) -> None:
    library, _ = shelf
    for hits in (library.lexical(terms, k), library.unspaced(terms, k), library.phrase(" ".join(terms), k)):
        assert len(hits) <= max(k, 0)
        assert [score for _, score in hits] == sorted((score for _, score in hits), reverse=True)


@pytest.mark.parametrize("typed", ["title:cell", "body : cell", "NOT powerhouse", "cel*", "NEAR(the cell)"])
def test_an_operator_is_only_a_word(shelf: tuple[Library, dict[str, int]], typed: str) -> None:
    library, _ = shelf
    assert library.lexical([typed], 5) == []


def test_a_pasted_page_is_a_query_too(shelf: tuple[Library, dict[str, int]]) -> None:
    library, ids = shelf
    terms = ["mitochondrion", *(f"word{number}" for number in range(50_000))]
    assert library.lexical(terms, 3)[0][0] == ids["english"]


def test_a_word_that_most_passages_hold_is_left_out_of_a_large_library(
    monkeypatch: pytest.MonkeyPatch, library: Library
) -> None:
    for number in range(6):
        library.add_version(make_version(f"/{number}", f"court case {number}", title=""))
    library.add_version(make_version("/fishing", "court fishing rights", title=""))
    small = library.lexical(["court", "fishing"], 10)
    monkeypatch.setattr(fulltext, "COUNT_FROM", 5)
    ((passage, score),) = library.lexical(["court", "fishing"], 10)
    assert (passage, pytest.approx(score, abs=1e-4)) == small[0]
    assert len(library.lexical(["court"], 10)) == 7
