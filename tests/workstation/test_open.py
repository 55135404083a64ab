"""`flori open`, with a player that only says what it was asked to play."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Flori

SRT = "1\n00:12:31,000 --> 00:12:36,000\nThe lamp of the Bell Rock was lit in 1811.\n"


@pytest.fixture(scope="module")
def talk(models_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Flori:
    flori = Flori(tmp_path_factory.mktemp("talk"), models_dir)
    (flori.home / "talk.srt").write_text(SRT)
    assert flori("ingest", "talk.srt").code == 0
    return flori


def programs(folder: Path, *names: str) -> str:
    """A PATH with these programs alone, each of which does nothing."""
    folder.mkdir()
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return str(folder)


def test_a_citation_of_something_spoken_names_its_time(talk: Flori) -> None:
    done = talk("ask", "When was the lamp of the Bell Rock lit?")
    assert "talk @ 00:12:31" in done.out


def test_the_original_is_opened_by_what_the_system_has(talk: Flori, tmp_path: Path) -> None:
    path = programs(tmp_path / "bin", "xdg-open")
    done = talk("--json", "open", 1, "--at", "12:31", PATH=path)
    assert (done.code, done.json["at"]) == (0, 751.0), done.err
    assert done.json["command"] == [str(tmp_path / "bin/xdg-open"), str(talk.home / "talk.srt")]
    (talk.home / "talk.srt").write_text("another file by now")
    kept = talk("--json", "open", 1, PATH=path).json["file"]
    (talk.home / "talk.srt").write_text(SRT)
    assert Path(kept).read_text() == SRT


def test_a_recording_is_played_from_the_place(flori: Flori, models_dir: Path, tmp_path: Path) -> None:
    from tests.workstation.content.recordings import clip, wav

    wav(tmp_path / "talk.wav", clip("leopard_test"))
    (tmp_path / "talk.srt").write_text(SRT)
    assert flori("ingest", tmp_path / "talk.wav").code == 0
    path = programs(tmp_path / "bin", "mpv", "xdg-open")
    done = flori("--json", "open", 1, "--at", "751", PATH=path)
    assert done.json["command"][1:] == ["--start=751", "--", str(tmp_path / "talk.wav")], done.err


def test_without_any_program_it_says_where_the_file_is(talk: Flori, tmp_path: Path) -> None:
    done = talk("open", 1, PATH=programs(tmp_path / "bin"))
    assert done.code == 3
    assert str(talk.home / "talk.srt") in done.err
    assert "Traceback" not in done.err


def test_a_page_of_a_pdf_is_drawn_once_and_a_recording_has_none(flori: Flori, tmp_path: Path) -> None:
    from PIL import Image

    from storage.library import Library
    from tests.workstation.content.making import lines, pdf
    from workstation.engine.page_picture import NoPicture, page_picture

    (flori.home / "paper.pdf").write_bytes(pdf(lines("The lamp was lit in 1811."), lines("It was red.")))
    (flori.home / "talk.srt").write_text(SRT)
    assert flori("ingest", "paper.pdf", "talk.srt").code == 0
    with Library.open(flori.library) as library:
        ids = {source.kind: source.id for source in library.sources()}
        drawn = page_picture(library, ids["pdf"], None, 2, tmp_path / "pages")
        assert Image.open(drawn).width > 1000
        before = drawn.stat().st_mtime_ns
        assert page_picture(library, ids["pdf"], None, 2, tmp_path / "pages").stat().st_mtime_ns == before
        with pytest.raises(NoPicture):
            page_picture(library, ids["pdf"], None, 9, tmp_path / "pages")
        with pytest.raises(NoPicture):
            page_picture(library, next(id for kind, id in ids.items() if kind != "pdf"), None, 1, tmp_path / "pages")
