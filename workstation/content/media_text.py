"""From what was said to a text with time codes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from workstation.content.adapters import Segment

PARAGRAPH = 2.0  # seconds of silence that begin a paragraph
_SENTENCE_END = (".", "?", "!", "…", "。", "？", "！", '"', "”", "»")
_LONG = 600  # characters after which any end of a sentence at a pause begins one
_BREATH = 0.4  # seconds: such a pause
_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿豈-﫿฀-๿]")  # Japanese, Chinese, Thai
_NOT_SAID = re.compile(r"\s*(?:[\[(*♪♫][^\])*]*[\])*♪♫]|[♪♫\s]+)[\s.,!?]*")  # [Music], (laughter), *sighs*, ♪ la la ♪


@dataclass(frozen=True, slots=True)
class Spoken:
    """A piece of text from t0 to t1 seconds."""

    t0: float
    t1: float
    text: str


def is_sound_only(text: str) -> bool:
    """Is it a note about a sound, such as [Music], and no words?"""
    return bool(_NOT_SAID.fullmatch(text)) or not any(character.isalnum() for character in text)


def laid_out(pieces: Iterable[Spoken]) -> tuple[str, tuple[Segment, ...]]:
    """The text in paragraphs that follow the pauses, and the segments with their offsets into it."""
    text = ""
    segments: list[Segment] = []
    paragraph = 0
    for piece in pieces:
        words = " ".join(piece.text.split())
        if not words:
            continue
        if text:
            gap = _gap(text, len(text) - paragraph, segments[-1].t1, piece.t0, words)
            text += gap
            paragraph = len(text) if gap == "\n\n" else paragraph
        segments.append(Segment(len(text), len(text) + len(words), round(piece.t0, 2), round(piece.t1, 2)))
        text += words
    return text, tuple(segments)


def _gap(text: str, length: int, before: float, after: float, words: str) -> str:
    pause = after - before
    if pause >= PARAGRAPH or (pause >= _BREATH and length > _LONG and text.endswith(_SENTENCE_END)):
        return "\n\n"
    return "" if _UNSPACED.match(text[-1]) and _UNSPACED.match(words[0]) else " "
