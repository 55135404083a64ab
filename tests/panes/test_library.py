"""The library screen, as people use it: jobs are written by the test, or by a process of their own."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.pilot import Pilot

from panes.keeping import LocalKeeper
from panes.screens import library as screen
from panes.troubles import LookupFailed
from panes.widgets.table import TableRows
from workstation.jobs.events import ItemRefused, JobEnded, JobEvent, JobProgress, JobStarted
from workstation.jobs.listing import Watch
from workstation.jobs.log import JobLog, new_folder

from .conftest import Workstation
from .recorded import library_document
from .seeing import bar_text, focused, pane_text, screen_name, screen_text, until, until_shown


@pytest.fixture
def papers(workstation: Workstation) -> Path:
    folder = workstation.home / "papers"
    folder.mkdir()
    return folder


def rows(pilot: Pilot[int]) -> TableRows:
    return pilot.app.screen.query_one(TableRows)


def chosen(pilot: Pilot[int]) -> str:
    """The first cell of the row under the cursor."""
    view = rows(pilot)
    return view.rows[view._at].text.split("  ")[0]


def holds_another(workstation: Workstation, title: str, source: int = 99) -> None:
    """Something else has put a source into the library."""
    document: dict[str, Any] = library_document()
    document["sources"].append({**document["sources"][0], "source": source, "title": title})
    (workstation.home / "library.json").write_text(json.dumps(document), encoding="utf-8")


def job(workstation: Workstation, *events: JobEvent) -> Path:
    """A job's folder with a log that somebody wrote."""
    folder = new_folder(workstation.library)
    with JobLog(folder) as log:
        for event in events:
            log.append(event)
    return folder


def long_ago(folder: Path) -> None:
    os.utime(folder / "job.jsonl", (1, 1))


HALF = JobProgress(done=12, total=40, units=100, units_total=300, rate=9.8, left=200, current="lens.pdf")


async def test_a_person_adds_a_folder_sees_it_being_read_and_opens_a_source(
    workstation: Workstation, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(workstation.home))
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("f4")
        await until_shown(pilot, "4 sources")
        await pilot.press("a", *"~/papers", "enter")
        await until_shown(pilot, "Starting to read   ~/papers")
        assert focused(pilot) == "rows"
        (begun,) = workstation.keeper.jobs()
        with JobLog(begun.folder) as log:
            log.append(HALF)
            await until_shown(pilot, "Reading 12 of 40   9.8 passages/s   3:20 left   lens.pdf")
            holds_another(workstation, "A lens of the first order")
            log.append(HALF.model_copy(update={"done": 13}))
            await until(pilot, lambda: chosen(pilot) == "A lens of the first order")
            log.append(ItemRefused(path="/papers/x.pdf", state="failed", reason="not a readable PDF"))
            log.append(JobEnded(outcome="done", added=39, failed=1, passages=300, seconds=250))
        await until_shown(pilot, "Read: 39 added, 1 failed   J says why   ~/papers")
        await pilot.press("J")
        await until_shown(pilot, "failed  /papers/x.pdf  not a readable PDF")
        await pilot.press("escape", "down", "enter")
        await until_shown(pilot, "The Pharos of Alexandria")
        assert screen_name(pilot) == "ReaderScreen"


async def test_a_path_that_does_not_exist_is_said_and_can_be_mended(workstation: Workstation, papers: Path) -> None:
    async with workstation.opened() as pilot:
        await pilot.press("f4")
        await until_shown(pilot, "4 sources")
        await pilot.press("a", *f"{papers}x", "enter")
        await until_shown(pilot, f"! There is no such file or folder: {papers}x")
        await pilot.press("backspace", "enter")
        await until(pilot, lambda: len(workstation.keeper.jobs()) == 1)


async def test_offline_no_page_is_added(workstation: Workstation, monkeypatch: pytest.MonkeyPatch) -> None:
    real = LocalKeeper(workstation.options)
    monkeypatch.setattr(workstation.keeper, "add", real.add)
    async with workstation.opened() as pilot:
        await pilot.press("f4")
        await until_shown(pilot, "4 sources")
        await pilot.press("a", *"https://example.org/", "enter")
        await until_shown(pilot, "! The network is switched off: https://example.org/")
        assert not workstation.keeper.jobs()


