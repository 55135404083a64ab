"""Looking after things without leaving the workstation: models, what left the machine, settings, keys, the sample."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import Input

from panes.commanding import Done, LocalCommands
from panes.keymap import use
from workstation.config import Config, store, store_key
from workstation.discovery import outbound
from workstation.paths import config_file, sample_library

from .conftest import Workstation
from .seeing import focused, rows_of, screen_name, screen_text, until, until_shown


@pytest.fixture(autouse=True)
def _own_folders_and_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    yield
    use({})


# models


async def test_the_models_screen_says_what_serves_why_and_what_is_wrong(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("f6")
        await until_shown(pilot, "in use, verified")
        seen = screen_text(pilot.app)
        assert "3 models, 1 missing or damaged, in use take about 400 of 1,000 MiB: they fit" in seen
        assert "the default of its role" in seen
        await pilot.press("j", "j")
        await until_shown(pilot, "pen.gguf is not there")
        assert "Run: scripts/install_models" in screen_text(pilot.app)
        await pilot.press("G")
        await until_shown(pilot, 'pip install "florilegium[ocr]"')


async def test_a_model_is_chosen_for_its_role_and_the_choice_is_written(workstation: Workstation) -> None:
    async with workstation.opened() as pilot:
        await pilot.press("f6")
        await until_shown(pilot, "quill")
        rows_of(pilot, "#rows").go_to("quill")
        await pilot.press("c")
        await until_shown(pilot, "quill is the generator from the next run on")
        assert Config.load()["generator"] == "quill"


async def test_verifying_goes_on_beside_the_screen_and_says_how_it_ended(workstation: Workstation) -> None:
    bad = {"id": "pen", "whole": False, "problem": "The model file is damaged: pen.gguf", "hint": "Install it again"}
    checked = {"models": [{"id": "e5", "whole": True, "problem": "", "hint": ""}, bad]}
    workstation.commanded.ends["models verify"] = Done(4, checked, "")
    workstation.commanded.held = asyncio.Event()
    async with workstation.opened() as pilot:
        await pilot.press("f6")
        await until_shown(pilot, "in use, verified")
        await pilot.press("v")
        await until_shown(pilot, "Comparing hashes ...   1/2 of it")
        await pilot.press("j")
        await until_shown(pilot, "None is needed")
        workstation.commanded.held.set()
        await until_shown(pilot, "1 of 2 whole; not whole: pen")
        await until_shown(pilot, "Install it again")


async def test_what_goes_on_can_be_stopped(workstation: Workstation) -> None:
    workstation.commanded.held = asyncio.Event()
    async with workstation.opened() as pilot:
        await pilot.press("f6")
        await until_shown(pilot, "in use, verified")
        await pilot.press("v")
        await until_shown(pilot, "Comparing hashes")
        await pilot.press("x")
        await until_shown(pilot, "Comparing hashes: stopped")


async def test_a_model_file_is_taken_in_for_the_role_that_is_named(workstation: Workstation) -> None:
    workstation.commanded.ends["models import /media/pen drive/m.gguf --role generator"] = Done(0, {"id": "m"}, "")
    async with workstation.opened() as pilot:
        await pilot.press("f6")
        await until_shown(pilot, "in use, verified")
        await pilot.press("i")
        await until(pilot, lambda: focused(pilot) == "entry")
        await pilot.press(*"/media/pen drive/m.gguf", "enter")
        await until_shown(pilot, "What is it for?")
        await until(pilot, lambda: rows_of(pilot, "#help-text").cursor == "generator")
        await pilot.press("enter")
        await until_shown(pilot, "m is installed, and serves as generator")


# outbound


def _requests(number: int) -> None:
    for each in range(number):
        url = f"https://example.org/page/{each}"
        outbound.record(host="example.org:443", url=url, why="a good link", outcome="ok", status=200, received=1000)


async def test_the_outbound_screen_lists_requests_and_refusals_and_grows_while_it_is_open(
    workstation: Workstation,
) -> None:
    _requests(3)
    outbound.record(host="hub.example", url="", why="connect hub.example:443", outcome="refused", by="transformers")
    async with workstation.opened() as pilot:
        await pilot.press("f7")
        await until_shown(pilot, "3 requests, 3,000 bytes received, 1 attempt refused")
        assert "network: off (offline)" in screen_text(pilot.app)
        outbound.record(host="late.example", url="https://late.example/", why="asked for", outcome="failed")
        await until_shown(pilot, "late.example")
        await pilot.press("t", "t")
        await until(pilot, lambda: "page/1" not in screen_text(pilot.app))
        assert "by transformers" in screen_text(pilot.app)
        await pilot.press("escape")
        await until_shown(pilot, "page/1")
        await pilot.press("slash", *"page/2")
        await until(pilot, lambda: "page/1" not in screen_text(pilot.app))
        await pilot.press("enter", "enter")
        await until_shown(pilot, "1,000 received")
        assert "https://example.org/page/2" in screen_text(pilot.app)


async def test_with_nothing_in_the_log_that_is_said(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("f7")
        await until_shown(pilot, "Nothing has left this machine")


# settings


async def test_a_setting_is_changed_in_place_and_taken_back(workstation: Workstation) -> None:
    async with workstation.opened(size=(80, 24)) as pilot:
        await pilot.press("f8")
        await until_shown(pilot, "memory_mb")
        rows_of(pilot, "#rows").go_to("memory_mb")
        await pilot.press("enter")
        await until(pilot, lambda: focused(pilot) == "entry")
        pilot.app.screen.query_one(Input).value = "much"
        await pilot.press("enter")
        await until_shown(pilot, "much cannot be memory_mb: a whole number, 0 or more is needed")
        pilot.app.screen.query_one(Input).value = "900"
        await pilot.press("enter")
        await until_shown(pilot, "memory_mb: 900")
        assert "your file" in screen_text(pilot.app)
        assert Config.load()["memory_mb"] == 900
        await pilot.press("u")
        await until_shown(pilot, "memory_mb is as it was before")
        assert Config.load().values["memory_mb"].origin == "default"


async def test_a_switch_is_turned_and_a_late_setting_says_so(workstation: Workstation) -> None:
    async with workstation.opened() as pilot:
        await pilot.press("f8")
        await until_shown(pilot, "offline")
        rows_of(pilot, "#rows").go_to("offline")
        await pilot.press("enter")
        await until_shown(pilot, "offline: yes when flori is started again")


async def test_what_the_environment_overrides_says_so(
    workstation: Workstation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLORI_DEPTH", "deep")
    async with workstation.opened() as pilot:
        await pilot.press("f8")
        await until_shown(pilot, "environment")
        rows_of(pilot, "#rows").go_to("depth")
        await until_shown(pilot, "The environment variable FLORI_DEPTH goes before the file")


async def test_a_theme_is_there_at_once_and_at_the_next_start(workstation: Workstation) -> None:
    async with workstation.opened() as pilot:
        await pilot.press("f8")
        await until_shown(pilot, "theme")
        rows_of(pilot, "#rows").go_to("theme")
        await pilot.press("enter")
        await until_shown(pilot, "ansi-dark")
        await until(pilot, lambda: rows_of(pilot, "#help-text").cursor == "textual-dark")
        await pilot.press("j", "enter")
        await until(pilot, lambda: pilot.app.theme == "textual-light")
        await until_shown(pilot, "theme: textual-light")
    workstation.options.config = Config.load()
    assert workstation.app().theme == "textual-light"


async def test_a_theme_of_the_palette_is_kept(workstation: Workstation) -> None:
    async with workstation.opened() as pilot:
        pilot.app.theme = "nord"
        await until(pilot, lambda: Config.load()["theme"] == "nord")


# keys


async def test_another_key_works_and_is_shown_everywhere(workstation: Workstation) -> None:
    workstation.keys = {"app.runs": "f9,W"}
    async with workstation.opened() as pilot:
        await until_shown(pilot, "F9 Runs")
        await pilot.press("escape", "r")
        assert screen_name(pilot) == "HomeScreen"
        await pilot.press("W")
        await until(pilot, lambda: screen_name(pilot) == "RunsScreen")
        await pilot.press("f1")
        await until_shown(pilot, "F9, W")


async def test_a_key_is_given_by_pressing_it(workstation: Workstation) -> None:
    async with workstation.opened() as pilot:
        await pilot.press("f8", "tab")
        await until_shown(pilot, "research.enough")
        rows_of(pilot, "#rows").go_to("research.enough")
        await pilot.press("enter")
        await until_shown(pilot, "Press the key for research.enough")
        await pilot.press("x")
        await until_shown(pilot, "x is the key of research.cancel")
        await pilot.press("ctrl+s")
        await until_shown(pilot, "does not arrive from every terminal")
        await pilot.press("E")
        await until_shown(pilot, "research.enough: E.")
        assert '"research.enough" = "E"' in config_file().read_text()
        await pilot.press("u")
        await until_shown(pilot, "research.enough is as it was before")
        assert "keys" not in config_file().read_text()


# the sample


async def test_with_an_empty_library_the_sample_is_a_key_away(workstation: Workstation) -> None:
    (workstation.library / "library.db").unlink()
    workstation.commanded.held = asyncio.Event()
    async with workstation.opened(size=(80, 24)) as pilot:
        await until(pilot, lambda: focused(pilot) == "welcome")
        await pilot.press("enter")
        await until_shown(pilot, "Making the sample library ...")
        sample_library().mkdir(parents=True)
        (sample_library() / "library.db").touch()
        workstation.commanded.held.set()
        await until_shown(pilot, "Why was Smeaton's Eddystone lighthouse replaced")
        assert workstation.commanded.asked == [("sample",)]
        rows_of(pilot, "#welcome").go_to("ask:Why did the Atlantic cable of 1858 fail?")
        await pilot.press("enter")
        await until(pilot, lambda: focused(pilot) == "ask")
        await pilot.press("enter")
        await until(pilot, lambda: len(workstation.engine.launched) == 1)
        await until(pilot, lambda: screen_name(pilot) == "ResearchScreen")


async def test_from_the_sample_a_row_leads_back_to_ones_own_library(workstation: Workstation) -> None:
    (workstation.library / "library.db").unlink()
    sample_library().mkdir(parents=True)
    (sample_library() / "library.db").touch()
    async with workstation.opened() as pilot:
        await until(pilot, lambda: focused(pilot) == "welcome")
        await pilot.press("enter")
        await until_shown(pilot, "Back to your own library")
        await pilot.press("G", "enter")
        await until_shown(pilot, "The library is empty")
        assert str(workstation.library) in screen_text(pilot.app)


async def test_a_sample_that_cannot_be_made_says_why(workstation: Workstation) -> None:
    (workstation.library / "library.db").unlink()
    workstation.commanded.ends["sample"] = Done(4, {}, "flori: A model is missing\n  Run: scripts/install_models")
    async with workstation.opened(size=(80, 24)) as pilot:
        await until(pilot, lambda: focused(pilot) == "welcome")
        await pilot.press("enter")
        await until_shown(pilot, "A model is missing")
        assert "flori: A model" not in screen_text(pilot.app)


async def test_from_an_empty_library_a_row_leads_to_where_a_folder_is_added(workstation: Workstation) -> None:
    (workstation.library / "library.db").unlink()
    async with workstation.opened() as pilot:
        await until(pilot, lambda: focused(pilot) == "welcome")
        await pilot.press("j", "enter")
        await until(pilot, lambda: screen_name(pilot) == "LibraryScreen")


# the commands themselves


async def test_a_command_that_fails_says_why(workstation: Workstation) -> None:
    jobs = LocalCommands(workstation.options)
    done = await jobs.run("models", "import", "/nowhere/m.gguf", "--role", "generator", told=lambda line: None)
    assert done.status
    assert "/nowhere/m.gguf" in done.words


def test_storing_settings_and_keys_keeps_each_in_its_place() -> None:
    config_file().write_text('# mine\n[keys]\nresearch.enough = "E" # easier\n')
    store("depth", "deep")
    store_key("app.help", "f9")
    config = Config.load()
    assert (config["depth"], config.keys) == ("deep", {"research.enough": "E", "app.help": "f9"})
    assert "# mine" in config_file().read_text()
    store_key("research.enough", None)
    assert Config.load().keys == {"app.help": "f9"}


def test_sentences_name_the_keys_that_one_has_chosen(workstation: Workstation) -> None:
    from panes import wording

    workstation.keys = {"research.deepen": "D"}
    workstation.app()
    assert wording.advice("budget_spent").endswith("Press D to go deeper.")
