"""What reading a recording costs beyond the transcriber: the same file through both, in turns, in one process."""

from __future__ import annotations

import time
import wave
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchlib.figures import Figure
from benchlib.here import ROOT
from benchlib.material import Material
from local_models.protocols import Floats

TURNS = 2
ROUNDS = 3  # of the clips: a minute and a quarter; in a longer recording the language weighs less
PAUSE_S = 0.6
OVERHEAD = 0.05
CLIPS = ("leopard_test", "librivox_0870", "librivox_0890", "librivox_0920")
RATE = 16_000


def measure(material: Material) -> list[Figure]:
    """With the default transcriber. Bare: pywhispercpp's own class over the decoded samples, the language given."""
    from pywhispercpp.model import Model

    from local_models import native
    from local_models.loader import Loader

    file = material.home / "talk.wav"
    samples = _talk(file)
    loader = Loader(material.models)
    entry = loader.entry("transcriber")
    assert entry is not None, "no transcriber: run scripts/install_models"
    native.whisper()  # takes its log off stderr, for both
    bare = Model(str(loader.registry.paths(entry)["weights"]), print_progress=False, n_threads=native.threads())
    read, heard = partial(_read, file, loader), partial(bare.transcribe, samples, language="en")
    _read(ROOT / f"tests/data/audio/{CLIPS[0]}.wav", loader)  # opens the model and starts the helper
    ours, theirs = [], []
    for _ in range(TURNS):
        theirs.append(_timed(heard))
        ours.append(_timed(read))
    loader.close()
    length = samples.size / RATE
    took, bare_took = sum(ours) / TURNS, sum(theirs) / TURNS
    on = f"{length:.0f} s of speech in English, {TURNS} turns each"
    return [
        Figure("recordings, beyond bare pywhispercpp", took / bare_took - 1, "", OVERHEAD, note=on),
        Figure("  recordings", length / took, "x real time"),
        Figure("  bare pywhispercpp", length / bare_took, "x real time", note="without hearing which language it is"),
    ]


def _read(file: Path, loader: object) -> None:
    from workstation.content.adapters import RECORDING
    from workstation.content.document import Document
    from workstation.core.cancel import CancelToken

    RECORDING.given(transcribers=loader.transcriber).extract(Document(str(file), file=file), CancelToken())  # type: ignore[attr-defined]


def _talk(file: Path) -> Floats:
    """The clips one after the other, with pauses between them."""
    pause = np.zeros(int(PAUSE_S * RATE), dtype=np.int16)
    parts = []
    for name in CLIPS * ROUNDS:
        with wave.open(str(ROOT / f"tests/data/audio/{name}.wav")) as clip:
            parts += [np.frombuffer(clip.readframes(clip.getnframes()), dtype=np.int16), pause]
    samples = np.concatenate(parts)
    with wave.open(str(file), "wb") as out:
        out.setparams((1, 2, RATE, len(samples), "NONE", ""))
        out.writeframes(samples.tobytes())
    return samples.astype(np.float32) / 32768


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
