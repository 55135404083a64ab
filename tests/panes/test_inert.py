"""Foreign text cannot touch the terminal: whatever stands in a run or a library, the screen shows plain characters."""

from __future__ import annotations

import json
import sys
import unicodedata
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.text import Text

from panes import comparison, uses
from panes.evidence import EvidencePane
from panes.lookups import ChildLookups
from panes.plan import PlanPane
from panes.report import ReportPane
from panes.run_view import Snapshot
from panes.sources import SourcesPane
from panes.standing import decision, standing
from panes.talk import SILENCE, Talk
from workstation.memory import events as e
from workstation.memory.folding import fold
from workstation.memory.state import ResearchState
from workstation.paths import state_dir

from .conftest import FAKE_LOOKUPS, Workstation
from .recorded import LIMITS, library_document, run_events
from .seeing import screen_text, until, until_shown

HOSTILE = (
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b]52;c;AAAA\x07 \x9b2J \x1bc [bold]markup[/bold] [@click=app.quit]x[/] "
    "\u202eevil\u202c \u2066iso\u2069 \r\n\t\x00\x08\x7f {{ %s [link=http://x]y[/link] 🂡 e\u0301"
)


def is_inert(text: str) -> bool:
    """Only characters that put themselves on the screen, where they stand."""
    return all(
        char == "\n"
        or (
            unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp")
            and unicodedata.bidirectional(char) not in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        )
        for char in text
    )


def hostile_events(text: str) -> list[e.Event]:
    """A run in which every text that comes from outside is `text`."""
    item = e.SubQuestion(id="s1", text=text, settles=text)
    which = e.Clarification(id="which", text=text, options=(text,))
    return [
        e.RunStarted(question=text, depth="quick", format="report", library=text, program=text),
        e.BriefWritten(restated=f"{text}?", title=text, language="en", left_out=(text,)),
        e.ClarificationAsked(questions=(which,)),
        e.ClarificationAnswered(id="which", answer=text),
        e.PlanProposed(items=(item,), limits=LIMITS),
        e.PlanProposed(items=(item.model_copy(update={"id": "s2"}),), limits=LIMITS, change=text),
        e.CommandTaken(command_seq=1, command="edit_plan"),
        e.Warned(text=text),
        e.PlanApproved(items=(item,), plan_hash="x"),
        e.StageEntered(stage=text),
        e.SearchDone(need="s1", query=text, angle=text, found=0, kept=(), top_cosine=0, covered=False, seconds=0),
        e.SourceRegistered(
            number=1, source=11, version="v", title=text, path=text, kind=text, language=text, date=text
        ),
        e.ObservationMade(
            id="n1",
            need="s1",
            number=1,
            quote=text,
            place=e.Place(start=0, end=1, heading=text),
            passage=1,
            cosine=None,
            rerank=None,
        ),
        e.ObservationChecked(id="n1", kind="extraction_error", reason=text),
        e.DisagreementFound(need="s1", note="n1", against="n1", kind="denial"),
        e.NeedClosed(need="s1", status="partly", reason=text),
        e.ParagraphWritten(id="p1", section="finding", need="s1", text=f"{text} [1] {text}", notes=("n1",)),
        e.Warned(text=text),
        e.NoteRejected(id="n1", need="s1", reason=text),
        e.ReportVerified(check=e.Check(sentences=1, failures=(text,))),
    ]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60) | st.text(alphabet="\x1b[]()0;m\x07\u202e\r\n\t#*_`|>-1. ", max_size=60))
