"""The transcriber by itself, with the shipped models."""

from __future__ import annotations

import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from local_models.errors import Cancelled, ModelRefused
from local_models.loader import Loader
from local_models.protocols import Floats

CLIPS = Path(__file__).resolve().parents[1] / "data" / "audio"


@pytest.fixture(scope="module")
def loader(models_dir: Path) -> Iterator[Loader]:
    opened = Loader(models_dir, choices={"transcriber": "whisper-tiny.en"})
    yield opened
    opened.close()


def clip(name: str) -> Floats:
    with wave.open(str(CLIPS / f"{name}.wav")) as file:
        return np.frombuffer(file.readframes(file.getnframes()), dtype=np.int16).astype(np.float32) / 32768


def test_a_model_of_one_language_neither_hears_nor_guesses_another(loader: Loader) -> None:
    english = loader.transcriber("en")
    assert english is not None
    assert english.fingerprint.startswith("whisper-tiny.en")
    with pytest.raises(ModelRefused, match="does not speak 'de'"):
        english.transcribe(clip("leopard_test_es"), "de")
    with pytest.raises(ModelRefused, match="cannot tell"):
        english.languages(clip("leopard_test_es"))
    for language in ("de", None):
        other = loader.transcriber(language)
        assert other is not None
        assert other.fingerprint.startswith("whisper-base")


def test_it_stops_when_asked_works_again_and_prints_nothing(loader: Loader, capfd: pytest.CaptureFixture[str]) -> None:
    english = loader.transcriber("en")
    assert english is not None
    asked = iter([False] * 4)
    with pytest.raises(Cancelled):
        english.transcribe(clip("leopard_test"), "en", lambda: next(asked, True))
    utterances = english.transcribe(clip("leopard_test"), "en")
    assert "welcome his gospel" in utterances[-1].text
    assert all(0 <= u.t0 < u.t1 <= 5.9 for u in utterances)
    assert 0.5 < min(u.probability for u in utterances) <= 1
    assert capfd.readouterr() == ("", "")


def test_what_one_clip_left_behind_does_not_turn_up_in_the_next(loader: Loader) -> None:
    """Shorter clips read less of the encoder's memory, and must not read what a longer one has written there."""
    spoken = loader.transcriber("en")
    assert spoken is not None
    alone = [said.text for said in spoken.transcribe(clip("librivox_0890"), "en")]
    spoken.transcribe(clip("librivox_0870"), "en")
    spoken.transcribe(np.tile(clip("leopard_test"), 4), "en")
    assert [said.text for said in spoken.transcribe(clip("librivox_0890"), "en")] == alone
