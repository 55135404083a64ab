"""The filters that a person writes among the words of a search: kind:pdf lang:de after:2020 before:1999."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

from storage.filters import Filter
from workstation.errors import BadInput

_WRITTEN = re.compile(r'"[^"]*"|(?<!\S)(kind|lang|language|after|before):(\S+)', re.IGNORECASE)
_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
_NAME = re.compile(r"[\w-]+")


class BadDate(BadInput):
    title = "That is not a date"
    hint = "Write a year, a month or a day: 2020, 2020-05, 2020-05-17"


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed: the words to look for, and the filter that stood among them."""

    words: str
    where: Filter


def read_query(text: str) -> Asked:
    """Parts the words from the filters. What is no filter that we know, has no value that it can have, or stands in
    quotes, is text. Kinds and languages add up; of two dates the last one counts."""
    kinds: list[str] = []
    languages: list[str] = []
    dates = {"after": "", "before": ""}

    def take(found: re.Match[str]) -> str:
        name, value = (found[1] or "").lower(), found[2] or ""
        if name == "kind" and _NAME.fullmatch(value):
            kinds.append(value.lower())
        elif name in ("lang", "language") and _NAME.fullmatch(value):
            languages.append(value.lower())
        elif name in dates and is_date(value):
            dates[name] = value
        else:
            return found[0]
        return " "

    words = " ".join(_WRITTEN.sub(take, text).split())
    return Asked(words, Filter(tuple(dict.fromkeys(kinds)), tuple(dict.fromkeys(languages)), **dates))


def narrowed(where: Filter, kinds: tuple[str, ...], languages: tuple[str, ...], after: str, before: str) -> Filter:
    """A filter with what options say added to it. Raises BadDate."""
    for date in filter(None, (after, before)):
        if not is_date(date):
            raise BadDate(date)
    return Filter((*where.kinds, *kinds), (*where.languages, *languages), after or where.after, before or where.before)


def is_date(text: str) -> bool:
    """Whether it is a year, a month or a day of the calendar."""
    if not _DATE.fullmatch(text):
        return False
    try:
        datetime.date.fromisoformat(text + "-01-01"[len(text) - 4 :] if len(text) < 10 else text)
    except ValueError:
        return False
    return True
