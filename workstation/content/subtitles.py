"""Subtitles (SRT, WebVTT): beside a recording, inside it, or as files of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

from workstation.content import text
from workstation.content.adapters import MEDIA_SUFFIXES, SUBTITLE_SUFFIXES, Extraction
from workstation.content.document import Document
from workstation.content.encodings import decode
from workstation.content.errors import ContentError, NothingToRead, Unreadable
from workstation.content.media_audio import MEDIA, Cue
from workstation.content.media_text import Spoken, is_sound_only, laid_out
from workstation.core.cancel import CancelToken

LARGEST = 16 << 20  # bytes; the subtitles of a day are 2 MB
_TAG = re.compile(r"<[^<>]{0,80}>|\{\\[^{}]{0,80}\}")  # <i>, <v Anna>, {\an8}
_LANGUAGE = re.compile(r"\.([a-z]{2})(?:[-_][A-Za-z]{2,4})?$")  # talk.en.srt, talk.pt-BR.vtt


@dataclass(frozen=True, slots=True)
class Subtitles:
    """name: the file they stand in, or "inside the file". language: two letters, None when not stated."""

    cues: tuple[Cue, ...]
    name: str
    language: str | None


def extract(document: Document, cancel: CancelToken, *, subtitles: bool = True) -> Extraction:
    """A subtitle file by itself, with its times. One that belongs to a recording beside it is read together with that
    (unless `subtitles` says that recordings are read without)."""
    cancel.check()
    if subtitles and (recording := _recording(document.file)):
        raise NothingToRead(f"these are the subtitles of {recording.name}, and are read with it")
    if find_spec("webvtt") is None:
        return text.extract(document, cancel)
    cues = parsed(document.read(), document.name)
    laid, segments = laid_out(Spoken(cue.t0, cue.t1, cue.text) for cue in cues)
    if not laid:
        raise NothingToRead("the file holds no subtitles")
    language = _LANGUAGE.search(Path(document.name).stem)
    return Extraction(
        text=laid,
        title=document.stem,
        kind="subtitles",
        segments=segments,
        language=language[1] if language else None,
        markdown=False,
    )


def beside(recording: Path | None) -> Subtitles | None:
    """The subtitles of the same name beside a recording: talk.srt, talk.vtt, else talk.en.srt and the like. Files that
    cannot be read as such are passed over."""
    for file in _candidates(recording) if recording else ():
        try:
            if file.stat().st_size > LARGEST:
                continue
            cues = parsed(file.read_bytes(), file.name)
        except (ContentError, OSError):
            continue
        if cues:
            language = _LANGUAGE.search(file.stem)
            return Subtitles(tuple(cues), file.name, language[1] if language else None)
    return None


def came_since(recording: Path | None, moment: str) -> bool:
    """Whether subtitles beside a recording were put there, or changed, after this moment (ISO 8601)."""
    since = datetime.fromisoformat(moment).timestamp()
    return any(file.stat().st_ctime > since for file in (_candidates(recording) if recording else ()))


def inside(file: Path, cancel: CancelToken) -> Subtitles | None:
    """The text subtitles in a video, cleaned; None when there are none after all."""
    try:
        cues, language = MEDIA.subtitles(file, cancel)
    except ContentError:
        return None
    clean = list(_clean(cues))
    return Subtitles(tuple(clean), "inside the file", _two_letters(language)) if clean else None


def parsed(raw: bytes, name: str) -> list[Cue]:
    """The cues of an SRT or WebVTT file, without mark-up. Raises Unreadable for another format."""
    import webvtt
    from webvtt.errors import MalformedCaptionError, MalformedFileError

    lines = decode(raw).text.splitlines()
    kind = "vtt" if lines and lines[0].lstrip("\ufeff").startswith("WEBVTT") else "srt"
    try:
        captions = webvtt.from_buffer(lines, format=kind).captions
        cues = [Cue(_seconds(each.start), _seconds(each.end), each.text) for each in captions]
    except (MalformedFileError, MalformedCaptionError, ValueError) as error:
        raise Unreadable(f"{name} is not a subtitle file: {error}") from error
    return list(_clean(cues))


def _clean(cues: Iterable[Cue]) -> Iterator[Cue]:
    """Without mark-up and notes about sounds, and without the lines that roll on from the cue before."""
    before: list[str] = []
    for cue in cues:
        lines = [" ".join(_TAG.sub("", line).split()) for line in cue.text.split("\n")]
        lines = [line for line in lines if line and not is_sound_only(line)]
        fresh = lines[_rolled(before, lines) :]
        before = lines or before
        if fresh:
            yield Cue(cue.t0, max(cue.t0, cue.t1), " ".join(fresh))


def _rolled(before: list[str], lines: list[str]) -> int:
    """How many of the first lines are the last lines of the cue before."""
    return next((size for size in range(len(lines), 0, -1) if before[-size:] == lines[:size]), 0)


def _seconds(stamp: str) -> float:
    """ "00:01:02.500" in seconds."""
    seconds = 0.0
    for part in stamp.replace(",", ".").split(":"):
        seconds = seconds * 60 + float(part)
    return seconds


def _candidates(recording: Path) -> list[Path]:
    found = [recording.with_suffix(suffix) for suffix in SUBTITLE_SUFFIXES]
    named = [
        file
        for file in sorted(recording.parent.glob(f"{_literal(recording.stem)}.*"))
        if file.suffix.lower() in SUBTITLE_SUFFIXES and _LANGUAGE.sub("", file.stem) == recording.stem
    ]
    return [file for file in dict.fromkeys(found + named) if file.is_file()]


def _recording(file: Path | None) -> Path | None:
    """The recording that a subtitle file belongs to."""
    if file is None:
        return None
    stems = {file.stem, _LANGUAGE.sub("", file.stem)}
    beside = sorted(other for stem in stems for other in file.parent.glob(f"{_literal(stem)}.*"))
    return next((o for o in beside if o.suffix.lower() in MEDIA_SUFFIXES and o.stem in stems and o.is_file()), None)


def _literal(name: str) -> str:
    """For glob: brackets, stars and question marks as they stand."""
    return re.sub(r"([\[*?])", r"[\1]", name)


def _two_letters(language: str) -> str | None:
    """A two-letter code; of the three-letter codes of containers only the common ones."""
    if len(language) == 2:
        return language.lower()
    return {
        "eng": "en", "ger": "de", "deu": "de", "fre": "fr", "fra": "fr", "spa": "es", "ita": "it", "por": "pt",
        "rus": "ru", "jpn": "ja", "chi": "zh", "zho": "zh", "ara": "ar", "dut": "nl", "nld": "nl", "pol": "pl",
    }.get(language.lower())  # fmt: skip
