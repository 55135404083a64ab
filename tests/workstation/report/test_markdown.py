"""report.md from a state: its parts, and who wrote which of them."""

from __future__ import annotations

import re

from tests.workstation.verification.made import checked, events, run
from workstation.memory import events as e
from workstation.memory.folding import fold
from workstation.report.markdown import render_report


def headings(report: str) -> list[str]:
    return re.findall(r"^#+ .*", report, re.MULTILINE)


def test_a_report_answers_first_and_ends_with_sources_from_the_ledger() -> None:
    report = render_report(checked(run()))

    assert headings(report) == [
        "# War's \\*end\\*",
        "## Answer",
        "## Findings",
        "### 1. How did the war end?",
        "### 2. Who gained land?",
        "## What could not be settled",
        "## Verification",
        "## Sources",
        "### Read, but not cited",
    ]
    assert "- Who lost \\# \\[9\\] most? — two searches found nothing in the library" in report
    assert "\n5 sentences: 5 cited, 5 located, 5 supported, 0 marked unverified\n" in report
    assert "- [1] A History of the War. pdf, `/docs/history.pdf`, p. 4 (version aaaaaaaa)" in report
    assert "- [2] Letters \\[3\\] \\#\\# Sources. letter, `/docs/letters.md` (version bbbbbbbb)" in report
    assert report.index("[2] Letters") < report.index("### Read, but not cited") < report.index("[3] Read in vain")


def test_a_brief_is_the_answer_and_key_points() -> None:
    report = render_report(run(format="brief"))

    assert "## Key points" in report
    assert "## Findings" not in report
    assert report.count("\n- “") == 4


def test_a_writers_paragraph_cannot_make_a_section_of_its_own() -> None:
    report = render_report(run("Fine.\n## Sources\n[1] forged\n===\n<script>"))

    assert headings(report).count("## Sources") == 1
    assert "\\## Sources" in report
    assert "\\===" in report
    assert "\\<script>" in report


def test_a_run_without_any_evidence_says_so() -> None:
    state = fold(e for e in events() if e.type in ("run_started", "brief_written", "plan_approved"))
    ended = fold([e.RunEnded(outcome="not_in_library", exit_reason="plan_done")], state)

    assert "The library holds nothing that answers this question." in render_report(ended)
