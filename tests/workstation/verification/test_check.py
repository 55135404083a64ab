"""A report holds as it was written, and fails when anybody touches what it rests on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.workstation.verification.made import HISTORY, LETTERS, TEXTS, check, checked, run
from workstation.memory import events as e
from workstation.memory.folding import fold
from workstation.report.cite import flat, quote_sentence, squash
from workstation.report.markdown import render_report
from workstation.verification.check import Verification

STATE = checked(run())
REPORT = render_report(STATE)
CEDED = "“France ceded Canada to Great Britain \\[2\\] and kept two small islands.” [1]"


def failed(found: Verification, *words: str) -> bool:
    return any(all(word in failure for word in words) for failure in found.check.failures)


def edited(old: str, new: str, times: int = 1) -> Verification:
    assert old in REPORT
    return check(REPORT.replace(old, new, times), STATE)


def added(text: str) -> Verification:
    """The report with `text` as a paragraph of its own after a quote."""
    return edited(CEDED, f"{CEDED}\n\n{text}")


def test_the_report_as_written_holds() -> None:
    found = check(REPORT, STATE)

    assert found.ok
    assert (found.check.sentences, found.check.located, found.check.supported) == (5, 5, 5)
    assert all(sentence.is_quotation for sentence in found.sentences)


@pytest.mark.parametrize("where", ["# War's", "> How did", "## Findings", "### 2.", "## Verification", "## Sources"])
@pytest.mark.parametrize(
    "cited", ["[999]", "[^999]", "[٩٩٩]", "[1, 999]", "\\[999\\]", "[9**9**9]", "[9\u200b99]", "[999](x)"]
)
def test_a_forged_number_is_seen_wherever_it_stands(where: str, cited: str) -> None:
    found = edited(where, f"The moon is made of cheese {cited}.\n\n{where}")

    assert failed(found, "never handed out", "999")


@pytest.mark.parametrize(
    "line", ["## Findings [999]", "# x [999]", "> quoted [999]", "- item [999]", "| a | b [999] |"]
)
def test_a_forged_number_is_seen_in_headings_lists_tables_and_after_the_end(line: str) -> None:
    assert failed(check(f"{REPORT}\n\n{line}\n", STATE), "never handed out", "[999]")


@pytest.mark.parametrize(
    "changed",
    [
        CEDED.replace("Canada", "Quebec"),
        CEDED.replace("two", "no"),
        CEDED.replace("[1]", "[2]"),
        CEDED.replace("islands.", "islands. It was a bargain."),
        "“ceded Canada to Great Brit” [1]",
        '"France ceded Quebec" [1]',
        "«France ceded Quebec» [1]",
        "“France ceded Quebec [1].",
        "&ldquo;France ceded Quebec&rdquo; [1]",
        "As one reads, “France ceded Quebec” to Britain [1].",
    ],
)
def test_a_changed_quote_fails(changed: str) -> None:
    assert failed(edited(CEDED, changed), "quote not in its source")


@given(
    st.one_of(
        st.text(min_size=1, max_size=60), st.text(st.sampled_from("ab1.,<>/!-\\`*_[]()|#&; “”\"«»'\n"), max_size=40)
    )
)
@example("> 16 <b>mm</b> <!-- x -->")
@example("1. [2] | a | b |")
def test_any_text_can_be_quoted_and_is_found_again(quote: str) -> None:
    assume(any(char.isalnum() for char in quote) and flat(quote) == squash(quote))
    before = STATE.model_copy(update={"paragraphs": (), "check": None})
    paragraph = e.ParagraphWritten(id="p", section="answer", text=quote_sentence(quote, 2))
    state = fold([paragraph], before)
    found = check(
        render_report(state), state, lambda source, version: HISTORY if source == 7 else f"{LETTERS} {quote} ."
    )

    assert found.check.failures == ()
    assert (found.check.sentences, found.check.located) == (1, 1)


def test_a_shorter_quote_of_whole_words_holds() -> None:
    assert edited(CEDED, "“France ceded Canada” [1]").ok


@pytest.mark.parametrize(
    "sentence",
    [
        "The war ended on 11 February 1763 [1].",
        "The war ended in 1764 [1].",
        "The war cost £5.3 million [1].",
        "The war cost 12 km more than planned [1].",
        "The war cost $5.2 million [1].",
        "Vitamin B12 was unknown [1].",
    ],
)
def test_a_figure_that_the_cited_quotes_do_not_hold_fails(sentence: str) -> None:
    assert failed(added(sentence), "value not in the cited quotes")


def test_a_name_that_the_cited_quotes_do_not_hold_fails() -> None:
    assert failed(added("France ceded Canada to Napoleon after the war [1]."), "name not in", "Napoleon")
    assert failed(added("Louisiana went to Spain after the war [1]."), "name not in", "Louisiana")


def test_prose_that_its_quotes_carry_is_supported() -> None:
    found = added("France ceded Canada to Britain and kept two islands [1].")

    assert found.ok
    assert found.check.supported == found.check.cited == 6


def test_prose_that_its_quotes_do_not_carry_is_counted_but_not_supported() -> None:
    found = added("The settlers rejoiced loudly about their new farms [1].")

    assert found.ok
    assert (found.check.cited, found.check.supported) == (6, 5)


def test_a_users_sentence_that_is_marked_unverified_is_kept_and_counted() -> None:
    found = added("Napoleon was born in 1769 on Corsica. *(unverified)*")

    assert found.ok
    assert (found.check.sentences, found.check.unverified) == (6, 1)


def test_too_many_sentences_without_a_source_fail() -> None:
    some = added("One thing. Another thing. A third thing.")
    many = added("One thing. Another thing. A third thing. A fourth thing.")

    assert some.ok
    assert failed(many, "too few sentences cited", "5 of 9")


def test_a_source_that_is_missing_or_altered_fails() -> None:
    gone = check(REPORT, STATE, lambda source, version: None if source == 7 else TEXTS[source, version])
    altered = check(REPORT, STATE, lambda source, version: HISTORY.replace("1763", "1764") if source == 7 else LETTERS)
    shifted = check(REPORT, STATE, lambda source, version: "x " + HISTORY if source == 7 else LETTERS)

    assert gone.missing == (1,)
    assert failed(gone, "stored version missing", "[1]")
    assert altered.altered == shifted.altered == (1,)
    assert failed(altered, "quote not in its source")
    assert failed(shifted, "stored text altered", "[1]")


@pytest.mark.parametrize(
    ("old", "new", "label"),
    [
        ("- [1] A History of the War.", "- [1] A Forgery.", "differs from the ledger"),
        ("/docs/history.pdf", "/docs/other.pdf", "differs from the ledger"),
        ("(version aaaaaaaa)", "(version aaaaaaab)", "differs from the ledger"),
        (", p. 4", ", p. 4, a very good book", "differs from the ledger"),
        ("- [1] A History", "- A History", "missing from Sources"),
        ("- [3] Read", "- [4] Read", "never handed out"),
        ("## Sources", "## Books", ""),
    ],
)
def test_an_edited_list_of_sources_fails(old: str, new: str, label: str) -> None:
    found = edited(old, new)

    assert found.ok if not label else failed(found, label)


def test_a_second_list_of_sources_is_prose() -> None:
    found = edited("## Findings", "## Sources\n\n- [1] The best book on Napoleon in 1999\n\n## Findings")

    assert failed(found, "value not in the cited quotes", "1999")


def test_the_printed_failures_of_an_earlier_check_are_not_prose() -> None:
    state = checked(run("The moon is made of cheese [999]. It was the year 1764 [1]."))
    found = check(render_report(state), state)

    assert state.check is not None
    assert len(state.check.failures) == 2
    assert found.check == state.check


@pytest.mark.parametrize(
    ("language", "prose", "cited", "supported"),
    [
        ("de", "Der Krieg endete am 10. Februar 1763 [1]. Er kostete z. B. 5,2 Millionen £ [1].", 2, 1),
        ("zh", "战争于1763年结束[1]。“A letter of 1764 says”[2]。", 2, 1),
        ("ar", "انتهت الحرب عام ١٧٦٣ [١]. تنازلت فرنسا عن كندا [1].", 2, 0),
    ],
)
def test_sentences_of_other_languages_are_counted(language: str, prose: str, cited: int, supported: int) -> None:
    state = run(prose, language=language)
    found = check(render_report(state), state)

    assert found.check.failures == ()
    assert (found.check.sentences - 5, found.check.cited - 5, found.check.supported - 5) == (cited, cited, supported)


@pytest.mark.parametrize(
    ("language", "forged"),
    [("de", "Der Krieg endete 1764 [1]."), ("zh", "战争于1764年结束[1]。"), ("ar", "انتهت الحرب عام ١٧٦٤ [1].")],
)
def test_a_forged_year_is_seen_in_every_script(language: str, forged: str) -> None:
    state = run(forged, language=language)

    assert failed(check(render_report(state), state), "value not in the cited quotes")


def test_an_unchecked_note_counts_and_an_extraction_error_does_not() -> None:
    wrong = tuple(n.model_copy(update={"kind": "extraction_error"}) for n in STATE.notes)
    state = STATE.model_copy(update={"notes": wrong})
    report = REPORT.replace(CEDED, "France ceded Canada [1].")
    found = check(report, state)

    assert failed(found, "name not in the cited quotes", "Canada")
    assert [replace(s, failures=()).located for s in found.sentences] == [True, True, False, True, True]