def test_no_pane_makes_a_row_of_anything_but_plain_text(text: str) -> None:
    snapshot = Snapshot(Path("/run"), fold(hostile_events(text)), draft=text, life="interrupted", trouble=text)
    for pane in (PlanPane("plan"), SourcesPane("sources"), EvidencePane("evidence")):
        pane.show(snapshot)
        assert all(is_inert(row.text) for row in pane.rows)
    for last in range(1, len(hostile_events(text))):
        events = hostile_events(text)[:last]
        plan = PlanPane("plan")
        plan.show(Snapshot(Path("/run"), fold(events), life="running", talk=reduce(Talk.hear, events, SILENCE)))
        assert all(is_inert(row.text) for row in plan.rows)
    report = ReportPane()
    report._made = {p.id: report._paragraph(p, snapshot.state, 80) for p in snapshot.state.paragraphs}
    rows, _ = report._text(snapshot.state, 80, frozenset())
    assert all(is_inert(row.text) for row in [*rows, *comparison.rows(snapshot.state, ResearchState(), 80)])
    assert all(is_inert(row.text) for n in (1, 2) for row in uses.rows_of(uses.uses_of(snapshot.state, n)))


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1, max_size=40))
async def test_a_run_full_of_anything_is_drawn(text: str) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as home:
        workstation = Workstation(Path(home))
        folder = workstation.has_run("run", hostile_events(text))
        async with workstation.opened(folder) as pilot:
            await pilot.press("4", "n")
            assert is_inert(screen_text(pilot.app))


async def test_hostile_text_is_shown_and_does_nothing(workstation: Workstation) -> None:
    folder = workstation.has_run("hostile", hostile_events(HOSTILE))
    (folder / "engine.log").write_text(HOSTILE, encoding="utf-8")
    async with workstation.opened(folder) as pilot:
        await until_shown(pilot, "␛[31mred")
        seen = screen_text(pilot.app)
        assert is_inert(seen)
        assert "[bold]markup[/bold]" in seen
        assert "<U+202E>evil" in seen
        for key in "1234":
            await pilot.press(key)
        await pilot.press("n")
        await until(pilot, lambda: pilot.app.screen.query_one("#peek").display)
        assert is_inert(screen_text(pilot.app))
        for y in range(pilot.app.size.height):
            for segment in pilot.app.screen._compositor.render_strips()[y]:
                assert not (segment.style and (segment.style.link or segment.style.meta.get("@click")))


async def test_hostile_errors_and_file_names_are_inert_on_every_screen(workstation: Workstation) -> None:
    workstation.has_run("hostile", hostile_events(HOSTILE))
    dying = f"import sys; sys.stderr.buffer.write({HOSTILE.encode()!r}); sys.exit(1)"
    workstation.lookups = ChildLookups([sys.executable, "-c", dying])
    async with workstation.opened() as pilot:
        for key, sign in (("f3", "State"), ("f4", "Press . to try again."), ("f2", "Go on with")):
            await pilot.press("escape", key)
            await until_shown(pilot, sign)
            assert is_inert(screen_text(pilot.app))


async def test_a_library_of_hostile_sources_is_listed_read_and_copied_inert(
    workstation: Workstation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    document = library_document()
    for source in document["sources"]:
        source |= dict.fromkeys(("title", "path", "kind", "language", "status", "text"), HOSTILE)
    library = tmp_path / "hostile.json"
    library.write_text(json.dumps(document), encoding="utf-8")
    workstation.lookups = ChildLookups([sys.executable, str(FAKE_LOOKUPS), str(library)])
    folder = workstation.has_run("hostile", hostile_events(HOSTILE))
    async with workstation.opened(folder) as pilot:
        await pilot.press("3", "y")
        await until_shown(pilot, "Copied: quote [1]")
        assert is_inert((state_dir() / "copied.txt").read_text(encoding="utf-8"))
        await pilot.press("f4")
        await until_shown(pilot, "␛[31mred")
        assert is_inert(screen_text(pilot.app))
        await pilot.press("enter")
        await until_shown(pilot, "character")
        assert is_inert(screen_text(pilot.app))


async def test_what_is_pasted_into_the_ask_line_is_one_inert_line(workstation: Workstation) -> None:
    from textual import events
    from textual.widgets import Input

    async with workstation.opened() as pilot:
        field = pilot.app.screen.query_one(Input)
        field.focus()
        field.post_message(events.Paste("first line\nsecond\x1b[31m line"))
        await until(pilot, lambda: field.value == "first line second␛[31m line")


def test_the_bars_say_what_they_are_given() -> None:
    snapshot = Snapshot(Path("/run"), fold(run_events()), life="ended")
    assert Text(standing(snapshot)).plain.startswith("Finished: partly answered")
    assert decision(snapshot) == ""
