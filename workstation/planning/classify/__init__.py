"""What a person typed, and where it goes: before any model call, from the words alone.

The served routes (nothing to look up, a place to open, a list of the library) need the whole input to be of their form.
Whatever is left open is searched: a question that is searched without need costs a moment, one that is answered with a
list of sources is lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from workstation.planning.classify.options import things
from workstation.planning.classify.places import Place, address, file_name, page_alone, place, quotation
from workstation.planning.classify.words import (
    Typed,
    any_of,
    entry,
    expanded,
    fold,
    function_words,
    joined_words,
    languages,
    names,
    patterns,
    table,
    typed,
    words,
)
from workstation.retrieval.lexical import UNSPACED

__all__ = ["Intent", "Place", "Route", "classify"]

Intent = Literal["nothing", "greeting", "locate", "catalogue", "calculate", "compare", "research", "unknown"]

_LONGEST = 400  # characters; a longer text is prose, of which only the beginning is looked at


@dataclass(frozen=True, slots=True)
class Route:
    """Where an input goes. `place` belongs to locate; `about` to catalogue ("" = all of it); `options` to compare, as
    they were written; `why` is for a log."""

    intent: Intent
    place: Place | None = None
    about: str = ""
    options: tuple[str, ...] = ()
    why: str = ""


def classify(text: str) -> Route:
    """The route of an input. Pure; no library, no model. About 0.2 ms; the first call reads the table and compiles the
    patterns of the scripts it meets, 0.15 s."""
    if not _SAYS.search(text):
        return Route("nothing", why="no letters or digits")
    if (phrase := quotation(text)) and _SAYS.search(phrase) and not _asks(typed(phrase[:_LONGEST])):
        return Route("locate", place=_quoted(phrase), why="one quotation")
    if url := address(text):
        return Route("locate", place=Place(url=url), why="one address")
    stripped = text.strip()
    whole = typed(stripped[:_LONGEST])
    if len(stripped) > _LONGEST:
        return _searched(whole)
    if _function_word(whole):
        return Route("nothing", why="a function word")
    request = _after_greeting(whole)
    if not request.text:
        return Route("greeting", why="a greeting or small talk")
    asked = _without_courtesies(request)
    if where := place(asked):
        return Route("locate", place=where, why="a bare locator")
    return _arithmetic(asked) or _catalogue(asked) or _calculation(asked) or _comparison(asked) or _searched(request)


_SAYS = re.compile(r"[^\W_]")
_ONE_WORD = re.compile(r"\W*(\w+)\W*")
_WORD = re.compile(r"\w+(?:['.-]\w+)*")


# Nothing to look up


def _function_word(whole: Typed) -> bool:
    """Whether the input is one word that says nothing by itself. All capitals are a name: WHO."""
    found = _ONE_WORD.fullmatch(whole.text)
    if not found or found[1] not in function_words():
        return False
    return len(found[1]) == 1 or not whole.written(*found.span(1)).isupper()


_BEFORE = "¿¡\"'(-.…,;:"
_AFTER = ".?!,;:…。、،؟\"')-"


def _after_greeting(whole: Typed) -> Typed:
    """What follows a greeting and a punctuation mark: nothing when the input is all greeting, the whole input when it
    does not begin with one."""
    text = whole.text
    at = len(text) - len(text.lstrip(_BEFORE + " "))
    met, cut = False, 0
    while found := _greeting().match(text, at):
        met, at = met or found["greeting"] is not None, found.end()
        cut = at if met and _BOUNDARY.search(found["mark"]) else cut
    greeted = met and not _SAYS.search(text, at)
    return whole.cut(len(text) if greeted else cut, len(text))


_BOUNDARY = re.compile(r"[,.!?;:…。、،؟-]")


@cache
def _greeting() -> re.Pattern[str]:
    greeting, filler = any_of("greeting").pattern, any_of("filler").pattern
    return re.compile(rf"(?:(?P<greeting>{greeting})|{filler})(?P<mark>[^\w\[#\"'~/(<]*)")


def _without_courtesies(request: Typed) -> Typed:
    """Without `please`, `could you` and the like at either end."""
    body = request.strip("¿¡,;:!-", "")
    while found := _polite_first().match(body.text):
        body = body.cut(found.end(), len(body.text))
    while found := _polite_last().search(body.text):
        body = body.cut(0, found.start())
    return body


@cache
def _polite_first() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of('polite').pattern})[\s,]*(?=\S)")


@cache
def _polite_last() -> re.Pattern[str]:
    return re.compile(rf"(?<=\S)[\s,]*(?:{any_of('polite').pattern})[.!?。]*$")


def _quoted(phrase: str) -> Place:
    """A quoted file name or address is that file or address, everything else a phrase to find."""
    if url := address(phrase):
        return Place(url=url)
    return Place(name=phrase) if file_name(fold(phrase)) else Place(quote=phrase)


# The library


def _catalogue(asked: Typed) -> Route | None:
    body = asked.strip(_BEFORE, _AFTER)
    for language in languages(body.text):
        for pattern in patterns(language, "catalogue"):
            if not (found := pattern.fullmatch(body.text)):
                continue
            if "x" not in pattern.groupindex:
                return Route("catalogue", why=f"a list of the library ({language})")
            topic = _without_place(body.cut(*found.span("x")), language).strip("", _AFTER)
            if names(topic, language):
                return Route("catalogue", about=topic.written(), why=f"a part of the library ({language})")
    return None


def _without_place(topic: Typed, language: str) -> Typed:
    """Without `in the library` behind a topic."""
    here = entry(language, "here")
    found = re.search(rf"\s(?:{expanded(language, here)})$", topic.text) if here else None
    return topic.cut(0, found.start()) if found else topic


# Numbers

_YEAR = re.compile(r"1\d{3}|20\d\d")
_NUMBER = r"[(\s]*-?\d+(?:[.,]\d+)*\s*%?[)\s]*"
_SIGN = re.compile(r"[+*×÷^]|\s[-/x]\s")  # 24/7, 4x4 and 555-1234 are no sums
_YEARS = re.compile(rf"({_YEAR.pattern})\s?-\s?({_YEAR.pattern})")


def _arithmetic(asked: Typed) -> Route | None:
    """Numbers with operators between them. A range of years is none."""
    text = asked.text.rstrip(" ?.؟。")
    before, after = _equals().match(text), _equals_after().search(text)
    expression = text[before.end() if before else 0 : after.start() if after else len(text)].strip()
    wanted = bool(before or after) or expression.endswith("=")
    if not _expression().fullmatch(expression):
        return None
    years = _YEARS.fullmatch(expression)
    span = years is not None and years.group(1) < years.group(2)
    sum_ = _SIGN.search(expression) or any(c.isalpha() and c != "x" for c in expression) or "% " in expression
    return Route("calculate", why="plain arithmetic") if wanted or (sum_ and not span) else None


@cache
def _equals() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of('equals').pattern})\s*")


@cache
def _equals_after() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{'|'.join(_entries('equals_after'))})$")


@cache
def _expression() -> re.Pattern[str]:
    operator = "|".join([r"[-+*/x×÷^]", r"\*\*", *_entries("operator")])
    percent = "|".join(_entries("percent"))
    return re.compile(rf"{_NUMBER}(?:(?:{operator}){_NUMBER})+=?|\d+(?:[.,]\d+)*\s*(?:{percent})\s*{_NUMBER}")


def _entries(key: str) -> list[str]:
    return [part for language in table() if (part := entry(language, key))]


def _calculation(asked: Typed) -> Route | None:
    text = asked.strip(_BEFORE, _AFTER).text
    for language in languages(text):
        if any(pattern.fullmatch(text) for pattern in patterns(language, "calculate")):
            return Route("calculate", why=f"a number to be worked out ({language})")
    return None


# Things side by side


def _comparison(asked: Typed) -> Route | None:
    options = things(asked.strip(_BEFORE.replace('"', ""), _AFTER.replace('"', "")))
    if options and all(map(_FIGURE.fullmatch, options)) and not all(map(_YEAR.fullmatch, options)):
        return Route("calculate", why="numbers side by side")
    return Route("compare", options=options, why=f"{len(options)} things side by side") if options else None


_FIGURE = re.compile(r"[\d.,\s%]+")


# Everything else is searched

_GARBLED = re.compile(r"[b-df-hj-np-tv-xz]{4,}")
_SCRIPT_RUN = re.compile(r"[\u3400-\u9fff]+|[\u30a0-\u30ff]+")
_TWO_WORDS = 4  # Han characters: most words have two
_PHRASE = 5  # words: to be or not to be
_FIRST_WORDS = 3  # in which year, à quelle heure, в каком году


def _asks(whole: Typed) -> bool:
    return whole.text.endswith(("?", "؟")) and _question_word(whole.text)


def _question_word(text: str) -> bool:
    first = _WORD.findall(text)[:_FIRST_WORDS]
    return bool(words("question").intersection(first)) or any(word in text for word in joined_words("question"))


def _searched(request: Typed) -> Route:
    text = request.text
    if page_alone(text):
        return Route("unknown", why="a page of what?")
    content = _content(request)
    ordered = (_WORD.findall(text)[:1] or [""])[0] in words("imperative")
    if content > ordered and ("?" in text or "؟" in text or _question_word(text)):
        return Route("research", why="a question")
    if content > ordered and (ordered or any(word in text for word in joined_words("imperative"))):
        return Route("research", why="a task")
    phrase = content > 1 or len(_WORD.findall(text)) >= _PHRASE
    return Route("research", why="a topic") if phrase else Route("unknown", why="too little to tell")


def _content(request: Typed) -> int:
    """How many words there are that can be looked up. Numbers and single letters count beside another word only."""
    telling, beside = 0, 0
    for found in re.finditer(r"\S+", UNSPACED.sub(" ", request.text)):
        word = found.group().strip(_BEFORE + _AFTER + "()[]<>")
        if not _SAYS.search(word) or word in function_words():
            continue
        garbled = _GARBLED.fullmatch(word) is not None and not request.written(*found.span()).isupper()
        counts = len(word) > 1 and not garbled and any(c.isalpha() for c in word)
        telling += counts
        beside += not counts and not garbled
    telling += sum(_content_unspaced(run.group()) for run in UNSPACED.finditer(request.text))
    return telling + beside if telling else 0


def _content_unspaced(run: str) -> int:
    """About how many words a stretch without spaces holds besides function and question words."""
    if not _SCRIPT_RUN.search(run):
        return 1 + (len(run) > 2 * _TWO_WORDS)
    for word in sorted((*joined_words("question"), *joined_words("function")), key=len, reverse=True):
        run = run.replace(word, " ")
    han: list[bool] = [part[0] >= "\u3400" and len(part) >= _TWO_WORDS for part in _SCRIPT_RUN.findall(run)]
    return len(han) + sum(han)
