"""A bare locator: an input that is nothing but a place to open, such as `report.pdf p. 12`, `[3]` or one quotation."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from workstation.planning.classify.words import Typed, any_of, entry, fold, function_words, table, words

_EXTENSIONS = (
    "pdf|docx?|odt|rtf|txt|text|md|markdown|rst|tex|html?|xhtml|epub|mobi|xlsx?|ods|csv|tsv|pptx?|odp|json|xml|eml|msg|"
    "mp3|m4a|wav|flac|ogg|oga|opus|aac|wma|mp4|m4v|mkv|webm|mov|avi|png|jpe?g|tiff?|gif|bmp|webp|srt|vtt"
)
_FILE = re.compile(rf"[^\s/\\.]\.(?:{_EXTENSIONS})(?=$|[\s\"'),;])")
_URL = re.compile(r"https?://[^\s/?#<>\"]++[^\s<>\"]*+", re.IGNORECASE)
_TITLE_WORDS = 10  # a longer text that ends in a page number is prose

# What opens a quotation, and what may close it.
_MARKS = {
    '"': '"', "“": '”"', "„": '“”"', "”": "”", "«": "»", "»": "«", "‹": "›", "›": "‹", "「": "」", "『": "』",
    "‘": "’", "‚": "‘’", "'": "'", "’": "’", "＂": "＂", "｢": "｣", "〝": "〟〞",
}  # fmt: skip
_INVISIBLE = "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_BLANK = " \t\r\n\u00a0\u202f\u3000"


@dataclass(frozen=True, slots=True)
class Place:
    """What a bare locator names. `name` is a file name or a part of a title, `page` counts from 1, `seconds` from the
    start of a recording, `url` is http or https, `quote` is the phrase of an input that is one quotation. Names,
    addresses and quotations stand as they were written. A page alone belongs to what is open."""

    source: int | None = None
    name: str = ""
    page: int | None = None
    seconds: float | None = None
    url: str = ""
    quote: str = ""


def quotation(raw: str) -> str:
    """The phrase, as written, of an input that is one quotation from beginning to end, else ""."""
    text = raw.strip(_BLANK + _INVISIBLE).rstrip(".,;!…。، ")
    closing = _MARKS.get(text[:1], "")
    if len(text) < 3 or text[-1] not in closing:
        return ""
    inner = text[1:-1]
    seen = _APOSTROPHE.sub("", inner) if text[0] in "'‘‚’" else inner
    if text[0] in seen or any(mark in seen for mark in closing):
        return ""
    return inner.strip(_BLANK + _INVISIBLE)


def address(written: str) -> str:
    """The http(s) address that the text is, as written, else ""."""
    bare = written.strip(_BLANK + _INVISIBLE).removeprefix("<").removesuffix(">").rstrip(".,;!")
    return bare if _URL.fullmatch(bare) and bare.isprintable() else ""


def place(asked: Typed) -> Place | None:
    """The place that the whole of `asked` names, with a verb before or after it or without; None when it is more, or
    less, than a locator."""
    body = asked.strip("¿¡", ".,;!…。،")
    if url := address(body.written()):
        return Place(url=url)
    if found := _verb("find").match(body.text):
        sought = body.cut(found.end(), len(body.text))
        if quote := quotation(sought.written()):
            return Place(quote=quote)
        if file_name(sought.text) and _alone(sought.text):
            return Place(name=sought.written())
    verb, bare = _request(body.strip("", "?؟"))
    if not verb and body.text.endswith(("?", "؟")):
        return None
    rest, where, sure = _positions(bare)
    if rest.text:
        return _named(rest, where, verb, sure)
    return where if verb and where.page else None


def file_name(text: str) -> bool:
    """Whether a folded text ends like the name of a file, and holds one such name only."""
    found = list(_FILE.finditer(text))
    return len(found) == 1 and found[0].end() == len(text)


def page_alone(text: str) -> bool:
    """Whether a folded text is a page number and nothing else."""
    found = _page_last().search(text) or _PAGE_LAST_JOINED.search(text)
    return found is not None and found.start() == 0


def _request(body: Typed) -> tuple[str, Typed]:
    """Which verb there is ("open", "show" or none), and the text without it."""
    for verb in ("open", "show"):
        if found := _verb(verb).match(body.text):
            return verb, body.cut(found.end(), len(body.text))
    if found := _verb_after().search(body.text):
        return "open", body.cut(0, found.start())
    return "", body


@cache
def _verb(key: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(key).pattern})[\s,:]*(?:(?:{any_of('polite').pattern})[\s,]*)?")


@cache
def _verb_after() -> re.Pattern[str]:
    return re.compile("(?:" + "|".join(entry(language, "open_after") or "(?!)" for language in table()) + ")$")


def _positions(bare: Typed) -> tuple[Typed, Place, bool]:
    """The text without the page and the time around it, these two, and whether neither can be a part of a title."""
    where, sure = Place(), True
    for pattern in (_PAGE_LAST_JOINED, _page_last(), _TIME_LAST, _page_last(), _page_first()):
        if not (found := pattern.search(bare.text)):
            continue
        groups = found.groupdict()
        if "page" in groups and where.page is None and int(groups["page"]) > 0:
            where = replace(where, page=int(groups["page"]))
            sure = sure and groups.get("loose") is None
        elif "second" in groups and where.seconds is None:
            where = replace(where, seconds=_seconds(groups["hour"], groups["minute"], groups["second"]))
            sure = sure and bool(groups["sign"])
        else:
            continue
        first = found.start() == 0 and found.end() < len(bare.text)
        bare = bare.cut(found.end(), len(bare.text)) if first else bare.cut(0, found.start())
        bare = bare.strip(",;:", ",;:(")
    return bare, where, sure


def _seconds(hour: str | None, minute: str, second: str) -> float:
    return int(hour or 0) * 3600 + int(minute) * 60 + float(second)


_PAGE_LAST_JOINED = re.compile(r"の?第?\s*(?P<page>\d{1,5})\s*(?:页|頁|ページ)目?$")
# 12:31, @ 00:12:31, at 1:02:03.5
_TIME_LAST = re.compile(
    r"(?:\s*(?P<sign>@)\s*|[\s,;]+)(?:(?P<hour>\d{1,3}):(?=\d\d:))?(?P<minute>\d{1,3}):(?P<second>[0-5]\d(?:\.\d{1,3})?)$"
)


@cache
def _page_last() -> re.Pattern[str]:
    """`p. 12`, `, page 12`, `(pp. 12-14)`; "loose" where letters without a full stop stand for the word."""
    return re.compile(rf"(?:^|(?<=[\s,;(\]\"])){_page_mark('(?P<loose>)')}(?:\s*-\s*\d{{1,5}})?\)?$")


@cache
def _page_first() -> re.Pattern[str]:
    """`page 12 of ` and the like; always loose: `page 1 of the history of printing`."""
    of = "|".join(part for language in table() for key in ("of", "within") if (part := entry(language, key)))
    return re.compile(rf"^(?:(?:the|die|la|a) )?{_page_mark('')}(?P<loose>)[\s,]+(?:(?:{of})\s+)?")


def _page_mark(bare: str) -> str:
    word = "|".join(part for language in table() if (part := entry(language, "page")))
    brief = "|".join(part for language in table() if (part := entry(language, "brief")))
    return rf"(?:(?:{word})|(?:{brief})(?:\.|{bare}))\s*(?P<page>\d{{1,5}})"


def _named(rest: Typed, where: Place, verb: str, sure: bool) -> Place | None:
    """`where` with the source, the address, the file or the title that `rest` is; None when it is something else."""
    positioned = where != Place()
    if found := _source().fullmatch(_without_last(rest).text):
        number = next(int(group) for group in found.groups() if group)
        return replace(where, source=number) if number else None
    if url := address(_without_last(rest).written()):
        return replace(where, url=url)
    if (inner := quotation(rest.written())) and (verb or positioned):
        return replace(where, name=inner)
    named = _without_noun(_without_last(rest))
    if file_name(named.text):
        return replace(where, name=named.written()) if verb == "open" or _alone(named.text) else None
    titled = positioned and (sure or verb == "open")
    return replace(where, name=rest.written()) if titled and _title(rest.text) else None


_NUMBER = fold("number|nummer|numéro|número|numero|номер|رقم")


@cache
def _source() -> re.Pattern[str]:
    """`source 12`, `Quelle Nr. 12`, `[12]`, `#12`."""
    word = "|".join(part for language in table() if (part := entry(language, "source")))
    number = r"(\d{1,6})"
    named = rf"(?:the |die |la |a )?(?:{word})\s?:?\s*(?:no\.?|nr\.?|n°|#|{_NUMBER})?\s*{number}"
    return re.compile(rf"{named}|\[\s*{number}\s*\]|#\s?{number}")


def _without_last(rest: Typed) -> Typed:
    """Without a word that led to the page or time: `report.pdf on`, `relazione.pdf a`."""
    found = _last_at().search(rest.text)
    return rest.cut(0, found.start()).strip("", ",;") if found else rest


@cache
def _last_at() -> re.Pattern[str]:
    return re.compile(rf"\s(?:{any_of('at').pattern})$")


def _without_noun(rest: Typed) -> Typed:
    """Without `the file` and the like before a name."""
    found = _noun().match(rest.text)
    return rest.cut(found.end(), len(rest.text)) if found else rest


@cache
def _noun() -> re.Pattern[str]:
    return re.compile(rf"(?:the )?(?:{any_of('file').pattern})[\s:]+(?!/)")


def _alone(text: str) -> bool:
    """Whether a text that ends in a file's name is that name and no sentence about it (`wages in report.pdf`)."""
    spoken = text.split()
    return len(spoken) == 1 or (_no_sentence(spoken) and not _leads(spoken[-4:-1], "of", *_TO_A_PLACE))


_TO_A_PLACE = ("within", "at", "about")


def _leads(spoken: list[str], *keys: str) -> bool:
    """Whether one of the words leads to a place or a topic: in, on, about."""
    return any(any_of(key).fullmatch(word) for word in spoken for key in keys)


def _title(text: str) -> bool:
    spoken = text.split()
    whole = spoken[-1] not in function_words() and not _leads(spoken, *_TO_A_PLACE)
    return _no_sentence(spoken) and whole and any(c.isalpha() for c in text)


def _no_sentence(spoken: list[str]) -> bool:
    orders = words("question") | words("imperative")
    return len(spoken) <= _TITLE_WORDS and spoken[0] not in orders and not any("?" in word for word in spoken)
