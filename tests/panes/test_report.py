"""The report's text: Markdown as rows, citations as targets, and the way from a citation to its quote."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from panes import markdown
from panes.citations import CitationWriter, evidence_of, numbers_of
from workstation.memory import events as e
from workstation.memory.folding import fold
from workstation.report.cite import escape, quote_sentence

from .recorded import quote_of, run_events


def lines(text: str) -> list[str]:
    return [row.text for row in markdown.rows(text) if row.text]


def cited(text: str, *numbers: int) -> list[tuple[int, str]]:
    writer = CitationWriter("p", frozenset(numbers))
    markdown.rows(text, writer)
    return [(citation.number, citation.sentence) for citation in writer.found]


def test_markdown_becomes_rows() -> None:
    text = (
        "## Costs\n\nIt was *dear*:\n\n- stone\n- lime\n  1. quick\n  2. slow\n\n> said the keeper\n\n```\nx = [1]\n```"
    )
    assert lines(text) == [
        "Costs",
        "It was dear:",
        "- stone",
        "- lime",
        "  1. quick",
        "  2. slow",
        "│ said the keeper",
        "x = [1]",
    ]


def test_a_table_is_aligned_and_keeps_its_citations() -> None:
    table = "| Tower | Lit |\n|---|---|\n| Smeaton | 1759 [1] |\n| Douglass | 1882 |"
    assert lines(table)[1] == "─────────┼─────────"
    assert [row.text.index("│") for row in markdown.rows(table) if "│" in row.text] == [9, 9, 9]
    assert cited(table, 1) == [(1, "Smeaton 1759")]


def test_html_and_escapes_are_text() -> None:
    assert lines("a <b>bold</b> \\*word\\* &lt;i&gt;") == ["a <b>bold</b> *word* <i>"]


def test_each_citation_knows_its_number_and_its_sentence() -> None:
    text = "“It was sound.” [1] The tower is high [2, 7]. Nothing else."
    assert cited(text, 1, 2, 7) == [(1, "“It was sound.”"), (2, "The tower is high"), (7, "The tower is high")]


def test_a_number_that_the_paragraph_does_not_rest_on_is_no_citation() -> None:
    assert cited("As the source says itself [5], so it was [1].", 1) == [
        (1, "As the source says itself [5], so it was")
    ]


@given(st.text(max_size=60))
def test_a_foreign_quote_makes_no_citation_and_no_markup(quote: str) -> None:
    writer = CitationWriter("p", frozenset({1}))
    rows = markdown.rows(quote_sentence(f"x{quote}x", 1), writer)
    assert [citation.number for citation in writer.found][-1:] == [1]
    styles = {span.style for row in rows for span in row.spans if not span.target}
    assert styles <= {"dim"}


def test_foreign_text_that_is_escaped_reads_as_it_was() -> None:
    foreign = "**not bold** [x](http://y) # no heading"
    assert lines(escape(foreign)) == [foreign]


def test_a_citation_leads_to_the_note_whose_words_the_sentence_shares() -> None:
    state = fold(run_events())
    paragraph = next(p for p in state.paragraphs if p.id == "finding-s2")
    writer = CitationWriter(paragraph.id, numbers_of(paragraph, state))
    markdown.rows(paragraph.text, writer)
    notes = [evidence_of(citation, state) for citation in writer.found]
    assert [note.id for note in notes if note] == ["n3", "n4"]


def test_a_citation_without_a_note_leads_nowhere() -> None:
    paragraph = e.ParagraphWritten(id="p", section="answer", text="So it was [1].")
    state = fold([event for event in run_events() if not isinstance(event, e.ObservationMade)] + [paragraph])
    writer = CitationWriter("p", numbers_of(state.paragraphs[-1], state))
    markdown.rows("So it was [1].", writer)
    assert evidence_of(writer.found[0], state) is None


def test_the_recorded_quotes_stand_at_their_places() -> None:
    quote, place = quote_of(0, "The tower itself was sound", "shook in heavy seas.")
    assert place.heading == "Smeaton, 1759"
    assert place.end - place.start == len(quote)
