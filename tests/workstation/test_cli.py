"""The command line's contract: status codes, one JSON document, options on both sides, help that teaches."""

from __future__ import annotations

import json
import signal
import threading
import time
from pathlib import Path

import pytest

from storage.library import Library
from tests.conftest import Flori
from workstation.cli import flori as command_line

COMMANDS = list(command_line.commands)


def test_help_lists_every_command_with_a_line_about_it(flori: Flori) -> None:
    done = flori("--help")
    assert done.code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in done.out
    assert "flori ingest ~/papers" in done.out
    assert "..." not in done.out.split("Commands:")[1]  # none is cut short


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_explains_itself(name: str, flori: Flori) -> None:
    done = flori(name, "--help")
    assert done.code == 0
    assert "--library DIR" in done.out
    assert done.err == ""


def test_version(flori: Flori) -> None:
    assert flori("--version").out.startswith("flori, version ")


@pytest.mark.parametrize(
    "wrong",
    [
        ("nope",),
        ("search",),
        ("search", "x", "-k", "0"),
        ("ingest",),
        ("config", "--jsn"),
        ("research", "q", "--depth", "x"),
    ],
)
def test_wrong_usage_is_status_2_with_the_way_to_help(wrong: tuple[str, ...], flori: Flori) -> None:
    done = flori(*wrong)
    assert done.code == 2
    assert done.out == ""
    assert "--help" in done.err


@pytest.mark.parametrize("args", [("sources",), ("ask", "why?"), ("search", "why"), ("sources", "show", "1")])
def test_no_library_yet_is_status_3_and_says_how_to_begin(args: tuple[str, ...], flori: Flori) -> None:
    done = flori("--json", *args)
    assert (done.code, done.out) == (3, "")
    assert "flori ingest" in done.err
    assert not flori.library.exists()


