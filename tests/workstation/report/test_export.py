"""A report as a web page, a Word document and a list of sources: what it says, where its citations lead."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from workstation.memory.state import LedgerEntry
from workstation.report.bibliography import csl
from workstation.report.cite import flat, quote_sentence, squash
from workstation.report.html import page
from workstation.report.office import word
from workstation.report.parts import parts

REPORT = """# Towers

> Who built the tower?

## Answer

“It was *built* <b>by</b> Smeaton \\\\[9\\\\].” [1, 2]

| | |
|---|---|
| Smeaton | “in stone” [2] |

## Sources

- [1] The tower. text, `/papers/tower.md` (version 1a2b3c4d)
- [2] The lamp. web, <https://example.org/lamp> (version 1a2b3c4d)
""".replace("\\\\", "\\")


class Links(HTMLParser):
    """What leads where, and what can be led to."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.hrefs: list[str] = []
        self.ids: set[str] = set()
        self.tags: set[str] = set()
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.hrefs += [value for name, value in attrs if name == "href" and value]
        self.ids |= {value for name, value in attrs if name == "id" and value}


def test_every_citation_of_the_page_leads_to_its_source() -> None:
    made = page(REPORT, "Towers", "ar")
    links = Links(made)
    inner = [href for href in links.hrefs if href.startswith("#")]
    assert inner == ["#source-1", "#source-2", "#source-2"]
    assert {href[1:] for href in inner} == links.ids
    assert [href for href in links.hrefs if href not in inner] == ["https://example.org/lamp"]
    assert 'dir="rtl"' in made
    assert "<b>" not in made
    assert {"table", "blockquote", "h2"} <= links.tags


def test_the_word_document_says_the_same_and_its_citations_lead_to_its_sources() -> None:
    from docx import Document

    document: Any = Document(io.BytesIO(word(REPORT, "Towers", "en")))
    texts = [paragraph.text for paragraph in document.paragraphs]
    assert texts[0] == "Towers"
    assert "“It was built <b>by</b> Smeaton [9].” [1, 2]" in texts
    xml = document.element.xml
    assert re.findall(r'w:anchor="([^"]+)"', xml) == ["source-1", "source-2", "source-2"]
    assert set(re.findall(r'w:bookmarkStart[^>]* w:name="([^"]+)"', xml)) == {"source-1", "source-2"}


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1))
@example("a [5] b")
@example("*[3]* \\[4\\] `[2]`")
def test_a_quote_comes_out_as_it_is_and_cites_nothing_itself(quote: str) -> None:
    (part,) = parts(quote_sentence(quote, 7))
    assert squash(part.text) == squash(f"“{flat(quote)}” [7]")
    assert [run.number for run in part.runs if run.number is not None] == [7]


def test_sources_for_a_reference_manager() -> None:
    entry = LedgerEntry(
        number=3,
        source=1,
        version="v1",
        title="The lamp",
        path="https://example.org/lamp",
        kind="web",
        language="en",
        date="2021-05",
        origin=None,
        first_read="2026-01-02T10:00:00+00:00",
    )
    (item,) = csl([entry])
    assert (item["id"], item["type"], item["URL"]) == ("3", "webpage", "https://example.org/lamp")
    assert (item["issued"], item["accessed"]) == ({"date-parts": [[2021, 5]]}, {"date-parts": [[2026, 1, 2]]})
