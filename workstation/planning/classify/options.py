"""The things that a comparison puts side by side, as they were written."""

from __future__ import annotations

import re
from functools import cache

from workstation.planning.classify.words import Typed, any_of, entry, languages, names, patterns, unspaced, words

_COUNT = (2, 6)
_FORMS = (("compare", "and"), ("choose", "or"), ("versus", "and"))  # keys of the table, and what joins the things
_VERSUS = re.compile(r"\s(?:vs\.?|versus|v/s)\s")
_BEHIND = re.compile(r"[:;?(]|,\s")  # Python vs Java: which is faster?
_QUOTED = re.compile(r'"[^"]*"')


def things(body: Typed) -> tuple[str, ...]:
    """Two to six things that the whole of `body` asks to compare; none when it does not, or when it cannot be told with
    certainty where one ends and the next begins."""
    for language in languages(body.text):
        for key, joiner in _FORMS:
            for pattern in patterns(language, key):
                found = pattern.fullmatch(body.text)
                if found and (parts := _captured(body, found, language, joiner)):
                    return parts
    return _opposed(body)


def _captured(body: Typed, found: re.Match[str], language: str, joiner: str) -> tuple[str, ...]:
    if "l" in found.re.groupindex:
        return _checked(_listed(body.cut(*found.span("l")), language, joiner), language)
    first, rest = (body.cut(*found.span(group)) for group in ("a", "b"))
    return _checked([first, *(_listed(rest, language, joiner) or [_without_aspect(rest, language)])], language)


def _opposed(body: Typed) -> tuple[str, ...]:
    """`A vs B`, with or without a question behind it."""
    marks = list(_VERSUS.finditer(body.text))
    if not marks or body.text.split()[0] in words("question") | words("imperative"):
        return ()
    end = _BEHIND.search(body.text, marks[-1].end())
    sides = body.cut(0, end.start() if end else len(body.text))
    for language in languages(body.text):
        sides = _without_aspect(sides, language)
    return _checked(_split(sides, [mark for mark in marks if mark.end() < len(sides.text)]), "en")


def _checked(parts: list[Typed], language: str) -> tuple[str, ...]:
    parts = [part.strip(" ", " ?.!,;:،") for part in parts]
    least, most = _COUNT
    distinct = len({part.text for part in parts}) == len(parts)
    sound = least <= len(parts) <= most and distinct and all(names(part, language) for part in parts)
    return tuple(part.written() for part in parts) if sound else ()


def _listed(listed: Typed, language: str, joiner: str) -> list[Typed]:
    """The parts of `A and B`, `A, B and C` or `A vs B`; none when it is unclear where one ends: more than one `and`, or
    commas inside the parts."""
    listed = _without_aspect(listed, language)
    masked = _QUOTED.sub(lambda quoted: "x" * len(quoted.group()), listed.text)
    if _VERSUS.search(masked):
        return _split(listed, list(_VERSUS.finditer(masked)))
    marks = list(_separator(language, joiner).finditer(masked))
    joined = [mark.group().strip(" ,、،") != "" for mark in marks]
    if not marks or (joiner == "or" and not any(joined)):
        return []
    parts = _split(listed, marks)
    if all(joined):
        single = not unspaced(language) and all(" " not in part.text.strip() for part in parts)
        return parts if len(marks) == 1 or single else []
    last = joined[-1] or not any_of("and").search(masked, marks[-1].end())
    return parts if last and not any(joined[:-1]) else []


def _split(listed: Typed, marks: list[re.Match[str]]) -> list[Typed]:
    starts = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(listed.text)]
    return [listed.cut(start, end) for start, end in zip(starts, ends, strict=True)]


@cache
def _separator(language: str, joiner: str) -> re.Pattern[str]:
    """A comma, a word that joins, or both; no comma before a year (September 30, 2019)."""
    word = entry(language, joiner)
    if unspaced(language):
        return re.compile(rf"\s*[,、]\s*(?:{word})?|(?<=.)\s*(?:{word})\s*(?=.)")
    after = r"\s?" if word == "و" else r"\s+"  # the Arabic word for and is a part of the next word
    return re.compile(rf"\s*[,،](?! ?\d{{4}})\s*(?:(?:{word}){after})?|\s+(?:{word}){after}(?=\S)")


def _without_aspect(part: Typed, language: str) -> Typed:
    """Without what it is that is compared (`in terms of cost`)."""
    aspect = entry(language, "aspect")
    found = re.search(rf"\s(?:{aspect})(?!\w)", part.text) if aspect else None
    return part.cut(0, found.start()) if found else part
