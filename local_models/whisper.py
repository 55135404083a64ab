"""Speech to text by whisper.cpp (pywhispercpp).

What is particular about it, all measured with whisper base (pywhispercpp 1.5.1, whisper.cpp 1.8.5):

* It always reads 30 s, and pads what is shorter. `audio_ctx` reads less: a clip of 6 s takes a quarter of the time and
  gives the same words. With flash attention (on by default, a tenth faster) that number has to be a multiple of 256:
  between it and the next multiple lies what an earlier clip left there, and its words turn up in this one.
* Its no-speech probability is 0.00 for a recording of silence, of which it then says "(whistling)": whoever calls has
  to know that somebody speaks.
* Given another language than the one that is spoken, it translates, and is as sure of its words as ever.
* A doubtful clip is decoded again at higher temperatures, each time by several decoders, and a loop runs on for 224
  tokens: two words of 1.5 s took 20 s. So the number of tokens is bounded by the length of the clip.
"""

from __future__ import annotations

import codecs
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from local_models import native
from local_models.errors import Cancelled, ModelRefused
from local_models.manifest import ModelEntry
from local_models.protocols import CancelCheck, Floats, Utterance, never
from local_models.residency import Residency

RATE = 16_000
WINDOW = 24.0
"""Seconds. With the margin it fits 1,280 positions, the largest multiple of 256 below whisper's 1,500."""

POSITIONS, STEP, MARGIN = 50, 256, 64
"""Encoder positions a second; their number's step; how many more than the clip needs: with none, words repeat."""

LEAST = 2.0
"""Seconds to which a clip is padded: whisper.cpp does not decode the last second of what it is given."""

LANGUAGE_SECONDS = 3.8
"""Heard to tell the language, as many as 256 positions hold: right for 12 of 12 clips in five languages, in an eighth
of a window's time."""

TOKENS, TOKENS_A_SECOND = 24, 12
"""Bounds the text of a clip. Fast speech has 5 tokens a second in English, and up to 10 in other scripts."""

TEMPERATURE_STEP, DECODERS = 0.4, 2
"""Decoding again at 0.4 and 0.8 by two decoders each; whisper.cpp's own 0.2 and five give no better words here."""

WORKING_BYTES = 192 * 2**20


class WhisperTranscriber:
    """See `protocols.Transcriber`. paths: the model's files by part, already checked."""

    def __init__(self, entry: ModelEntry, paths: Mapping[str, Path], residency: Residency | None = None) -> None:
        self._entry = entry
        self._path = paths["weights"]
        self._residency = residency or Residency()
        self._context: Any = None
        self.label = entry.id
        self.memory_bytes = entry.size + WORKING_BYTES
        weights = entry.file("weights")
        self.fingerprint = f"{entry.id}-{weights.sha256[:16] if weights else ''}"
        self.window = WINDOW

    def speaks(self, language: str) -> bool:
        return self._entry.speaks(language)

    def languages(self, samples: Floats, cancelled: CancelCheck = never) -> dict[str, float]:
        if not self._entry.speaks(None):
            raise ModelRefused(f"{self.label} knows one language and cannot tell which one is spoken")
        clip = _padded(samples[: int(LANGUAGE_SECONDS * RATE)])
        lib = native.whisper()
        with self._residency.use(self):
            if cancelled():
                raise Cancelled
            setting = self._parameters(clip, "en")
            lib.assign_encoder_begin_callback(
                setting, lambda *_: False
            )  # sets the context's length, and goes no further
            lib.whisper_full(self._context, setting, clip, clip.size)
            found = np.zeros(lib.whisper_lang_max_id() + 1, dtype=np.float32)
            if lib.whisper_lang_auto_detect(self._context, 0, setting.n_threads, found) < 0:
                raise ModelRefused(f"{self.label} cannot tell languages: {native.complaint() or 'no reason given'}")
            native.complaint()
        return {str(lib.whisper_lang_str(number)): float(share) for number, share in enumerate(found)}

    def transcribe(self, samples: Floats, language: str, cancelled: CancelCheck = never) -> list[Utterance]:
        if not self.speaks(language):
            raise ModelRefused(f"{self.label} does not speak {language!r}")
        if samples.size > WINDOW * RATE:
            raise ValueError(f"{samples.size / RATE:.1f} s are more than a window of {WINDOW:g} s")
        clip = _padded(samples)
        lib = native.whisper()
        with self._residency.use(self):
            if lib.whisper_lang_id(language) < 0:
                raise ModelRefused(f"{self.label} does not know the language {language!r}")
            setting = self._parameters(clip, language)
            lib.assign_abort_callback(setting, cancelled)  # asked before each pass of the encoder, and at each token
            native.complaint()
            failed = lib.whisper_full(self._context, setting, clip, clip.size)
            if cancelled():
                raise Cancelled
            if failed:
                raise ModelRefused(f"{self.label} gave up: {native.complaint() or f'error {failed}'}")
            return _utterances(lib, self._context, samples.size / RATE)

    def close(self) -> None:
        self._residency.drop(self)

    def open_native(self) -> None:
        lib = native.whisper()
        native.complaint()
        setting = lib.whisper_context_default_params()
        setting.use_gpu = False
        context = lib.whisper_init_from_file_with_params(str(self._path.absolute()), setting)
        if fault := native.complaint():  # a context that could not be made looks like any other, and crashes when used
            raise ModelRefused(f"whisper.cpp cannot read {self._path}: {fault}")
        self._context = context

    def shut_native(self) -> None:
        if self._context is not None:
            native.whisper().whisper_free(self._context)
            self._context = None

    def _parameters(self, clip: Floats, language: str) -> Any:
        """Made afresh for each call: the binding's own class keeps what an earlier call has set."""
        lib = native.whisper()
        setting = lib.whisper_full_default_params(lib.whisper_sampling_strategy.WHISPER_SAMPLING_GREEDY)
        setting.print_progress = setting.print_realtime = setting.print_timestamps = setting.print_special = False
        setting.n_threads = native.free_threads()
        setting.language = language
        positions = math.ceil(clip.size / RATE * POSITIONS) + MARGIN
        setting.audio_ctx = math.ceil(positions / STEP) * STEP
        setting.max_tokens = TOKENS + math.ceil(clip.size / RATE * TOKENS_A_SECOND)
        setting.temperature_inc = TEMPERATURE_STEP
        setting.greedy = {"best_of": DECODERS}
        return setting


def _padded(samples: Floats) -> Floats:
    clip = np.zeros(max(samples.size, int(LEAST * RATE)), dtype=np.float32)
    clip[: samples.size] = samples
    return clip


def _utterances(lib: Any, context: Any, seconds: float) -> list[Utterance]:
    """Whisper's segments; characters that are split over two of them come out whole."""
    characters = codecs.getincrementaldecoder("utf-8")("replace")
    count = lib.whisper_full_n_segments(context)
    found = []
    for number in range(count):
        text = characters.decode(lib.whisper_full_get_segment_text(context, number), number == count - 1).strip()
        t0 = min(lib.whisper_full_get_segment_t0(context, number) / 100, seconds)
        t1 = min(lib.whisper_full_get_segment_t1(context, number) / 100, seconds)
        if text:
            found.append(Utterance(t0, max(t0, t1), text, _probability(lib, context, number)))
    return found


def _probability(lib: Any, context: Any, number: int) -> float:
    tokens = range(lib.whisper_full_n_tokens(context, number))
    logs = [math.log(max(lib.whisper_full_get_token_p(context, number, token), 1e-9)) for token in tokens]
    return math.exp(sum(logs) / len(logs)) if logs else 0.0
