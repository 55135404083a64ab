"""Asks the media helper for sound and subtitles, and outlives its crashes."""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from local_models.protocols import Floats
from workstation.content.errors import NothingToRead, Unreadable
from workstation.core.cancel import CancelToken

RATE, FRAME = 16_000, 512
FRAME_SECONDS = FRAME / RATE
PATIENCE = 60.0  # seconds without an answer; a second of sound takes 0.02 s, and the index of a long file a few
_BLOCK = 1 << 18
_HELPER = Path(__file__).with_name("media_helper.py")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a file says about itself. seconds: how long it is, None when it does not say; exact: the length of the sound
    itself, and not of a film that it belongs to. track: the audio track that is
    read, counted from 1. language: of that track, as the file has it (often three letters). subtitles: the languages of
    its text subtitles ("" where not stated). tags: title, artist, date ..., names in lower case."""

    seconds: float | None
    exact: bool
    tracks: int
    track: int
    language: str
    rate: int
    codec: str
    video: bool
    subtitles: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Sound:
    """Mono at 16 kHz: (n, 512) samples, and for each of the n frames of 32 ms the probability that somebody speaks."""

    samples: Floats
    voice: Floats


@dataclass(frozen=True, slots=True)
class End:
    """How reading ended. damaged: packets that could not be decoded. why: the last error, "" when there was none."""

    damaged: int
    why: str


@dataclass(frozen=True, slots=True)
class Cue:
    """A subtitle: what is shown from t0 to t1 seconds."""

    t0: float
    t1: float
    text: str


class Media:
    """The helper process: started at the first file, and again after a crash; it ends with this process.

    Methods raise Unreadable for a damaged file, NothingToRead for one that has not what is wanted, and Cancelled.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = bytearray()
        atexit.register(self.close)

    def facts(self, file: Path, cancel: CancelToken) -> Facts:
        answer = self._one(file, "facts", cancel)
        return Facts(
            answer["seconds"],
            answer["exact"],
            answer["tracks"],
            answer["track"],
            answer["language"] or "",
            answer["rate"],
            answer["codec"],
            answer["video"],
            tuple(language or "" for language in answer["subtitles"]),
            answer["tags"],
        )

    def subtitles(self, file: Path, cancel: CancelToken) -> tuple[list[Cue], str]:
        """The cues of the subtitles inside a file, and their language ("" when not stated)."""
        answer = self._one(file, "subtitles", cancel)
        return [Cue(*cue) for cue in answer["cues"]], answer["language"] or ""

    def sound(self, file: Path, cancel: CancelToken) -> Generator[Sound | End]:
        """The sound in pieces of about a second, then the End. Little is read ahead of what is taken."""
        with self._asked(file, "sound") as helper:
            while True:
                answer = helper.line(cancel)
                if answer.get("end"):
                    helper.finished()
                    yield End(answer["damaged"], answer["why"])
                    return
                frames = answer["frames"]
                numbers = np.frombuffer(helper.take(4 * frames * (1 + FRAME), cancel), dtype=np.float32)
                yield Sound(numbers[frames:].reshape(frames, FRAME), numbers[:frames])

    def close(self) -> None:
        process, self._process, self._buffer = self._process, None, bytearray()
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()

    def _one(self, file: Path, want: str, cancel: CancelToken) -> dict[str, Any]:
        with self._asked(file, want) as helper:
            answer = helper.line(cancel)
            helper.finished()
            return answer

    def _asked(self, file: Path, want: str) -> _Conversation:
        return _Conversation(self, file, want)


class _Conversation:
    """One request and its answers. A helper that was not listened to until the end is ended."""

    def __init__(self, media: Media, file: Path, want: str) -> None:
        self._media, self._request = media, {"path": str(file), "want": want}
        self._whole = False

    def __enter__(self) -> _Conversation:
        media = self._media
        media._lock.acquire()
        if media._process is None or media._process.poll() is not None:
            media.close()
            media._process = subprocess.Popen(
                [sys.executable, "-I", str(_HELPER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Silero's frames are too small for threads: with four of them it took ten times as long.
                env=os.environ | {"OMP_THREAD_LIMIT": "1"},
                start_new_session=True,  # an interrupt at the keyboard is for the parent to handle
            )
        assert media._process.stdin is not None
        try:
            media._process.stdin.write(json.dumps(self._request).encode() + b"\n")
            media._process.stdin.flush()
        except OSError:  # it has died since; there will be no answer
            pass
        return self

    def __exit__(self, *_: object) -> None:
        if not self._whole:
            self._media.close()
        self._media._lock.release()

    def finished(self) -> None:
        self._whole = True

    def line(self, cancel: CancelToken) -> dict[str, Any]:
        """The next message; an error that it tells is raised."""
        while (end := self._media._buffer.find(b"\n")) < 0:
            self._more(cancel)
        message: dict[str, Any] = json.loads(self.take(end + 1, cancel))
        if "error" in message:
            self._whole = True
            reason = message["error"]
            raise NothingToRead(reason) if message["nothing"] else Unreadable(f"not a readable recording: {reason}")
        return message

    def take(self, size: int, cancel: CancelToken) -> bytes:
        while len(self._media._buffer) < size:
            self._more(cancel)
        taken = bytes(self._media._buffer[:size])
        del self._media._buffer[:size]
        return taken

    def _more(self, cancel: CancelToken) -> None:
        process = self._media._process
        assert process is not None
        assert process.stdout is not None
        descriptor = process.stdout.fileno()
        end = time.monotonic() + PATIENCE
        while not select.select([descriptor], [], [], 0.25)[0]:
            cancel.check()
            if time.monotonic() > end:
                raise Unreadable(f"not a readable recording: decoding stood still for {PATIENCE:.0f} s")
        cancel.check()
        block = os.read(descriptor, _BLOCK)
        if not block:
            raise Unreadable("not a readable recording: the decoder crashed on it")
        self._media._buffer += block


MEDIA = Media()
"""One helper a process: files are read one at a time, and starting it takes 0.2 s."""
