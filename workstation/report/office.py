"""A report as a Word document, its citations leading to the list of sources."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from workstation.report.parts import Part, Run, parts

STYLES = {"item": "List Bullet", "quote": "Intense Quote", "code": "Normal", "paragraph": "Normal"}
# XML holds no control characters but these.
_IN_XML = str.maketrans({code: "\ufffd" for code in range(32) if code not in (9, 10, 13)})


def word(markdown: str, title: str, language: str) -> bytes:
    """The document as a .docx file. Raises ImportError where python-docx is not there."""
    from docx import Document  # 0.3 s

    document: Any = Document()
    document.core_properties.title = title.translate(_IN_XML)[:255]
    document.core_properties.author = ""
    document.core_properties.language = language
    found = list(parts(markdown))
    listed = {part.source for part in found if part.source is not None}
    rows: list[Part] = []
    for part, after in zip(found, [*found[1:], None], strict=True):
        if part.kind in ("head", "row"):
            rows.append(part)
            if after is None or after.kind not in ("head", "row"):
                _table(document, rows, listed)
                rows = []
            continue
        level = min(part.level, 9)
        paragraph = document.add_heading(level=level) if part.kind == "heading" else document.add_paragraph()
        if part.kind != "heading":
            paragraph.style = STYLES[part.kind]
        if part.source is not None:
            _bookmark(paragraph, part.source)
        _write(paragraph, part.runs, listed if part.source is None else set())
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _table(document: Any, rows: Sequence[Part], listed: set[int]) -> None:
    columns = max(len(row.cells) for row in rows)
    made = document.add_table(rows=0, cols=columns, style="Table Grid")
    for row in rows:
        if any(run.text for cell in row.cells for run in cell):
            for cell, runs in zip(made.add_row().cells, row.cells, strict=False):
                _write(cell.paragraphs[0], runs, listed)


def _write(paragraph: Any, runs: Sequence[Run], listed: set[int]) -> None:
    for run in runs:
        made = paragraph.add_run(run.text.translate(_IN_XML))
        made.bold, made.italic = run.strong or None, run.emphasis or None
        if run.code:
            made.font.name = "Courier New"
        if run.number is not None and run.number in listed:
            _lead_to(paragraph, made, f"source-{run.number}")


def _bookmark(paragraph: Any, number: int) -> None:
    """python-docx has no call for bookmarks and links within a document: these are their elements."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    for tag in ("w:bookmarkStart", "w:bookmarkEnd"):
        element = OxmlElement(tag)
        element.set(qn("w:id"), str(number))
        if tag.endswith("Start"):
            element.set(qn("w:name"), f"source-{number}")
        paragraph._p.append(element)


def _lead_to(paragraph: Any, run: Any, name: str) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    link = OxmlElement("w:hyperlink")
    link.set(qn("w:anchor"), name)
    paragraph._p.append(link)
    link.append(run._r)