def test_a_missing_model_is_status_4_and_names_the_mend(flori: Flori, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("The tower was lit in 1811.")
    start = time.monotonic()
    done = flori("ingest", tmp_path / "note.txt", FLORI_MODELS=str(tmp_path / "none"))
    assert time.monotonic() - start < 5
    assert done.code == 4
    assert "install_models" in done.err
    assert flori("models", "verify", FLORI_MODELS=str(tmp_path / "none")).code == 4


def test_a_second_writer_is_status_5(flori: Flori, tmp_path: Path, models_dir: Path) -> None:
    (tmp_path / "note.txt").write_text("The tower was lit in 1811.")
    with Library.open(flori.library, write=True, create=True):
        done = flori("ingest", tmp_path / "note.txt")
    assert done.code == 5
    assert "busy" in done.err


def test_global_options_stand_before_or_after_and_the_later_one_wins(flori: Flori, tmp_path: Path) -> None:
    for args in (("--json", "--models", "/a", "config"), ("config", "--json", "--models", "/a")):
        settings = {row["key"]: row for row in flori(*args).json["settings"]}
        assert (settings["models"]["value"], settings["models"]["from"]) == ("/a", "option")
    both = flori("--models", "/a", "--json", "config", "models", "--models", "/b").json
    assert both["value"] == "/b"
    assert flori("sources", "list", "--json", "--library", tmp_path / "elsewhere").code == 3


def test_the_workstation_asks_for_a_terminal(flori: Flori) -> None:
    done = flori()
    assert done.code == 2
    assert "terminal" in done.err


def test_settings_are_changed_and_forgotten(flori: Flori) -> None:
    assert flori("config", "depth", "deep").code == 0
    assert flori("--json", "config", "depth").json["value"] == "deep"
    assert flori("config", "depth", "--unset").code == 0
    assert flori("--json", "config", "depth").json["from"] == "default"
    refused = flori("config", "embedder", "no-such-model")
    assert refused.code == 3
    assert "choose one of" in refused.err


def test_a_fetch_is_refused_clearly(flori: Flori) -> None:
    done = flori("--offline", "ingest", "https://example.org/page")
    assert done.code == 3
    assert "fetch" in done.err.lower()


def test_a_path_that_is_not_there_is_status_3(flori: Flori, models_dir: Path) -> None:
    done = flori("ingest", "/no/such/folder")
    assert done.code == 3
    assert "/no/such/folder" in done.err


def test_ingest_then_sources_then_show_agree(sample_flori: Flori) -> None:
    listed = sample_flori("--json", "sources").json["sources"]
    assert {Path(row["path"]).suffix for row in listed} == {".md", ".txt", ".html", ".pdf"}
    assert {"en", "de", "fr"} <= {row["language"] for row in listed}
    for row in listed:
        shown = sample_flori("--json", "sources", "show", row["source"]).json
        assert len(shown["passages"]) == row["passages"] > 0
        for passage in shown["passages"]:
            place = passage["locator"]
            assert shown["text"][place["start"] : place["end"]] == passage["text"]


def test_pages_count_from_one(sample_flori: Flori) -> None:
    (pdf,) = [row for row in sample_flori("--json", "sources").json["sources"] if row["kind"] == "pdf"]
    assert pdf["pages"] == {"text": 2}
    shown = sample_flori("--json", "sources", "show", pdf["source"]).json
    assert [page["number"] for page in shown["pages"]] == [1, 2]
    assert {passage["locator"]["page"] for passage in shown["passages"]} == {1, 2}


def test_a_source_is_removed_restored_and_purged(flori: Flori, tmp_path: Path, models_dir: Path) -> None:
    (tmp_path / "note.txt").write_text("The tower was lit in 1811, and its keepers left in 1988.")
    (source,) = flori("--json", "ingest", tmp_path / "note.txt").json["sources"]
    id = source["source"]
    assert flori("sources", "remove", id).code == 0
    assert flori("--json", "sources").json == {"sources": []}
    assert flori("--json", "sources", "list", "--removed").json["sources"][0]["status"] == "removed"
    assert flori("sources", "restore", id).code == 0
    assert len(flori("--json", "sources").json["sources"]) == 1
    assert flori("sources", "remove", id, "--purge").code == 0
    assert flori("sources", "show", id).code == 3


def test_ingest_is_incremental_and_says_what_failed(flori: Flori, tmp_path: Path, models_dir: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.md").write_text("# Lights\n\nThe tower was lit in 1811.\n")
    (folder / "empty.txt").write_text("")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing")
    first = flori("--json", "ingest", folder)
    assert first.code == 0
    report = first.json
    assert [Path(row["path"]).name for row in report["sources"]] == ["good.md"]
    unread = {Path(row["path"]).name: row["reason"] for row in report["failed"] + report["skipped"]}
    assert set(unread) == {"empty.txt", "broken.pdf"}
    assert all(unread.values())
    again = flori("--json", "ingest", folder).json
    assert [row["status"] for row in again["sources"]] == ["ok"]


def test_control_characters_in_a_file_name_do_nothing(flori: Flori, tmp_path: Path, models_dir: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a\x1b[31mred\x07.txt").write_text("The tower was lit in 1811.")
    assert flori("ingest", folder).code == 0
    done = flori("sources")
    assert "\x1b" not in done.out
    assert "red" in done.out
    assert "\x1b" not in flori("--json", "sources").out


def test_ctrl_c_stops_an_ingest_in_order_and_it_goes_on_later(flori: Flori, tmp_path: Path, models_dir: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    words = "The light of the tower was seen far out at sea in the year {} by ship number {}. "
    for number in range(40):
        (folder / f"{number:02}.txt").write_text("".join(words.format(1800 + number, i) for i in range(120)))
    process = flori.start("ingest", folder)
    guard = threading.Timer(60, process.kill)
    guard.start()
    while process.poll() is None and not _any_source(flori):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    guard.cancel()
    assert process.returncode == 130, said
    assert "Traceback" not in said
    kept = len(flori("--json", "sources").json["sources"])
    assert 0 < kept < 40


def _any_source(flori: Flori) -> bool:
    if not flori.library.exists():
        return False
    try:
        with Library.open(flori.library) as library:
            return bool(library.sources())
    except Exception:
        return False


def test_a_reader_that_closes_the_pipe_gets_no_complaint(sample_flori: Flori) -> None:
    process = sample_flori.start("sources")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()
    assert process.wait() == 0


def test_json_of_every_reading_command_is_one_document(sample_flori: Flori) -> None:
    for args in (("sources",), ("models",), ("config",), ("doctor",), ("runs",)):
        done = sample_flori("--json", *args)
        assert done.code in (0, 1)
        assert isinstance(json.loads(done.out), dict)
        assert done.out.count("\n") == 1
