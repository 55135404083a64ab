"""Recordings, with the real models and real voices."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from local_models.loader import Loader
from local_models.protocols import Transcriber
from storage.library import Library
from tests.conftest import Flori
from tests.workstation.content.making import HashingEmbedder
from tests.workstation.content.recordings import CLIPS, RATE, clip, silence, video, wav
from workstation.content.adapters import RECORDING, Adapters, Extraction
from workstation.content.document import Document
from workstation.content.errors import NothingToRead, Unreadable
from workstation.content.ingest import ingest
from workstation.content.media_audio import Sound
from workstation.content.media_kept import Done, Kept, Said
from workstation.content.media_language import with_language
from workstation.content.media_progress import Heard
from workstation.content.media_windows import Window, windows
from workstation.content.subtitles import came_since
from workstation.core.cancel import Cancelled, CancelToken

QUILTER, DASHWOOD = "apostle of the middle classes", "john dashwood had then leisure"
SRT = """1
00:00:01,000 --> 00:00:02,500
<i>Good evening.</i>

2
00:00:03,000 --> 00:00:04,000
[MUSIC]
And welcome.
"""


@pytest.fixture(scope="module")
def loader(models_dir: Path) -> Iterator[Loader]:
    opened = Loader(models_dir)
    yield opened
    opened.close()


Read = Callable[..., Extraction]


@pytest.fixture
def read(loader: Loader) -> Read:
    def read(file: Path, cancel: CancelToken | None = None, **options: object) -> Extraction:
        adapters = Adapters().adding(RECORDING.given(**{"transcribers": loader.transcriber} | options))
        return adapters.extract(Document(str(file), file=file), cancel or CancelToken())

    return read


def two_windows(file: Path) -> Path:
    """Half a minute in which Quilter is named at the start and at the end."""
    names = ("leopard_test", "librivox_0870", "librivox_0920", "leopard_test", "librivox_0890")
    return wav(file, *(part for name in names for part in (clip(name), silence(0.7))))


def refuses(language: str | None) -> Transcriber:
    raise AssertionError("nothing was to be transcribed")


def test_words_come_with_their_times_and_pauses_begin_paragraphs(read: Read, tmp_path: Path) -> None:
    """Quilter's sentence begins 3.5 s into the file, Dashwood's at 15.2."""
    file = wav(tmp_path / "talk.wav", silence(3), clip("leopard_test"), silence(6), clip("librivox_0870"))
    heard: list[Heard] = []
    found = read(file, heard=heard.append)
    first, second = found.text.split("\n\n")
    assert QUILTER in first
    assert DASHWOOD in second.casefold()
    assert (found.kind, found.language, found.status, found.title) == ("recording", "en", "ok", "talk.wav")
    told = {found.text[s.start : s.end]: s for s in found.segments}
    assert found.segments[0].t0 == pytest.approx(3.4, abs=0.6)
    assert next(s for text, s in told.items() if "Dashwood" in text).t0 == pytest.approx(15.1, abs=0.6)
    assert all(s.t0 < s.t1 for s in found.segments)
    assert heard[-1].seconds == pytest.approx(heard[-1].total, abs=1)


@pytest.mark.parametrize("kind", ["an empty room", "silence", "noise", "chords"])
def test_where_nobody_speaks_nothing_is_made_up(kind: str, read: Read, tmp_path: Path) -> None:
    at = np.arange(8 * RATE) / RATE
    tones = sum(np.sin(2 * np.pi * f * at) * np.exp(-(at % 1) * 2) for f in (220, 277, 330, 440, 660))
    sounds = {
        "an empty room": clip("leopard_empty"),
        "silence": silence(8),
        "noise": np.random.default_rng(1).normal(0, 3000, len(at)).astype(np.int16),
        "chords": (tones * 3000).astype(np.int16),
    }
    with pytest.raises(NothingToRead, match="no speech was found"):
        read(wav(tmp_path / "quiet.wav", sounds[kind]), transcribers=lambda _: _Deaf())


class _Deaf:
    """A transcriber that is not to be asked."""

    fingerprint, window = "deaf", 24.0


def test_an_english_model_hears_english_and_nothing_else(models_dir: Path, read: Read) -> None:
    loader = Loader(models_dir, choices={"transcriber": "whisper-tiny.en"})
    english = read(CLIPS / "leopard_test.wav", transcribers=loader.transcriber)
    spanish = read(CLIPS / "leopard_test_es.wav", transcribers=loader.transcriber)
    loader.close()
    assert english.meta["transcriber"].startswith("whisper-tiny.en")
    assert QUILTER in english.text
    assert spanish.meta["transcriber"].startswith("whisper-base")
    assert (spanish.language, "arenas" in spanish.text) == ("es", True)


def test_a_change_of_language_is_heard_and_a_doubtful_window_changes_nothing() -> None:
    """Thirteen windows; the seventh to the ninth are in German, and two words in the fourth might be Welsh."""
    spoken = [{"en": 0.95}] * 6 + [{"de": 0.9, "en": 0.1}] * 3 + [{"en": 0.95}] * 4
    spoken[3] = {"cy": 0.6, "en": 0.4}
    listened: list[int] = []

    def hear(window: Window) -> dict[str, float]:
        listened.append(number := int(window.frames[0]))
        return spoken[number]

    def told(count: int) -> list[str]:
        listened.clear()
        made = [Window(np.zeros(512, np.float32), np.array([n]), np.ones(1, np.float32)) for n in range(count)]
        return [language for _, language in with_language(made, hear, {})]

    assert told(9) == ["en"] * 6 + ["de"] * 3
    assert told(6) == ["en"] * 6
    assert listened == [0, 5], "the first and the last window say enough"


def test_windows_are_cut_where_nobody_speaks_and_leave_long_pauses_out() -> None:
    """40 s of speech with breaths of a third of a second after 9, 21 and 33 s, then a minute of silence, then 3 s."""
    voice = np.ones(int(40 / 0.032), np.float32)
    for second in (9, 21, 33):
        voice[int(second / 0.032) :][:10] = 0.1
    voice = np.concatenate([voice, np.zeros(int(60 / 0.032), np.float32), np.ones(int(3 / 0.032), np.float32)])
    cut = list(windows([Sound(np.zeros((len(voice), 512), np.float32), voice)], 24.0))
    assert [(round(window.start), round(window.end)) for window in cut] == [(0, 21), (21, 103)]
    assert all(len(window.samples) <= 24 * RATE for window in cut)
    assert sum(np.count_nonzero(window.voice == 1) for window in cut) == np.count_nonzero(voice == 1), "no word is lost"
    assert cut[1].times(19.3, 24) == (pytest.approx(100, abs=0.04), pytest.approx(103, abs=0.04))


def test_a_file_that_ends_too_early_says_so(read: Read, tmp_path: Path) -> None:
    whole = wav(tmp_path / "whole.wav", clip("leopard_test"), silence(3), clip("librivox_0870")).read_bytes()
    cut = tmp_path / "cut.wav"
    cut.write_bytes(whole[: 44 + 2 * 7 * RATE])
    found = read(cut)
    assert QUILTER in found.text
    assert found.status == "cut off: of 0:16 only 0:07 are there"


BROKEN = {
    "text": b"not sound, only words\n" * 40,
    "no sound": b"RIFF\x24\x00\x00\x00WAVEfmt ",
    "a tag alone": b"ID3\x04",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_fails_with_a_reason(content: bytes, read: Read, tmp_path: Path) -> None:
    (tmp_path / "broken.mp3").write_bytes(content)
    with pytest.raises(Unreadable, match="not a readable recording: "):
        read(tmp_path / "broken.mp3", transcribers=refuses)


def test_the_default_one_of_several_tracks_is_heard(read: Read, tmp_path: Path) -> None:
    file = video(tmp_path / "two.mkv", [clip("librivox_0870"), clip("leopard_test")], default=1)
    found = read(file)
    assert QUILTER in found.text
    assert found.status == "of 2 audio tracks, the default one was transcribed (number 2)"


def test_stopping_takes_a_moment_and_keeps_what_was_done(read: Read, tmp_path: Path) -> None:
    file = two_windows(tmp_path / "long.wav")
    cancel, stopped = CancelToken(), []

    def stop(_: Heard) -> None:
        def soon() -> None:
            stopped.append(time.monotonic())
            cancel.cancel()

        threading.Timer(0.3, soon).start()

    with pytest.raises(Cancelled):
        read(file, cancel, keep=tmp_path / "keep", heard=stop)
    assert time.monotonic() - stopped[0] < 2 + 3 * _load(), "2 s on a machine that is not busy"
    kept = next((tmp_path / "keep").iterdir()).read_text().splitlines()
    assert len(kept) == 2, "the first line says of what, the second is the first window"


def _load() -> float:
    """How many others want a processor."""
    import os

    return max(0.0, os.getloadavg()[0] - 1)


def test_after_a_kill_the_finished_windows_are_not_heard_again(flori: Flori, models_dir: Path, tmp_path: Path) -> None:
    two_windows(tmp_path / "long.wav")
    running = flori.start("ingest", "long.wav")
    try:
        file = _until(lambda: next(iter((flori.library / "unfinished").glob("*.jsonl")), None))
    finally:
        running.kill()
        running.communicate()
    file.write_text(file.read_text().replace("middle classes", "midmost classes") + '{"window": 1, "fra')
    done = flori("--json", "ingest", "long.wav")
    assert done.json["sources"][0]["status"] == "ok", done.err
    shown = flori("--json", "sources", "show", done.json["sources"][0]["source"]).json
    assert shown["text"].count("midmost classes") == 1
    assert shown["text"].count("middle classes") == 1
    assert [passage["locator"]["t0"] for passage in shown["passages"]] == sorted(
        passage["locator"]["t0"] for passage in shown["passages"]
    )
    assert not list((flori.library / "unfinished").iterdir())
    quoted = flori("--json", "ask", '"rather selfish is to be"').json["citations"][0]
    assert quoted["locator"]["t0"] == pytest.approx(28, abs=1), (
        "when these words are said, not where the passage begins"
    )


def _until(ready: Callable[[], Path | None]) -> Path:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if (found := ready()) is not None:
            return found
        time.sleep(0.02)
    raise AssertionError("it never came")


def test_what_was_kept_of_another_model_or_cut_elsewhere_is_not_used(tmp_path: Path) -> None:
    done = Done(0, (3, 90), "en", (Said(0.1, 2.0, "Good evening.", 0.0, 0.9),))
    kept = Kept(tmp_path, "a" * 64, "1 base")
    kept.add(done)
    kept.close()
    assert Kept(tmp_path, "a" * 64, "1 base").get(0, (3, 90)) == done
    assert Kept(tmp_path, "a" * 64, "1 base").get(0, (3, 91)) is None
    assert Kept(tmp_path, "a" * 64, "1 tiny").get(0, (3, 90)) is None


def test_subtitles_beside_a_recording_are_taken_for_its_words(read: Read, tmp_path: Path) -> None:
    file = wav(tmp_path / "talk.wav", clip("leopard_test"))
    (tmp_path / "talk.de.srt").write_bytes(SRT.replace("Good evening", "Grüß Gott").encode())
    found = read(file, transcribers=refuses)
    assert found.text == "Grüß Gott. And welcome."
    assert [(s.t0, s.t1) for s in found.segments] == [(1.0, 2.5), (3.0, 4.0)]
    assert (found.language, found.meta["subtitles"]) == ("de", "talk.de.srt")
    assert QUILTER in read(file, subtitles=False).text
    with pytest.raises(NothingToRead, match=r"subtitles of talk\.wav"):
        read(tmp_path / "talk.de.srt")


def test_subtitles_that_are_put_beside_a_known_recording_are_noticed(tmp_path: Path) -> None:
    file = wav(tmp_path / "talk.wav", clip("leopard_test"))
    subtitles = tmp_path / "talk.srt"
    subtitles.write_bytes(SRT.encode())
    with Library.open(tmp_path / "library", write=True, create=True) as library:
        for words, change in (("Good evening", "added"), ("Good morning", "updated")):
            subtitles.write_bytes(SRT.replace("Good evening", words).encode())
            (entry,) = ingest([file], library, HashingEmbedder(), cancel=CancelToken()).sources
            assert (entry.change, library.text(entry.source)[:12]) == (change, words)
    assert not came_since(file, "2999-01-01T00:00:00+00:00")


def test_subtitles_in_a_video_are_taken_for_its_words(read: Read, tmp_path: Path) -> None:
    cues = ((0.5, 2.0, "Good evening."), (2.5, 4.0, "And welcome."))
    found = read(video(tmp_path / "film.mkv", [clip("leopard_test")], cues=cues), transcribers=refuses)
    assert found.text == "Good evening. And welcome."
    assert [(s.t0, s.t1) for s in found.segments] == [(0.5, 2.0), (2.5, 4.0)]


def test_a_subtitle_file_alone_has_times_and_lines_that_roll_on_come_once(read: Read, tmp_path: Path) -> None:
    (tmp_path / "rolling.vtt").write_text(
        "WEBVTT\n\n00:01.000 --> 00:03.000\nthe first line\n\n00:03.000 --> 00:05.000\nthe first line\nand the second\n"
    )
    found = read(tmp_path / "rolling.vtt")
    assert (found.kind, found.text) == ("subtitles", "the first line and the second")
    assert [(s.t0, s.t1) for s in found.segments] == [(1.0, 3.0), (3.0, 5.0)]
