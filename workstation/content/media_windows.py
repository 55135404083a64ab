"""A recording cut where nobody speaks, into windows that a transcriber takes whole. Long pauses are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from local_models.protocols import Floats
from workstation.content.media_audio import FRAME_SECONDS, Sound

# Measured with Silero 6.2: silence, noise, hum and two pieces of music stay below 0.05, a recording of an empty room
# below 0.46, made-up melodies reach 0.98 for half a second; of somebody speaking nearly every frame is above 0.9.
SPEAKS = 0.5  # probability from which on somebody speaks
SURE = 0.8
LEAST_SURE = 6  # sure frames (0.2 s) without which a window holds no speech: a "yes" takes 0.3 s
MARGIN = 8  # frames (0.26 s) kept before and after speech: first and last sounds are soft
PAUSE = 16  # frames (0.5 s) kept at either end of a longer pause: enough to tell two sentences apart
LATEST = 0.4  # of a window: a cut is sought in its last two fifths


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """samples: (n * 512,). frames: (n,) the number in the recording of each frame of 32 ms. voice: (n,) the probability
    that somebody speaks in it."""

    samples: Floats
    frames: NDArray[np.int64]
    voice: Floats

    @property
    def start(self) -> float:
        """Seconds from the start of the recording."""
        return float(self.frames[0]) * FRAME_SECONDS

    @property
    def end(self) -> float:
        return float(self.frames[-1] + 1) * FRAME_SECONDS

    def times(self, t0: float, t1: float) -> tuple[float, float]:
        """Where in the recording somebody speaks between two places of the window, from the first sound to the last.
        A transcriber lets a sentence begin where the one before ended, whatever the pause between them."""
        first, last = self._frame(t0), self._frame(t1)
        spoken = first + np.flatnonzero(self.voice[first : last + 1] >= SPEAKS)
        if len(spoken):
            first, last = int(spoken[0]), int(spoken[-1])
        return float(self.frames[first]) * FRAME_SECONDS, float(self.frames[last] + 1) * FRAME_SECONDS

    def _frame(self, seconds: float) -> int:
        return min(max(int(seconds / FRAME_SECONDS), 0), len(self.frames) - 1)

    def voiced(self, t0: float, t1: float) -> float:
        """The probability that somebody speaks between two places of the window, by the surest quarter of a second
        there; a transcriber's times are some tenths of a second off."""
        first, last = int(t0 / FRAME_SECONDS) - MARGIN, int(t1 / FRAME_SECONDS) + MARGIN
        surest = np.sort(self.voice[max(0, first) : last + 1])[-MARGIN:]
        return float(surest.mean()) if len(surest) else 0.0


def windows(sounds: Iterable[Sound], seconds: float) -> Iterator[Window]:
    """The parts in which somebody speaks, each at most `seconds` long, in order.

    The cuts depend on the sound alone: the same recording is always cut in the same way.
    """
    most = int(seconds / FRAME_SECONDS)
    cutter = _Cutter(most)
    for sound in sounds:
        for samples, voice in zip(sound.samples, sound.voice, strict=True):
            cutter.add(samples, float(voice))
            if cutter.full and (window := cutter.cut()) is not None:
                yield window
    if (window := cutter.rest()) is not None:
        yield window


class _Cutter:
    """Gathers frames until a window is full."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._samples: list[Floats] = []
        self._frames: list[int] = []
        self._voice: list[float] = []
        self._number = 0  # of the next frame
        self._silent = 0  # frames since somebody spoke

    @property
    def full(self) -> bool:
        return len(self._frames) >= self._most

    def add(self, samples: Floats, voice: float) -> None:
        self._silent = 0 if voice >= SPEAKS else self._silent + 1
        if self._silent > 2 * PAUSE:  # the pause goes on: of its middle nothing is kept
            middle = len(self._frames) - PAUSE
            for kept in (self._samples, self._frames, self._voice):
                del kept[middle : middle + 1]
        self._samples.append(samples)
        self._frames.append(self._number)
        self._voice.append(voice)
        self._number += 1

    def cut(self) -> Window | None:
        """The frames before the best place to cut; the rest begin the next window."""
        return self._take(self._place())

    def rest(self) -> Window | None:
        return self._take(len(self._frames))

    def _place(self) -> int:
        """The middle of the longest silence in the last part, else its least voiced frame."""
        first = int(len(self._voice) * (1 - LATEST))
        voice = np.array(self._voice[first:])
        silent = np.flatnonzero(voice < SPEAKS)
        if not len(silent):
            return first + int(voice.argmin()) + 1
        runs = np.split(silent, np.flatnonzero(np.diff(silent) > 1) + 1)
        longest = max(runs, key=lambda run: (len(run), run[0]))
        return first + int(longest[len(longest) // 2]) + 1

    def _take(self, stop: int) -> Window | None:
        voice = np.array(self._voice[:stop], dtype=np.float32)
        spoken = np.flatnonzero(voice >= SPEAKS)
        window = None
        if np.count_nonzero(voice >= SURE) >= LEAST_SURE:
            begin, end = max(0, int(spoken[0]) - MARGIN), min(stop, int(spoken[-1]) + 1 + MARGIN)
            window = Window(
                np.concatenate(self._samples[begin:end]),
                np.array(self._frames[begin:end], dtype=np.int64),
                voice[begin:end],
            )
        for kept in (self._samples, self._frames, self._voice):
            del kept[:stop]
        return window
