"""Dates in a text, in several notations and languages. A date is checked as a whole, not as three numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workstation.reading.digits import ascii_digits

# Month names; a word may stand in several languages. After | the short forms, which count only beside a figure.
_MONTHS = """
january januar janvier enero gennaio janeiro januari января январь | jan janv ene gen янв
february februar février febrero febbraio fevereiro februari февраля февраль | feb févr fev фев
march märz mars marzo março maart марта март | mar mrt мар
april abril avril aprile апреля апрель | apr avr abr апр
may mai mayo maggio maio mei мая май | mag
june juni juin junio giugno junho июня июнь | jun giu июн
july juli juillet julio luglio julho июля июль | jul juil lug июл
august août agosto augustus августа август | aug ago авг
september septembre septiembre settembre setembro сентября сентябрь | sep sept set сен
october oktober octobre octubre ottobre outubro октября октябрь | oct okt ott out окт
november novembre noviembre novembro ноября ноябрь | nov ноя
december dezember décembre diciembre dicembre dezembro декабря декабрь | dec dez déc dic дек
"""
_AMBIGUOUS = {"march", "mars", "may", "mai", "mei", "maio", "august", "marzo", "mayo", "set", "out", "мая", "май"}


def _table() -> tuple[dict[str, int], frozenset[str]]:
    months: dict[str, int] = {}
    alone = set()
    for number, line in enumerate(_MONTHS.strip().splitlines(), start=1):
        full, _, short = line.partition("|")
        months |= dict.fromkeys([*full.split(), *short.split()], number)
        alone |= set(full.split())
    return months, frozenset(alone - _AMBIGUOUS)


MONTHS, _ALONE = _table()
_NAME = "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True))
_ISO = re.compile(r"(?<![\d-])(\d{4})-(\d{1,2})-(\d{1,2})(?![\d-])")
_DOTTED = re.compile(r"(?<![\d./])(\d{1,2})([./])(\d{1,2})\2(\d{4})(?![\d/])")
_CJK = re.compile(r"(?:(\d{1,4})\s*[年년]\s*)?(?<!\d)(\d{1,2})\s*[月월](?:\s*(\d{1,2})\s*[日号號일])?")
_OF = r"(?:\s+(?:of|de|del|di|d['’]|the))?"
_ORDINAL = r"(?:st|nd|rd|th|er|\.|º|°)?"
_WORDS = re.compile(
    rf"(?:(?<![\d.,])(\d{{1,2}}){_ORDINAL}{_OF}\s+)?(?<!\w)({_NAME})(?!\w)\.?"
    rf"(?:\s+(\d{{1,2}})(?:st|nd|rd|th)?(?![\d%.,]\d|\d|\s*%))?(?:,?{_OF}\s+(\d{{3,4}})(?![\d.,]\d|\d|\s*%))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Date:
    """What a text says of a date; text[start:end]. `month` has two values where the order of day and month is open."""

    start: int
    end: int
    year: int | None
    month: frozenset[int]
    day: frozenset[int]

    def says(self, other: Date) -> bool:
        """True when this date carries `other`: everything that `other` names is here and equal."""
        return other.year in (None, self.year) and _meets(self.month, other.month) and _meets(self.day, other.day)

    def without_year(self) -> Date:
        return Date(self.start, self.end, None, self.month, self.day)


def dates(text: str) -> list[Date]:
    """The dates of a text that name at least a month. Plain years are numbers."""
    text = ascii_digits(text)
    found: list[Date] = []
    for date in (*_figures(text), *_named(text)):
        if not any(date.start < d.end and d.start < date.end for d in found):
            found.append(date)
    return sorted(found, key=lambda d: d.start)


def _figures(text: str) -> Iterator[Date]:
    for m in _ISO.finditer(text):
        yield _date(m, int(m[1]), {int(m[2])}, {int(m[3])})
    for m in _DOTTED.finditer(text):
        first, second = int(m[1]), int(m[3])
        either = m[2] == "/" and first <= 12 and second <= 12
        if either:
            yield _date(m, int(m[4]), {first, second}, {first, second})
        elif second > 12:
            yield _date(m, int(m[4]), {first}, {second})
        else:
            yield _date(m, int(m[4]), {second}, {first})
    for m in _CJK.finditer(text):
        yield _date(m, int(m[1]) if m[1] else None, {int(m[2])}, {int(m[3])} if m[3] else set())


def _named(text: str) -> Iterator[Date]:
    for m in _WORDS.finditer(text):
        name, beside = m[2].casefold(), m[1] or m[3] or m[4]
        if beside or name in _ALONE:
            day = m[1] or m[3]
            yield _date(m, int(m[4]) if m[4] else None, {MONTHS[name]}, {int(day)} if day else set())


def _date(m: re.Match[str], year: int | None, month: set[int], day: set[int]) -> Date:
    return Date(m.start(), m.end(), year, frozenset(month), frozenset(day))


def _meets(have: frozenset[int], want: frozenset[int]) -> bool:
    return not want or bool(have & want)
