"""Which language is spoken in each window of a recording.

A transcriber that is told the wrong language does not stumble: it translates, or makes English out of German, and is as
sure as ever. So the language is heard, not guessed from the text, and it is heard again later: recordings change it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from workstation.content.media_windows import Window

Hear = Callable[[Window], Mapping[str, float]]
"""The probability of each language in a window."""

GROUP = 12  # windows (about five minutes): hearing a language takes a fifth of the time that a window's words take
SURE = 0.8  # measured: right languages had 0.55 to 1.00 in clips of 4 s, the least for two words and for a mixed accent
TRIED = 3  # windows over which a doubtful one is averaged
FEW = 4  # windows after which a last one is not listened to again

ISO = {"jw": "jv", "yue": "zh"}  # whisper's own codes


def with_language(windows: Iterable[Window], hear: Hear, known: Mapping[int, str]) -> Iterator[tuple[Window, str]]:
    """Each window and its language, in order, a group of them at a time.

    The first and the last window of a group are listened to; when they do not agree, so are those between. `known` are
    languages of windows (by number, from 0) that were heard before.
    """
    waiting, number, language = iter(windows), 0, ""
    while group := list(islice(waiting, GROUP)):
        told = [known.get(number + at, "") for at in range(len(group))]
        if not all(told):
            language = language or told[0] or _first(group, hear)
            last = told[-1] or (_one(group[-1], hear, language) if number or len(group) > FEW else language)
            if last == language:
                told = [each or language for each in told]
            else:
                told = [each or _one(window, hear, language) for each, window in zip(told, group, strict=True)]
        yield from zip(group, told, strict=True)
        number, language = number + len(group), told[-1]


def _first(group: list[Window], hear: Hear) -> str:
    """The language at the start: of the first window, or when that leaves doubts of the first few together."""
    shares: dict[str, float] = {}
    for window in group[:TRIED]:
        for language, share in hear(window).items():
            shares[language] = shares.get(language, 0.0) + share
        best = max(shares, key=shares.__getitem__)
        if shares[best] >= SURE:
            break
    return best


def _one(window: Window, hear: Hear, usual: str) -> str:
    """The language of one window: the usual one unless another is heard for sure."""
    shares = hear(window)
    best = max(shares, key=shares.__getitem__)
    return best if shares[best] >= SURE else usual


def iso(language: str) -> str | None:
    """The two-letter code of one of whisper's languages, None where there is none."""
    code = ISO.get(language, language)
    return code if len(code) == 2 else None
