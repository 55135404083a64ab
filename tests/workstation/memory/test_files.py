"""The run folder's files: what they say, and that a person's edits stay."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workstation.verification.made import QUESTIONS, checked, run
from workstation.memory import events as e
from workstation.memory import projections
from workstation.memory.folding import fold
from workstation.memory.ledger import notes_md, read_notes, sources_json
from workstation.memory.projections import plan_md, read_plan, render_files
from workstation.memory.state import ResearchState
from workstation.verification.ledger import check_file

STATE = checked(run())
LIMITS = e.Limits(seconds=120, searches=10, sources=10, tokens=8000, reserve_s=15)


class Killed(BaseException):
    """The process ends here."""


def test_a_plan_shows_every_status() -> None:
    tasks = re.findall(r"^- \[([ x~!])\] (.*)", plan_md(STATE), re.MULTILINE)

    assert [mark for mark, _ in tasks] == ["x", "~", "!", " "]
    assert tasks[0][1] == "1. How did the war end? — *a treaty with its date*"


def test_a_plan_that_waits_for_approval_says_so_and_can_be_read_back() -> None:
    items = (*QUESTIONS, e.SubQuestion(id="x", text="3. is *it* — or [x] no?", settles="a | *b*"))
    text = plan_md(fold([e.PlanProposed(items=items, limits=LIMITS)]))

    assert "Not approved yet. At most 120 s, 10 searches, 10 sources, 8000 model tokens." in text
    assert [(line.text, line.settles) for line in read_plan(text)] == [(q.text, q.settles) for q in items]
    assert [line.text for line in read_plan("- [ ] what a person adds\n* [X] 2) done\nno task")] == [
        "what a person adds",
        "done",
    ]


@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30)), max_size=3))
def test_notes_are_one_line_each_and_come_back(pairs: list[tuple[str, str]]) -> None:
    notes = tuple(STATE.notes[0].model_copy(update={"id": f"m{i}", "quote": q}) for i, (_, q) in enumerate(pairs))
    theses = tuple(
        STATE.theses[0].model_copy(update={"sentence": claim, "notes": (f"m{i}",)})
        for i, (claim, _) in enumerate(pairs)
    )
    text = notes_md(STATE.model_copy(update={"notes": notes, "theses": theses}))
    back = read_notes(text)

    assert len(text.splitlines()) == len(pairs) + 1
    assert [(n.number, n.quote) for n in back] == [(1, quote) for _, quote in pairs]
    assert [n.claim for n, (claim, _) in zip(back, pairs, strict=True) if claim] == [
        claim for claim, _ in pairs if claim
    ]


def test_notes_keep_facts_guesses_and_errors_apart() -> None:
    kinds: list[dict[str, str | None]] = [
        {"kind": None},
        {"kind": "hypothesis"},
        {"kind": "extraction_error", "reason": "moved"},
        {"cosine": None},
    ]
    notes = tuple(n.model_copy(update=kind) for n, kind in zip(STATE.notes, kinds, strict=True))
    lines = read_notes(notes_md(STATE.model_copy(update={"notes": notes})))

    assert [line.confidence for line in lines] == [
        "unchecked",
        "hypothesis, cosine 0.71",
        "extraction error: moved",
        "found by its words",
    ]


def test_sources_json_that_differs_from_the_log_is_seen() -> None:
    text = sources_json(STATE)

    assert list(check_file(text, STATE)) == []
    assert [s["number"] for s in json.loads(text)["sources"]] == [1, 2, 3]
    for wrong in (
        None,
        "{",
        "[]",
        text.replace("/docs/vain.txt", "/etc/passwd"),
        text.replace('"number": 3', '"number": 4'),
    ):
        assert list(check_file(wrong, STATE))


def test_files_are_private_and_only_changed_ones_are_written(tmp_path: Path) -> None:
    first = render_files(tmp_path, STATE)
    again = render_files(tmp_path, STATE)
    more = render_files(tmp_path, fold([e.NeedClosed(need="q4", status="answered")], STATE))

    assert first.written == ("plan.md", "sources.json", "notes.md", "report.md")
    assert (again.written, again.kept) == ((), ())
    assert more.written == ("plan.md", "report.md")
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_an_edited_report_or_plan_is_kept_and_the_ledger_is_mended(tmp_path: Path) -> None:
    render_files(tmp_path, STATE)
    for name in ("plan.md", "report.md", "sources.json"):
        (tmp_path / name).write_text("mine")

    done = render_files(tmp_path, STATE)

    assert done.kept == ("plan.md", "report.md")
    assert done.written == ("sources.json",)
    assert projections.is_edited(tmp_path, "report.md")
    assert (tmp_path / "report.md").read_text() == "mine"


def test_a_plan_that_a_person_edited_gets_its_ticks_once_the_run_has_taken_it(tmp_path: Path) -> None:
    items = QUESTIONS[:2]
    render_files(tmp_path, fold([e.PlanProposed(items=items, limits=LIMITS)]))
    (tmp_path / "plan.md").write_text(f"* [ ] {items[1].text} -- *the land by power*\n")
    taken = fold([e.PlanApproved(items=items[1:], plan_hash="h"), e.NeedClosed(need="q2", status="answered")])
    other = fold([e.PlanApproved(items=items, plan_hash="h")])

    assert render_files(tmp_path, other).kept == ("plan.md",)
    assert render_files(tmp_path, taken).kept == ()
    assert "- [x] 1. Who gained land?" in (tmp_path / "plan.md").read_text()


@pytest.mark.parametrize("dies_at", range(8))
def test_a_kill_between_two_writes_leaves_no_file_that_looks_edited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies_at: int
) -> None:
    changed: ResearchState = fold([e.NeedClosed(need="q4", status="answered")], STATE)
    render_files(tmp_path, STATE)
    whole, writes = projections._write, iter(range(100))

    def dying(path: Path, data: bytes) -> None:
        if next(writes) == dies_at:
            raise Killed
        whole(path, data)

    monkeypatch.setattr(projections, "_write", dying)
    with contextlib.suppress(Killed):
        render_files(tmp_path, changed)
    monkeypatch.setattr(projections, "_write", whole)
    done = render_files(tmp_path, changed)

    assert done.kept == ()
    assert (tmp_path / "plan.md").read_text() == plan_md(changed)