async def test_a_removed_source_is_gone_until_that_is_undone(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("f4")
        await until_shown(pilot, "4 sources")
        await pilot.press("down", "X")
        await until_shown(pilot, "Removed: The Bell Rock   u puts it back")
        assert rows(pilot).cursor == "13"  # the next one
        assert len(rows(pilot).rows) == 3
        await pilot.press("u")
        await until(pilot, lambda: len(rows(pilot).rows) == 4)
        assert workstation.keeper.done == [("remove", 12), ("restore", 12)]


async def test_a_change_that_is_refused_is_said_in_the_library_s_own_words(workstation: Workstation) -> None:
    (workstation.library / "library.db").unlink()
    real = LocalKeeper(workstation.options)
    with pytest.raises(LookupFailed) as caught:
        await asyncio.to_thread(real.remove, 1)
    assert caught.value.title == "There is no library here yet"


async def test_the_list_is_filtered_and_ordered_as_one_types(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("f4")
        await until_shown(pilot, "4 sources")
        await pilot.press("slash", *"ROCK bell")
        await until_shown(pilot, "1 of 4 sources   with “ROCK bell”")
        await pilot.press("enter")
        assert (focused(pilot), chosen(pilot)) == ("rows", "The Bell Rock")
        await pilot.press("escape", "b")
        await until_shown(pilot, "4 sources   by title")
        await pilot.press("home")
        assert chosen(pilot).startswith("How Fresnel")
        await pilot.press("t")
        await until_shown(pilot, "4 of 4 sources   document only")


async def test_the_details_stand_beside_the_list_or_in_its_place(workstation: Workstation) -> None:
    for size, both in (((120, 40), True), ((80, 24), False)):
        async with workstation.opened(size=size) as pilot:
            await pilot.press("f4")
            await until_shown(pilot, "4 sources")
            await pilot.press("d")
            await until_shown(pilot, "4       read from the image, 93% sure")
            seen = screen_text(pilot.app)
            assert "failed: no letters that are known" in seen
            assert "2 versions" in seen
            assert ("The Bell Rock" in seen) is both
            await pilot.press("escape")
            await until(pilot, lambda: focused(pilot) == "rows")
            if both:  # they follow the cursor
                await pilot.press("down")
                await until(pilot, lambda: "bell-rock" in pane_text(pilot, "#source-detail"))


async def test_an_interrupted_job_is_seen_as_such_and_resumed(workstation: Workstation, papers: Path) -> None:
    folder = job(workstation, JobStarted(named=(str(papers),)), HALF)  # and then its process was killed
    async with workstation.opened() as pilot:
        await pilot.press("f4")
        await until_shown(pilot, "Interrupted at 12 of 40   c goes on, x gives up")
        await pilot.press("c")
        await until(pilot, lambda: workstation.keeper.done == [("resume", folder)])
        await until_shown(pilot, "Starting to read")
        await pilot.press("x")  # by its command file: whoever started it
        await until(pilot, lambda: workstation.keeper.jobs()[0].life == "ended")
        await until_shown(pilot, "Cancelled")


async def test_the_home_screen_says_what_is_being_read(workstation: Workstation, papers: Path) -> None:
    folder = job(workstation, JobStarted(named=(str(papers),)))
    with JobLog(folder) as log:
        log.append(HALF)
        async with workstation.opened(size=(80, 24)) as pilot:
            await until(pilot, lambda: "reading 12 of 40" in bar_text(pilot, "#status"))


def test_a_killed_job_that_had_not_begun_counts_as_interrupted_after_a_while(workstation: Workstation) -> None:
    folder = job(workstation, JobStarted(named=("/papers",)))
    watch = Watch(workstation.library)
    assert [found.life for found in watch.look()] == ["starting"]
    long_ago(folder)
    assert [found.life for found in watch.look()] == ["interrupted"]


class ManySources:
    """A library of 100,000 sources."""

    MANY = 100_000

    async def sources(self, after: int = 0, limit: int | None = None) -> dict[str, Any]:
        ids = range(after + 1, min(self.MANY, after + (limit or self.MANY)) + 1)
        return {"sources": [{"source": i, "title": f"Report {i}", "kind": "document", "passages": i} for i in ids]}

    async def detail(self, source: int) -> dict[str, Any]:
        return {"source": source}

    async def close(self) -> None:
        return


async def test_of_a_hundred_thousand_sources_only_rows_in_sight_are_made(
    workstation: Workstation, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    item = screen.item_of
    monkeypatch.setattr(screen, "item_of", lambda key, source: made.append(key) or item(key, source))  # type: ignore[func-returns-value]
    workstation.lookups = ManySources()  # type: ignore[assignment]
    async with workstation.opened() as pilot:
        await pilot.press("f4")
        await until_shown(pilot, "100,000 sources")
        for keys in ("G", "pageup", "b", "slash"):
            made.clear()
            await pilot.press(keys)
            await pilot.pause()
            assert len(made) < 4 * 40
        await pilot.press(*"99999")
        await until_shown(pilot, "1 of 100,000 sources")
        assert chosen(pilot) == "Report 99999"


@pytest.mark.models
async def test_a_job_of_its_own_reads_two_files_and_is_watched(tmp_path: Path, models_dir: Path) -> None:
    papers = tmp_path / "two papers"
    papers.mkdir()
    (papers / "bell.txt").write_text("The Bell Rock was lit in 1811.", encoding="utf-8")
    (papers / "fog.txt").write_text("A fog signal was added later.", encoding="utf-8")
    options = SimpleNamespace(
        library=tmp_path / "library", reports=tmp_path / "reports", models=models_dir, offline=True
    )
    keeper = LocalKeeper(options)
    folder = keeper.add(str(papers))
    seen: list[str] = []
    end = time.monotonic() + 120
    while not seen or seen[-1] != "ended":
        assert time.monotonic() < end, (folder / "engine.log").read_text()
        (found,) = keeper.jobs()
        seen += [found.life] if [found.life] != seen[-1:] else []
        await asyncio.sleep(0.05)
    assert seen[-2:] == ["running", "ended"]
    assert found.ended
    assert (found.ended.outcome, found.ended.added, found.ended.passages) == ("done", 2, 2)
    keeper.remove(1)
    keeper.restore(1)
    keeper.resume(folder)  # all of it is there already
    while (again := keeper.jobs()[0]).ended is None:
        assert time.monotonic() < end
        await asyncio.sleep(0.05)
    assert (again.ended.unchanged, again.ended.added) == (2, 0)
