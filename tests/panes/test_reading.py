"""Reading: from the report to the page and back, finding, copying, checking again, comparing, sharing the room."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from panes.doubts import doubts, marked
from panes.finding import CHOSEN, find
from panes.messages import CopyAsked
from panes.proportions import FEWEST, PARTS, Proportions, load, save
from panes.quoting import cited
from panes.report import ReportText
from panes.rows import Pen
from panes.screens.reader import ReaderText
from panes.source_text import SourceText, sentence_at
from panes.waypoints import waypoints
from workstation.memory import events as e

from .conftest import Workstation
from .recorded import QUOTES, quote_of, run_events, text_of
from .seeing import bar_text, focused, pane_text, rows_of, screen_name, screen_text, until, until_shown, view


def chosen(pilot: Pilot[int]) -> str:
    """What is marked as the chosen place or match, if it is in sight."""
    text = pilot.app.screen.query_one(ReaderText)
    seen = range(text.row_at(text.scroll_offset.y), text.row_at(text.scroll_offset.y + text.size.height - 1) + 1)
    rows = [text.rows[at] for at in seen if at >= 0]
    return "".join(row.text[s.start : s.end] for row in rows for s in row.spans if s.target == CHOSEN)


def copied(pilot: Pilot[int], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked to be copied from here on."""
    found: list[str] = []

    def taken(app: object, event: CopyAsked) -> None:
        found.append(event.text)

    monkeypatch.setattr(type(pilot.app), "on_copy_asked", taken, raising=False)
    return found


# the reader


async def opened_source(workstation: Workstation, pilot: Pilot[int]) -> None:
    await pilot.press("2", "enter")
    await until(pilot, lambda: screen_name(pilot) == "ReaderScreen" and "Place 1" in bar_text(pilot, "#where"))


