"""What kind of answer a question asks for, and whether a sentence holds one: a date, a quantity, a name, a place.

Read from the question's own words, in ten languages; most questions ask for none of these: nothing is expected then.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from workstation.reading.names import names_of
from workstation.reading.numbers import Figures, Quantity, figures
from workstation.reading.spelled import with_digits
from workstation.reading.units import units_in

Kind = Literal["date", "quantity", "person", "place"]

# Longest first where one begins another. Word order is the question's; \b does not exist between Chinese characters.
_ASKS: dict[str, dict[Kind, str]] = {
    "en": {
        "date": r"when|(?:what|which) (?:year|date|day|month|decade|century)|since when|how recently",
        "quantity": r"how (?:many|much|long|high|tall|far|old|large|big|deep|heavy|wide|fast|often|thick)|"
        r"(?:what|which) (?:percent\w*|proportion|number|amount|share|size|price|distance|temperature|speed|"
        r"population|height|length|width|depth|weight|diameter|area|age|cost|rate)|"
        r"what (?:is|was|are|were) the (?:\w+ ){0,2}(?:percent\w*|number|amount|size|price|distance|temperature|speed|"
        r"population|height|length|width|depth|weight|diameter|area|age|cost|rate|capacity|total)",
        "person": r"who|whom|whose|by whom",
        "place": r"where",
    },
    "de": {
        "date": r"wann|(?:in )?welche[mrs]? (?:jahr|monat|tag|datum|jahrhundert)|seit wann",
        "quantity": r"wie ?viele?n?|wie (?:lang|lange|hoch|weit|alt|groß|tief|schwer|breit|schnell|oft)|wieviel",
        "person": r"wer|wem|wen|wessen",
        "place": r"wo|wohin|woher",
    },
    "fr": {
        "date": r"quand|(?:en )?quelle (?:année|date)|depuis quand|quel (?:jour|mois|siècle)",
        "quantity": r"combien|quelle (?:est|était) la (?:hauteur|longueur|taille|population|superficie|distance)",
        "person": r"qui|par qui|de qui",
        "place": r"où",
    },
    "es": {
        "date": r"cuándo|(?:en )?qué (?:año|fecha|día|mes|siglo)",
        "quantity": r"cuánt[oa]s?|qué (?:cantidad|porcentaje|altura|longitud)",
        "person": r"quién(?:es)?",
        "place": r"dónde",
    },
    "it": {
        "date": r"quando|(?:in )?(?:che|quale) (?:anno|data|giorno|mese|secolo)",
        "quantity": r"quant[oaie]",
        "person": r"chi",
        "place": r"dove",
    },
    "pt": {
        "date": r"quando|(?:em )?que (?:ano|data|dia|mês|século)",
        "quantity": r"quant[oa]s?",
        "person": r"quem",
        "place": r"onde",
    },
    "ru": {
        "date": r"когда|в каком (?:году|месяце|веке)|какого числа",
        "quantity": r"сколько|как (?:долго|далеко|часто)",
        "person": r"кто|кого|кому|кем",
        "place": r"где|куда|откуда",
    },
    "zh": {
        "date": r"什么时候|何时|哪年|哪一年|几月|哪天",
        "quantity": r"多少|多长|多高|多大|多远|多久|几个|几",
        "person": r"谁",
        "place": r"哪里|哪儿|何处|什么地方",
    },
    "ja": {
        "date": r"いつ|何年|何月|何日",
        "quantity": r"いくつ|いくら|何人|何個|何メートル|どのくらい|どれくらい|どれだけ",
        "person": r"誰|だれ",
        "place": r"どこ",
    },
    "ar": {
        "date": r"متى|في أي (?:عام|سنة|يوم)",
        "quantity": r"كم",
        "person": r"من (?:هو|هي|الذي|التي)",
        "place": r"أين",
    },
}
_UNSPACED = frozenset({"zh", "ja"})


# "how long" -> lengths and times; what stands after "how many" is its own unit, whatever it is
_LENGTH, _TIME, _MASS = "m km cm mm ft mi", "year month week d h min s", "kg g mg µg t"
_MEASURES: dict[str, dict[str, str]] = {
    "en": {
        r"how (?:long|far)|length|distance": f"{_LENGTH} {_TIME}",
        r"how (?:high|tall|wide|deep|thick)|height|width|depth|diameter": _LENGTH,
        r"how heavy|weigh\w*": _MASS,
        r"percent\w*|proportion": "%",
        r"how old|age": _TIME,
        r"temperature": "°C °F",
        r"how much|price|cost": "",
    },
    "de": {
        r"wie (?:lang|lange|weit)": f"{_LENGTH} {_TIME}",
        r"wie (?:hoch|breit|tief|dick)": _LENGTH,
        r"wie schwer": _MASS,
        r"prozent": "%",
        r"wie alt": _TIME,
    },
    "fr": {r"(?:hauteur|longueur|largeur|distance)": _LENGTH, r"pourcent\w*": "%"},
    "es": {r"(?:altura|longitud|distancia)": _LENGTH, r"porcentaje": "%"},
}
_COUNTED = {
    "en": r"how many (?:\w+ ){0,2}?",
    "de": r"wie ?viele?n? (?:\w+ )?",
    "fr": r"combien d(?:e |['’])",
    "es": r"cuánt[oa]s ",
    "it": r"quant[ie] ",
    "pt": r"quant[oa]s ",
    "ru": r"сколько ",
}
_KEYWORDS = 10  # words; a longer line is a sentence, and a unit in it is none that is asked for
_AFTER = 3  # words between a number and what it counts: "22 working days", "27 days of paid holiday"
_ROUNDING = Decimal("0.01")  # 3,760 feet are 1,146.05 m: a share by which one value may differ from another
_METRES = {"m": "1", "km": "1000", "cm": ".01", "mm": ".001", "ft": ".3048", "mi": "1609.344"}
_GRAMS = {"g": "1", "kg": "1000", "mg": ".001", "µg": ".000001", "t": "1000000"}
_BASE = {unit: ("m", Decimal(f)) for unit, f in _METRES.items()} | {u: ("g", Decimal(f)) for u, f in _GRAMS.items()}


@dataclass(frozen=True, slots=True)
class Expected:
    """units: of a quantity, empty when any will do. counted: the stem of what is counted ("how many days")."""

    kind: Kind
    units: frozenset[str] = frozenset()
    counted: str = ""


@dataclass(frozen=True, slots=True)
class Amount:
    """A value in its base unit (metres and grams where there is a choice), with other readings of the same figure."""

    values: frozenset[Decimal]
    unit: str

    def equals(self, other: Amount) -> bool:
        """Whether both may state the same."""
        if self.unit and other.unit and self.unit != other.unit:
            return False
        return any(abs(a - b) <= _ROUNDING * max(abs(a), abs(b)) for a in self.values for b in other.values)


@lru_cache(maxsize=256)
def expected(question: str, language: str) -> Expected | None:
    """What is asked for, by the question word that comes first; None when it is none of the kinds."""
    found = [(m.start(), kind) for kind, pattern in _patterns(language) if (m := pattern.search(question))]
    if not found:
        keywords = "?" not in question and len(question.split()) <= _KEYWORDS
        units = units_in(question) if keywords else frozenset()
        return Expected("quantity", units) if units else None
    kind = min(found)[1]
    if kind != "quantity":
        return Expected(kind)
    measures = _MEASURES.get(language, {}).items()
    wanted = next((u for words, u in measures if re.search(rf"\b(?:{words})\b", question, re.IGNORECASE)), "")
    pattern = _COUNTED.get(language)
    counted = re.search(rf"{pattern}(\w+)", question, re.IGNORECASE) if pattern else None
    return Expected(kind, frozenset(wanted.split()), stem(counted[1]) if counted else "")


def holds(sentence: str, wanted: Expected, question: str, language: str) -> bool:
    """Whether a sentence says something of that kind that the question does not say itself."""
    match wanted.kind:
        case "date":
            return bool(times(sentence, language) - times(question, language))
        case "quantity":
            return bool(amounts(sentence, wanted, language) - amounts(question, wanted, language))
    return bool(set(names_of(sentence, language)) - set(names_of(question, language)))


def times(sentence: str, language: str) -> frozenset[tuple[int | None, frozenset[int], frozenset[int]]]:
    """Dates as (year, month, day), plain years as dates without month."""
    said = _figures(sentence, language)
    years = {int(v) for q in said.quantities if not q.unit and _is_year(q.text) for v in q.values}
    nothing: frozenset[int] = frozenset()
    return frozenset({(d.year, d.month, d.day) for d in said.dates} | {(year, nothing, nothing) for year in years})


def amounts(sentence: str, wanted: Expected, language: str) -> frozenset[Amount]:
    """The quantities that fit what is asked for. Where something is counted, those before its name; without any, those
    before other words than units."""
    said = _figures(sentence, language)
    plain = [q for q in said.quantities if q.unit or q.scale or not _is_year(q.text)]
    if wanted.units:
        return frozenset(_amount(q) for q in plain if q.unit in wanted.units)
    if wanted.counted:
        named = [q for q in plain if wanted.counted in _next_stems(said.text, q.text)]
        bare = [q for q in plain if not q.unit and q.text != "1" and _next_stems(said.text, q.text, 1)]  # "one of them"
        return frozenset(map(_amount, named or bare))
    return frozenset(map(_amount, plain))


def fits(sentence: str, wanted: Expected, language: str) -> bool:
    """Whether a quantity has the unit that is asked for, or stands before what is counted."""
    said = _figures(sentence, language)
    if wanted.units:
        return any(q.unit in wanted.units for q in said.quantities)
    return bool(wanted.counted) and any(wanted.counted in _next_stems(said.text, q.text) for q in said.quantities)


def stem(word: str) -> str:
    """The beginning of a word, as long as it mostly stays the same in all its forms."""
    return word.casefold()[:5]


def _amount(quantity: Quantity) -> Amount:
    unit, factor = _BASE.get(quantity.unit, (quantity.unit, Decimal(1)))
    return Amount(frozenset(value * factor for value in quantity.scaled), unit)


def _next_stems(text: str, number: str, most: int = _AFTER) -> set[str]:
    """The stems of the words that follow a number directly, wherever it stands."""
    found = re.finditer(rf"(?<![\d.,]){re.escape(number)}((?:[\s-]+[^\W\d_]+){{1,{most}}})", text)
    return {stem(word) for m in found for word in m[1].replace("-", " ").split()}


def _is_year(written: str) -> bool:
    return re.fullmatch(r"1\d{3}|20\d{2}", written) is not None


@lru_cache(maxsize=4096)
def _figures(text: str, language: str) -> Figures:
    return figures(with_digits(text, language))


@lru_cache(maxsize=16)
def _patterns(language: str) -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    edge = "" if language in _UNSPACED else r"\b"
    asks = _ASKS.get(language, {})
    return tuple((kind, re.compile(f"{edge}(?:{words}){edge}", re.IGNORECASE)) for kind, words in asks.items())
