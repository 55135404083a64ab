"""Units, currencies and words of scale beside a number, in a few languages, each as one canonical name."""

from __future__ import annotations

import re
from decimal import Decimal

# canonical name: the ways in which it is written. Plural s is added to words of more than three letters.
_UNITS = {
    "%": "% percent per\u00a0cent prozent pourcent por\u00a0ciento procent процентов процента процент",
    "‰": "‰ permille promille",
    "$": "$ usd us$ dollar доллар долларов",
    "€": "€ eur euro евро",
    "£": "£ gbp pound",
    "¥": "¥ jpy yen 円 元 yuan rmb cny",
    "°C": "°c ℃ celsius",
    "°F": "°f ℉ fahrenheit",
    "km": "km kilometer kilometre kilomètre kilómetro километров км 公里",
    "m": "m meter metre mètre metro метров 米",
    "cm": "cm centimeter centimetre",
    "mm": "mm millimeter millimetre",
    "mi": "mi mile",
    "ft": "ft foot feet",
    "kg": "kg kilogram kilo кг",
    "g": "g gram",
    "mg": "mg milligram",
    "µg": "µg μg mcg microgram",
    "t": "t ton tonne",
    "l": "l liter litre",
    "ml": "ml milliliter millilitre",
    "kW": "kw kilowatt",
    "MW": "mw megawatt",
    "GW": "gw gigawatt",
    "h": "h hour hr stunde stunden heure hora час часов",
    "min": "min minute minuten",
    "s": "sec second seconde sekunde sekunden",
    "d": "day tag tage tagen jour día dias дней 天",
    "week": "week woche wochen semaine semana",
    "month": "month monat monate monaten mois mes meses месяцев",
    "year": "year yr jahr jahre jahren année ans año ano лет года",
}
_SCALES: dict[str, tuple[int, str]] = {
    "thousand": (3, "thousand tausend mille mil тысяч тысячи тыс 千"),
    "ten_thousand": (4, "万 萬 만"),
    "million": (6, "million millionen millones milhões milioni миллион миллиона миллионов млн mio mn 百万"),
    "hundred_million": (8, "亿 億 억"),
    "milliard": (9, "milliard milliarden miliardi миллиард миллиарда миллиардов млрд mrd bn 十亿"),
    "billion": (9, "billion billionen billones bilhões billón"),
    "trillion": (12, "trillion trillionen trillones trilhões трлн 兆"),
}
# "billion" is 10^9 in English and 10^12 in German, French or Spanish: both readings are kept.
SCALES: dict[str, tuple[Decimal, ...]] = {name: (Decimal(10) ** power,) for name, (power, _) in _SCALES.items()}
SCALES["billion"] = (Decimal(10) ** 9, Decimal(10) ** 12)
_MONEY_SCALES = {"m": "million", "k": "thousand", "b": "billion"}  # $5m, but 5 m are metres


def _words(table: dict[str, str]) -> dict[str, str]:
    known: dict[str, str] = {}
    for name, written in table.items():
        for word in written.split(" "):
            known[word.replace("\u00a0", " ")] = name
            if len(word) > 3 and word.isalpha():
                known[word + "s"] = name
    return known


UNIT_WORDS = _words(_UNITS)
SCALE_WORDS = _words({name: written for name, (_, written) in _SCALES.items()})


def _alternatives(words: dict[str, str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_END = r"(?![A-Za-z\u00c0-\u024f\u0370-\u052f])"
_UNIT = re.compile(rf"[\s\u00a0-]{{0,2}}({_alternatives(UNIT_WORDS)}){_END}", re.IGNORECASE)
_SCALE = re.compile(rf"[\s\u00a0-]{{0,2}}({_alternatives(SCALE_WORDS)})\.?{_END}", re.IGNORECASE)
_MONEY_SCALE = re.compile(rf"\s?([mkb]){_END}", re.IGNORECASE)
_BEFORE = re.compile(r"(us\$|[$€£¥]|\b(?:usd|eur|gbp|jpy|cny))\s?-?\s?$", re.IGNORECASE)
_JOIN = re.compile(r"\s+(?:de|of|d['’])\s+", re.IGNORECASE)


def unit_before(text: str) -> str:
    """The currency that ends `text`, the part before a number."""
    found = _BEFORE.search(text)
    return UNIT_WORDS[found[1].casefold()] if found else ""


def unit_after(text: str, *, money: bool) -> tuple[str, str]:
    """(scale, unit) that begin `text`, the part after a number; "" where there is none."""
    scale, at = "", 0
    if found := _SCALE.match(text):
        scale, at = SCALE_WORDS[found[1].casefold()], found.end()
        if join := _JOIN.match(text, at):
            at = join.end()
    elif money and (found := _MONEY_SCALE.match(text)):
        return _MONEY_SCALES[found[1].casefold()], ""
    unit = _UNIT.match(text, at)
    return scale, UNIT_WORDS[unit[1].casefold()] if unit else ""


def units_in(text: str) -> frozenset[str]:
    """Every unit that a text names anywhere."""
    pattern = rf"(?<![^\W\d_])({_alternatives(UNIT_WORDS)}){_END}"
    return frozenset(UNIT_WORDS[m.casefold()] for m in re.findall(pattern, text, re.IGNORECASE))


def scales_in(text: str) -> frozenset[str]:
    pattern = rf"(?<![^\W\d_])({_alternatives(SCALE_WORDS)}){_END}"
    return frozenset(SCALE_WORDS[m.casefold()] for m in re.findall(pattern, text, re.IGNORECASE))