async def test_words_are_found_as_they_are_typed_and_gone_through(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        await opened_source(workstation, pilot)
        await pilot.press("slash", *"TOWER")
        await until(pilot, lambda: chosen(pilot).lower() == "tower")
        assert "1 of " in bar_text(pilot, "#entry-note")
        await pilot.press("enter")
        await until(pilot, lambda: focused(pilot) == "text")
        await pilot.press("n")
        await until(pilot, lambda: bar_text(pilot, "#where").startswith("Match 2 of"))
        await pilot.press("N", "N")
        total = len(find(text_of(0), "tower").starts)
        await until(pilot, lambda: bar_text(pilot, "#where").startswith(f"Match {total} of {total}"))
        assert chosen(pilot).lower() == "tower"
        await pilot.press("escape")
        await until(pilot, lambda: not chosen(pilot))
        assert screen_name(pilot) == "ReaderScreen"
        await pilot.press("n")
        await until(pilot, lambda: bar_text(pilot, "#where").startswith("Place 2 of"))
        await pilot.press("escape")
        await until(pilot, lambda: screen_name(pilot) == "ResearchScreen")


async def test_what_is_not_there_is_said_and_escape_ends_it(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await opened_source(workstation, pilot)
        await pilot.press("slash", *"zeppelin")
        await until(pilot, lambda: "not found" in bar_text(pilot, "#entry-note"))
        await pilot.press("escape")
        await until(pilot, lambda: focused(pilot) == "text" and "zeppelin" not in screen_text(pilot.app))


async def test_a_share_of_the_text_is_gone_to_and_a_page_that_is_not_there_is_said(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        await opened_source(workstation, pilot)
        await pilot.press("J", "7", "enter")
        await until(pilot, lambda: "no pages" in bar_text(pilot, "#where"))
        await pilot.press("backspace", *"20%", "enter")
        await until(pilot, lambda: bar_text(pilot, "#where")[:2] in ("19", "20"))
        assert focused(pilot) == "text"


async def test_a_place_is_copied_with_its_citation(workstation: Workstation, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        found = copied(pilot, monkeypatch)
        await opened_source(workstation, pilot)
        await pilot.press("y")
        await until(pilot, lambda: len(found) == 1)
        assert (
            found[0].startswith("“The Great Storm destroyed it") or "” — The four Eddystone lighthouses, " in found[0]
        )
        await pilot.press("slash", *"Douglass built", "enter", "y")
        await until(pilot, lambda: len(found) == 2)
        assert "James Douglass built the present tower" in found[1]


async def test_the_original_and_the_page_are_opened_outside(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        await opened_source(workstation, pilot)
        await pilot.press("o")
        await until(pilot, lambda: "Opened with viewer: show_original 11" in bar_text(pilot, "#where"))
        await pilot.press("i")
        await until(pilot, lambda: "Opened with viewer: show_page 11 page 1" in bar_text(pilot, "#where"))


async def test_from_a_source_back_to_a_sentence_that_cites_it(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        await pilot.press("2", "down", "u")
        await until(pilot, lambda: screen_name(pilot) == "UsesScreen")
        assert "In the report: cited 1 time" in screen_text(pilot.app)
        await pilot.press("enter")
        await until(pilot, lambda: focused(pilot) == "report")
        citation = pilot.app.screen.query_one(ReportText).citation
        assert citation
        assert citation.number == 2
        await pilot.press("escape")
        await until(pilot, lambda: focused(pilot) == "sources")
        assert rows_of(pilot, "#sources").cursor == "2"


async def test_from_the_reader_back_to_the_evidence(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        await pilot.press("2", "end", "enter")
        await until(pilot, lambda: screen_name(pilot) == "ReaderScreen" and "Place 1" in bar_text(pilot, "#where"))
        await pilot.press("c")
        await until(pilot, lambda: screen_name(pilot) == "UsesScreen")
        await pilot.press("enter")
        await until(pilot, lambda: focused(pilot) == "evidence")
        assert rows_of(pilot, "#evidence").cursor == "n6"


async def test_all_the_way_to_the_page_and_back_to_the_exact_place(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        await pilot.press("n", "n", "n")
        before = pilot.app.screen.query_one(ReportText).citation
        await pilot.press("enter")
        await until(pilot, lambda: focused(pilot) == "evidence")
        note = rows_of(pilot, "#evidence").cursor
        await pilot.press("enter")
        await until(pilot, lambda: screen_name(pilot) == "ReaderScreen" and bool(chosen(pilot)))
        assert chosen(pilot).split() == quote_of(*next(q[2:] for q in QUOTES if q[0] == note))[0].split()
        await pilot.press("escape")
        await until(pilot, lambda: focused(pilot) == "evidence")
        assert rows_of(pilot, "#evidence").cursor == note
        await pilot.press("escape")
        await until(pilot, lambda: focused(pilot) == "report")
        assert pilot.app.screen.query_one(ReportText).citation == before


@given(st.data())
def test_every_match_that_is_shown_is_in_the_text_and_none_is_missed(data: st.DataObject) -> None:
    text = data.draw(st.text(alphabet="aB ß\n\té.*(", max_size=120))
    needle = data.draw(st.text(alphabet="abß\né.*( ", max_size=4))
    matches = find(text, needle)
    wanted = "".join(needle.casefold().split())
    for start, end in zip(matches.starts, matches.ends, strict=True):
        assert "".join(text[start:end].casefold().split()) == wanted
    source = SourceText(text, (), {})
    source.show_matches(matches)
    shown = "".join(row.text[s.start : s.end] for row in source.rows for s in row.spans)
    found = "".join(text[a:b] for a, b in zip(matches.starts, matches.ends, strict=True))
    assert "".join(shown.split()) == "".join(found.split())
    if wanted and " " not in needle.strip() and needle.strip() in text:
        assert matches.starts


def test_the_sentence_around_a_match_is_what_is_copied() -> None:
    text = "One came first. The lamp was lit in 1811! Then more.\n\nAnother paragraph."
    start = text.index("lit")
    assert sentence_at(text, start, start + 3) == "The lamp was lit in 1811!"
    assert sentence_at(text, text.index("Then"), text.index("Then") + 4) == "Then more."
    assert cited("a\x1b[31mb", "T", "/p", page=3) == "“a␛[31mb” — T, p. 3, /p"


def test_pages_say_how_they_were_read_and_times_are_gone_to() -> None:
    pages = [
        {"number": 1, "start": 0, "end": 40, "state": "text"},
        {"number": 2, "start": 40, "end": 90, "state": "ocr", "confidence": 0.871},
    ]
    passages = [{"locator": {"start": 10, "t0": 0.0}}, {"locator": {"start": 50, "t0": 750.5}}]
    ways = waypoints({"text": "x" * 100, "pages": pages, "passages": passages})
    assert ways.at(60) == "page 2 of 2, read from its image, 87% sure, 12:30"
    assert (ways.goal("2"), ways.goal("12:31"), ways.goal("p. 1"), ways.goal("40%")) == (40, 50, 0, 40)
    assert ways.goal("9") == "There is no page 9 here."
    assert "Type a page" in str(ways.goal("?"))
    assert ways.images == {2}


# the report


def test_doubtful_sentences_are_marked_and_failures_are_named() -> None:
    failures = (
        "value not in the cited quotes: 1860 [1] in: The tower was lit in 1860. (line 7)",
        "stored text altered: [2] A title",
    )
    row = (
        Pen()
        .put("It stood long ")
        .put("[1]", "cite", "p#0")
        .put(". The tower was lit in 1860 ")
        .put("[1]", "cite", "p#1")
    )
    row.put(". Others copied it (unverified). The end.")
    shown = marked(row.row(), doubts(failures))
    assert "1860 [1]. (check failed: value not in the cited quotes) Others" in shown.text
    styles = {shown.text[s.start : s.end].strip(): s.style for s in shown.spans}
    assert styles["Others copied it (unverified)."] == "unverified"
    assert styles["The tower was lit in 1860"] == "failed"
    assert [shown.text[s.start : s.end] for s in shown.spans if s.target] == ["[1]", "[1]"]


async def test_an_unverified_sentence_has_a_sign_and_sections_are_gone_to(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder, size=(80, 24)) as pilot:
        await until(pilot, lambda: focused(pilot) == "report")
        await pilot.press("right_square_bracket", "right_square_bracket")
        await until(pilot, lambda: "?" in [line[:1] for line in screen_text(pilot.app).splitlines()])
        report = view(pilot, "#report")
        before = report.scroll_offset.y
        await pilot.press("left_square_bracket")
        await until(pilot, lambda: report.scroll_offset.y < before)


def shaped(format: str) -> list[e.Event]:
    """The recorded run, asked for in another format; the plan's lines are about two towers."""
    options = {"s2": "Smeaton's tower", "s3": "The Bell Rock"}
    found: list[e.Event] = []
    for event in run_events():
        if isinstance(event, e.RunStarted):
            found.append(event.model_copy(update={"format": format}))
        elif isinstance(event, e.PlanApproved):
            items = tuple(q.model_copy(update={"option": options.get(q.id, "")}) for q in event.items)
            found.append(event.model_copy(update={"items": items}))
        else:
            found.append(event)
    return found


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 10)])
async def test_a_comparison_is_a_table_whose_citations_lead_on(workstation: Workstation, size: tuple[int, int]) -> None:
    folder = workstation.has_run(events=shaped("comparison"))
    async with workstation.opened(folder, size=size) as pilot:
        await until(pilot, lambda: "Comparison" in pane_text(pilot, "#report"))
        assert "Smeaton's tower" in pane_text(pilot, "#report")
        report = pilot.app.screen.query_one(ReportText)
        for _ in range(3):
            await pilot.press("n")
        await until(pilot, lambda: bool(report.citation and report.citation.paragraph.startswith("compared")))
        await pilot.press("enter")
        await until(pilot, lambda: focused(pilot) == "evidence" and rows_of(pilot, "#evidence").cursor == "n3")


async def test_a_brief_has_its_key_points_as_a_list(workstation: Workstation) -> None:
    folder = workstation.has_run(events=shaped("brief"))
    async with workstation.opened(folder) as pilot:
        await until(pilot, lambda: "Key points" in pane_text(pilot, "#report"))
        points = [line for line in pane_text(pilot, "#report").splitlines() if line.startswith("- “")]
        assert len(points) == 2


# runs


async def test_a_report_is_checked_again(workstation: Workstation) -> None:
    workstation.has_run()
    check = {"sentences": 6, "cited": 6, "located": 5, "failures": ["quote not in its source: “x” [1] (line 3)"]}
    workstation.engine.verdict = {"ok": False, "verification": check, "changed": [], "edited": True}
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("escape", "r")
        await until_shown(pilot, "partly answered")
        await pilot.press("v")
        await until_shown(pilot, "CHECK FAILED")
        assert "! quote not in its source" in screen_text(pilot.app)
        assert "was edited" in screen_text(pilot.app)
        await pilot.press("escape")
        await until(pilot, lambda: screen_name(pilot) == "RunsScreen")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_two_runs_are_compared(workstation: Workstation, size: tuple[int, int]) -> None:
    workstation.has_run("one")
    workstation.has_run("two", shaped("brief"))
    async with workstation.opened(size=size) as pilot:
        await pilot.press("escape", "r")
        await until_shown(pilot, "partly answered")
        await pilot.press("b")
        await until_shown(pilot, "* partly")
        await pilot.press("down", "b")
        await until(pilot, lambda: screen_name(pilot) == "PageScreen")
        text = pane_text(pilot, "#text")
        assert "In both: 3" in text
        assert "thorough brief" in text
        assert ("Run 1" in text.splitlines()[-20:]) == (size[0] < 100)


async def test_runs_are_filtered_by_words(workstation: Workstation) -> None:
    workstation.has_run("one")
    started = e.RunStarted(question="Who cut the cable?", depth="quick", format="report", library="/l", program="0")
    workstation.has_run("two", [started])
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("escape", "r")
        await until_shown(pilot, "Research runs: 2")
        await pilot.press("slash", *"cable")
        await until_shown(pilot, "1 of them")
        await pilot.press("enter")
        await until(pilot, lambda: focused(pilot) == "rows")
        assert "Smeaton" not in pane_text(pilot, "#rows")
        await pilot.press("escape")  # from the list it shows all of them again, as in the library
        await until(pilot, lambda: "Smeaton" in pane_text(pilot, "#rows"))
        await pilot.press("escape")
        await until(pilot, lambda: screen_name(pilot) == "HomeScreen")


def test_a_list_of_runs_reads_the_same_from_the_lines_that_tell_it(tmp_path: Path) -> None:
    from workstation.engine.launch import load_run, runs

    from .recorded import deepened_events, record, waiting_events

    for name, recorded in (("a", run_events()), ("b", waiting_events()), ("c", deepened_events("And then?"))):
        record(tmp_path / name, recorded)
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "run.jsonl").write_text('{"seq": 1, "time": "", "type": "run_st')
    for run in runs(tmp_path):
        state = load_run(run.folder)
        assert (run.title, run.question, run.started) == (state.title or state.question, state.question, state.started)
        assert run.status == ("finished" if state.ended else "interrupted")
        assert run.outcome == (state.ended.outcome if state.ended else "")
    assert len(runs(tmp_path)) == 3
    spaced = json.dumps(json.loads((tmp_path / "b" / "run.jsonl").read_text().splitlines()[0]), indent=None)
    (tmp_path / "b" / "run.jsonl").write_text(spaced.replace('": ', '":') + "\n")
    assert next(run for run in runs(tmp_path) if run.folder.name == "b").title


# the room


async def test_panes_are_resized_and_stay_so_in_the_next_session(workstation: Workstation) -> None:
    folder = workstation.has_run()
    async with workstation.opened(folder) as pilot:
        left, plan = pilot.app.screen.query_one("#left"), pilot.app.screen.query_one("#plan")
        width, height = left.size.width, plan.size.height
        await pilot.press("greater_than_sign", "greater_than_sign")
        await until(pilot, lambda: left.size.width >= width + 8)
        await pilot.press("1", "plus")
        await until(pilot, lambda: plan.size.height > height)
        await pilot.press("z")
        await until(pilot, lambda: plan.size.width > 100)
        await pilot.press("z")
        await until(pilot, lambda: left.size.width >= width + 8)
        wide = left.size.width
    async with workstation.opened(folder) as pilot:
        await until(pilot, lambda: pilot.app.screen.query_one("#left").size.width == wide)


@given(st.lists(st.sampled_from(["<", ">", "+", "-"]), max_size=60))
def test_no_pane_can_be_pushed_out(keys: list[str]) -> None:
    found = Proportions()
    for key in keys:
        found = found.widened(1 if key == ">" else -1, 32) if key in "<>" else found
        found = found.heightened("plan", 1 if key == "+" else -1, 12) if key in "+-" else found
    assert 16 <= found.column(32) <= 72
    assert not found.plan or FEWEST <= found.plan <= PARTS - FEWEST


def test_a_damaged_memory_of_the_room_is_no_trouble(tmp_path: Path) -> None:
    save(tmp_path / "state", Proportions(left=8, plan=9))
    assert load(tmp_path / "state") == Proportions(left=8, plan=9)
    for damaged in ("", "[]", '{"plan": 900, "left": 5000}', '{"left": "x"}'):
        (tmp_path / "state" / "panes.json").write_text(damaged)
        assert load(tmp_path / "state").plan == 0
