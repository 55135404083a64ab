"""Recordings for tests, put together from real clips."""

from __future__ import annotations

import wave
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

CLIPS = Path(__file__).resolve().parents[2] / "data" / "audio"
RATE = 16_000
Sound = NDArray[np.int16]


def clip(name: str) -> Sound:
    with wave.open(str(CLIPS / f"{name}.wav")) as file:
        return np.frombuffer(file.readframes(file.getnframes()), dtype=np.int16)


def silence(seconds: float) -> Sound:
    return np.zeros(int(seconds * RATE), dtype=np.int16)


def wav(path: Path, *parts: Sound) -> Path:
    samples = np.concatenate(parts)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, len(samples), "NONE", ""))
        file.writeframes(samples.tobytes())
    return path


def video(
    path: Path, tracks: list[Sound], *, default: int = 0, cues: tuple[tuple[float, float, str], ...] = ()
) -> Path:
    """A Matroska file with these audio tracks, and subtitles."""
    import av
    from av.stream import Disposition

    with av.open(str(path), "w") as container:
        streams = [container.add_stream("flac", rate=RATE, layout="mono") for _ in tracks]
        streams[default].disposition = Disposition.default
        texts = container.add_mux_stream("subrip") if cues else None
        for stream, samples in zip(streams, tracks, strict=True):
            for at in range(0, len(samples), 4096):
                frame = av.AudioFrame.from_ndarray(samples[None, at : at + 4096], format="s16", layout="mono")
                frame.sample_rate, frame.pts = RATE, at
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        for start, end, text in cues:
            packet = av.Packet(text.encode())
            packet.stream, packet.time_base = texts, Fraction(1, 1000)
            packet.pts = packet.dts = int(start * 1000)
            packet.duration = int((end - start) * 1000)
            container.mux(packet)
    return path
