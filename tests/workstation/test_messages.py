"""The program's own words in ten languages: all there, filled in without loss, and recognised again in a report."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workstation.verification.made import QUOTES, check, checked, events, run
from workstation.core.messages import ENGLISH, LANGUAGES, every, text
from workstation.memory import events as e
from workstation.memory.folding import fold
from workstation.memory.state import ResearchState
from workstation.report.catalogue import heading, is_heading, is_phrase, phrase
from workstation.report.cite import MARK, mark_unverified, quote_sentence
from workstation.report.markdown import render_report

ROOT = Path(__file__).resolve().parents[2]
HEADINGS = tuple(ENGLISH)[: tuple(ENGLISH).index("unverified")]
STATEMENTS = ("confidence", "verdict", "nothing_found", "no_answer_yet", "unchecked")
COUNTS = {key: ENGLISH[key].count("{}") for key in STATEMENTS}


def placeholders(template: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(template) if name is not None)


def with_a_claim(language: str) -> ResearchState:
    """A finished run with a sentence of the writer's own that nothing carries."""
    return checked(run(mark_unverified("Nobody expected this.", language), language=language))


def test_every_translation_is_complete_and_compiled() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts/messages", "--check"], capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("key", ENGLISH)
def test_a_message_is_one_line_and_has_the_same_placeholders_in_every_language(key: str) -> None:
    assert len(every(key)) == len(LANGUAGES)
    for template in every(key):
        assert placeholders(template) == placeholders(ENGLISH[key])
        assert not re.search("[\n\t\u200e\u200f\u202a-\u202e\u2066-\u2069]", template)


def test_what_is_not_translated_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGLISH, "fresh", "{} fresh words about {topic}")

    assert text("fresh", "de", 3, topic="Öl") == "3 fresh words about Öl"
    assert text("answer", "de") == "Antwort"
    assert text("answer", "fi") == text("answer", "../de") == text("answer", "") == "Answer"
    with pytest.raises(KeyError):
        text("no such key", "de")


@given(language=st.sampled_from(LANGUAGES), topic=st.text(), numbers=st.tuples(*[st.integers(0)] * 4))
def test_what_is_put_in_comes_out_as_it_was(language: str, topic: str, numbers: tuple[int, ...]) -> None:
    assert topic in text("who", language, topic=topic)
    assert [int(n) for n in re.findall(r"\d+", text("plan_budget", language, *numbers))] == list(numbers)


@given(language=st.sampled_from(LANGUAGES), key=st.sampled_from(STATEMENTS), data=st.data())
def test_a_statement_is_recognised_with_any_numbers_and_as_no_other(
    language: str, key: str, data: st.DataObject
) -> None:
    numbers = data.draw(st.lists(st.integers(0), min_size=COUNTS[key], max_size=COUNTS[key]))
    said = phrase(key, language, *numbers).replace(" ", "\n ", 1)

    assert [other for other in STATEMENTS if is_phrase(other, said)] == [key]
    assert not is_phrase(key, f"{said} The moon is made of cheese.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_heading_is_recognised_as_no_other(language: str) -> None:
    for key in HEADINGS:
        assert [other for other in HEADINGS if is_heading(other, heading(key, language).upper())] == [key]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_mark_is_recognised_in_wide_brackets_too(language: str) -> None:
    marked = mark_unverified("x", language)

    assert MARK.search(marked)
    assert MARK.search(marked.replace("(", "（").replace(")", "）"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_counts_the_same_in_every_language(language: str) -> None:
    english, state = with_a_claim("en"), with_a_claim(language)
    report = render_report(state)
    found = check(report, state)

    assert f"## {heading('sources', language)}" in report
    assert found.check == state.check == english.check
    assert (found.check.sentences, found.check.cited, found.check.unverified, found.ok) == (6, 5, 1, True)
    assert check(report, english).ok  # in whatever language it was made


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_quote_holds_behind_the_words_that_lead_in_to_it(language: str) -> None:
    leads = ("other_figure", "other_name", "denial", "older_version", "newer_version")
    lines = (f"- {phrase(lead, language)} {quote_sentence(quote, n)}" for lead in leads for n, quote, _ in QUOTES)
    state = checked(run("\n".join(lines), language=language))

    assert state.check is not None
    assert state.check.ok
    assert state.check.sentences == state.check.supported == 5 + len(leads) * len(QUOTES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_without_evidence_claims_nothing_in_any_language(language: str) -> None:
    begun = fold(x for x in events(language=language) if x.type in ("run_started", "brief_written", "plan_approved"))
    ended = fold([e.RunEnded(outcome="not_in_library", exit_reason="plan_done")], begun)

    for state, key in ((begun, "no_answer_yet"), (ended, "nothing_found")):
        report = render_report(state)
        assert phrase(key, language) in report
        assert check(report, state).sentences == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_and_version_of_a_source_cannot_be_changed_in_any_language(language: str) -> None:
    state = with_a_claim(language)
    report = render_report(state)
    place = f"{phrase('pages', language)} 4"

    assert place in report
    assert not check(report.replace(place, f"{place} to 9"), state).ok
    assert not check(report.replace(f"{phrase('version', language)} aaaa", "aaaa"), state).ok
