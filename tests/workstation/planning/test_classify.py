"""Where an input goes: a table of what people type in many languages, real questions, and what holds for any text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import cast, get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from workstation.planning.classify import Intent, Place, Route, classify
from workstation.planning.classify.words import patterns, table, typed

DATA = Path(__file__).parents[2] / "data"
SERVED = {"nothing", "greeting", "locate", "catalogue"}  # shown as it is; no question may go there


def routes() -> list[tuple[str, Route]]:
    rows = []
    for line in (DATA / "planning" / "routes.tsv").read_text(encoding="utf-8").split("\n"):
        if not line or line.startswith("## "):
            continue
        written, intent, *fields = line.split("\t")
        given_ = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found.group(1), 16)), written)
        expected = json.loads(fields[0]) if fields else {}
        place = Place(**expected) if intent == "locate" else None
        options = tuple(expected.get("options", ()))
        rows.append(
            (given_, Route(cast("Intent", intent), place=place, about=expected.get("about", ""), options=options))
        )
    return rows


ROUTES = routes()


@pytest.mark.parametrize(("text", "route"), ROUTES, ids=[ascii(text[:40]) for text, _ in ROUTES])
def test_an_input_goes_where_the_person_wanted(text: str, route: Route) -> None:
    assert replace(classify(text), why="") == route


def test_the_table_covers_every_intent_in_every_script() -> None:
    intents = Counter(route.intent for _, route in ROUTES)
    assert set(intents) == set(get_args(Intent))
    assert len(ROUTES) >= 600
    scripts = {"CYRILLIC", "ARABIC", "CJK", "HIRAGANA", "HANGUL", "DEVANAGARI", "FULLWIDTH"}
    text = "".join(text for text, _ in ROUTES)
    assert scripts <= {unicodedata.name(character, "").split(" ")[0] for character in text}


@pytest.mark.parametrize(
    ("name", "keys"), [("xquad", ("en", "de", "ru")), ("squad2", ("en",)), ("scifact", ("en",))], ids=lambda v: str(v)
)
def test_real_questions_are_searched_with_and_without_their_question_mark(name: str, keys: tuple[str, ...]) -> None:
    lines = (DATA / "quality" / f"{name}.questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)[key] for line in lines for key in keys]
    asked = [*questions, *(question.rstrip("?. ") for question in questions)]
    intents = Counter(classify(question).intent for question in asked)
    assert intents["research"] >= 0.98 * len(asked)
    assert intents["research"] + intents["calculate"] + intents["compare"] == len(asked)


@pytest.mark.parametrize("courtesy", ["please ", "Could you please ", "Hi! ", "Hello, "])
@pytest.mark.parametrize("text", ["list sources", "open report.pdf p. 3", "compare tea and coffee", "what is 2+2"])
def test_courtesies_change_no_route(courtesy: str, text: str) -> None:
    assert replace(classify(courtesy + text), why="") == replace(classify(text), why="")


@pytest.mark.parametrize(
    "text", ["list sources", "source 12 p. 3", "how many documents about whales", "2 + 2", "hello"]
)
def test_full_width_letters_and_invisible_marks_change_no_route(text: str) -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else "\u3000" for c in text)
    marked = "\u202b" + "\u200e".join(text) + "\u202c"
    plain = classify(text)
    for other in (classify(wide), classify(marked), classify(text.upper())):
        assert other.intent == plain.intent
        assert (other.place and replace(other.place, name="")) == (plain.place and replace(plain.place, name=""))


def test_a_topic_without_accents_is_understood_and_kept_as_typed() -> None:
    assert replace(classify("cuantos documentos hay sobre Núñez"), why="").about == "Núñez"
    assert classify("quels documents as-tu").intent == classify("Quels documents as-tu ?").intent == "catalogue"


# Whatever the words are, however many
WORDS = sorted(
    {
        word
        for keys in table().values()
        for value in keys.values()
        for word in re.findall(r"[^\W_]+", value if isinstance(value, str) else " ".join(value))
    }
)
MARKS = ["?", "!", ",", " ", '"', "“", "”", "«", "»", "「", "」", "'", "[", "]", "#", "@", "12", "12:31", "p. ", ".pdf"]
MARKS += ["http://", "https://x.org", "<", ">", " vs ", "+", "=", "%", "\u202b", "\u00a0", "\n", "🙂", "\ud800", "１２"]
phrases = st.lists(st.sampled_from(WORDS + MARKS * 40), max_size=12).map(" ".join)


@settings(max_examples=400)
@given(st.one_of(st.text(max_size=300), phrases))
@example('"' * 3)
@example("[0]")
@example("p. 0")
@example("source 999999")
@example("https://[")
@example("\u0130\u0307 ﷺ ﷽ ℃ ½")
def test_any_text_has_a_route_whose_fields_stand_in_it(text: str) -> None:
    route = classify(text)
    assert route.intent in get_args(Intent)
    assert route.why
    place = route.place or Place()
    assert (route.place is not None) == (route.intent == "locate")
    assert route.intent != "locate" or place != Place()
    for written in (place.quote, place.url, place.name, route.about, *route.options):
        assert written in text
        assert written == written.strip()
    assert not place.url or place.url.lower().startswith(("http://", "https://"))
    assert place.url.isprintable()
    assert place.page is None or place.page >= 1
    assert len(route.options) in ((2, 3, 4, 5, 6) if route.intent == "compare" else (0,))
    assert route.intent == "catalogue" or not route.about


@pytest.mark.parametrize(
    "unit",
    ["a", " ", "?", '"', "“", "http://", "a b, ", "12:31 ", "compare a and b ", "hello ", "please ", "1+", "(", "和"],
)
@pytest.mark.parametrize("before", ["", "how many years between ", "https://x", "list ", '"'])
def test_a_very_long_input_is_routed_at_once(unit: str, before: str) -> None:
    text = before + unit * (100_000 // len(unit))
    assert classify(text) == classify(text)
    assert classify(text).intent in {"nothing", "locate", "research", "unknown"}


def test_a_pasted_text_is_searched_even_when_it_begins_like_a_request() -> None:
    assert classify("List sources. " + "The light was lit in 1759. " * 40).intent == "research"


def test_every_pattern_of_the_table_compiles_and_none_matches_nothing() -> None:
    for language in table():
        for key in ("catalogue", "calculate", "compare", "choose", "versus"):
            assert not any(pattern.fullmatch("") for pattern in patterns(language, key)), (language, key)


@given(st.text(max_size=80))
def test_a_text_is_found_again_as_it_was_written(text: str) -> None:
    whole = typed(text)
    assert whole.written() in text
    assert len(whole.text) == len(whole.starts) == len(whole.ends)


def test_classifying_imports_no_model_no_screen_and_no_library() -> None:
    program = (
        "import sys; from workstation.planning.classify import classify; classify('how many documents about whales');"
        "heavy = {'numpy', 'textual', 'apsw', 'pydantic', 'httpx', 'py3langid', 'stopwordsiso', 'llama_cpp'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
