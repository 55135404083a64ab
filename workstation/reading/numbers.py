"""Numbers with their units in a text, and which of a sentence's numbers and dates its evidence does not carry.

Notations: 1,234.5  1.234,5  1 234,5  1'234  12 %  $5.2 million  3:16  B12, in the digits of any script. A token that
can be read in two ways (1,234) has both values. Number words are not read. Values are Decimal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from workstation.reading.dates import Date, dates
from workstation.reading.digits import ascii_digits
from workstation.reading.units import SCALES, scales_in, unit_after, unit_before, units_in

_LETTER = "A-Za-z\u00c0-\u024f\u0370-\u052f"
_SPACE = " \u00a0\u202f\u2009"
_LITERAL = re.compile(r"(?<![\w.])\d+(?::\d+)+(?![\w])|(?<![\w.])\d+(?:\.\d+){2,}(?!\w)")
_CODE = re.compile(rf"(?<![\w])(?=[{_LETTER}\d]*[{_LETTER}])(?=[{_LETTER}\d]*\d)[{_LETTER}\d]+")
_NUMBER = re.compile(rf"(?<![\d.,{_LETTER}])(\d{{1,3}}(?:[{_SPACE}]\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'’]\d+)*)")
_SIGN = re.compile(r"(?:^|[^\w.,)\]])-\s?[$€£¥₹]?\s?$")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|er|re|ère|ème|e|ª|º|s)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as written; `values` are its possible readings, `scaled` the same times million and the like."""

    text: str
    values: frozenset[Decimal]
    scaled: frozenset[Decimal]
    unit: str
    scale: str


@dataclass(frozen=True, slots=True)
class Figures:
    """All that a text says in figures. `literals` are compared as they stand: times, ratios, codes such as B12."""

    text: str
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]
    literals: tuple[str, ...]


def figures(text: str) -> Figures:
    """The figures of a text, each counted once: dates first, then literals, then numbers."""
    text = ascii_digits(text)
    found = dates(text)
    rest = _blank(text, ((d.start, d.end) for d in found))
    marks = [m for m in (*_LITERAL.finditer(rest), *_CODE.finditer(rest)) if not _is_number(m[0])]
    rest = _blank(rest, (m.span() for m in marks))
    return Figures(text, tuple(_quantities(rest)), tuple(found), tuple(dict.fromkeys(m[0] for m in marks)))


def uncarried(sentence: str, evidence: Iterable[str]) -> list[str]:
    """The dates, numbers and codes of `sentence` that none of the `evidence` texts states with that unit."""
    said = figures(sentence)
    known = [figures(text) for text in evidence]
    missing = [said.text[d.start : d.end].strip() for d in said.dates if not any(_has_date(f, d) for f in known)]
    missing += [word for word in said.literals if not any(_has_literal(f, word) for f in known)]
    missing += [q.text for q in said.quantities if not any(_has_quantity(f, q) for f in known)]
    return missing


def _has_date(have: Figures, date: Date) -> bool:
    if any(d.says(date) for d in have.dates):
        return True
    if date.year is None:
        return False
    year = any(Decimal(date.year) in q.values and not q.unit for q in have.quantities)
    return year and any(d.year is None and d.says(date.without_year()) for d in have.dates)


def _has_literal(have: Figures, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", have.text, re.IGNORECASE) is not None


def _has_quantity(have: Figures, want: Quantity) -> bool:
    if any(_same(have, q, want) for q in have.quantities):
        return True
    years = {Decimal(d.year) for d in have.dates if d.year is not None}
    return not want.unit and not want.scale and bool(want.values & years)


def _same(have: Figures, got: Quantity, want: Quantity) -> bool:
    """Equal in value and unit. A bare number may have its unit or scale apart from all numbers (a table's head)."""
    if want.unit and got.unit != want.unit and (got.unit or want.unit not in _apart(have, units_in(have.text))):
        return False
    if got.scaled & want.scaled:
        return True
    return bool(not got.scale and got.values & want.values and want.scale in _apart(have, scales_in(have.text)))


def _apart(have: Figures, named: frozenset[str]) -> frozenset[str]:
    return named - {q.unit for q in have.quantities} - {q.scale for q in have.quantities}


def _quantities(text: str) -> Iterator[Quantity]:
    for m in _NUMBER.finditer(text):
        before, after = text[: m.start()], text[m.end() :]
        scale, unit = unit_after(after, money=bool(money := unit_before(before)))
        sign = -1 if _SIGN.search(before) else 1
        values = frozenset(sign * value for value in readings(m[1]))
        factors = SCALES.get(scale, (Decimal(1),))
        scaled = frozenset(value * factor for value in values for factor in factors)
        yield Quantity(m[1], values, scaled, money or unit, scale)


def readings(written: str) -> set[Decimal]:
    """What a number can mean: 1,234.5 has one reading, 1,234 has two (a thousand, or one and a fraction)."""
    digits = re.sub(rf"['’{_SPACE}]", "", written)
    marks = [c for c in digits if c in ".,"]
    if not marks:
        return {Decimal(digits)}
    last = marks[-1]
    if len(set(marks)) == 2:
        other = "," if last == "." else "."
        return {Decimal(digits.replace(other, "").replace(last, "."))} if marks.count(last) == 1 else set()
    grouped, plain = digits.replace(last, ""), digits.replace(last, ".")
    if len(marks) > 1:
        return {Decimal(grouped)}
    head, tail = digits.split(last)
    if len(tail) == 3 and 1 <= len(head) <= 3 and head.strip("0"):
        return {Decimal(grouped), Decimal(plain)}
    return {Decimal(plain)}


def _is_number(code: str) -> bool:
    """True for a figure with an ordinal ending or a unit (5th, 1960s, 10km): a number, not a code."""
    if _ORDINAL.fullmatch(code):
        return True
    head = re.match(r"\d+", code)
    return head is not None and any(unit_after(code[head.end() :], money=False))


def _blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
