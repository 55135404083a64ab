"""How a report's sentences carry quotes and citations, and how they are read back.

Foreign text (quotes, titles, names of files) enters Markdown through `escape`: it can make no markup, link, heading or
citation, and `unescape` gives it back. A quote stands in curly quotation marks; those inside it are written as
entities, so the first closing mark ends the quote.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from workstation.core.messages import every
from workstation.report.catalogue import phrase

OPEN, CLOSE = "“", "”"

_NAMED = {"ldquo": OPEN, "rdquo": CLOSE, "quot": '"', "amp": "&", "lt": "<", "gt": ">", "nbsp": "\u00a0"}
# The last three keep addresses from becoming links: http://, and the dot of www.x or example.com.
_MARKUP = re.compile(r"[\\`*_\[\]<>#|~&@]|:(?=//)|(?<=\bwww)\.|(?<=\w)\.(?=[^\W\d_]{2})", re.IGNORECASE)
_LIST_OR_RULE = re.compile(r"^(\d*)([-+](?=[\s-]|$)|=|(?<=\d)[.)](?=\s|$))")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|&#x([0-9a-fA-F]{1,6});|&#([0-9]{1,7});|&([a-z]{2,5});")
# ZWNJ, ZWJ and the two direction marks belong to ordinary text in several scripts and stay as they are.
_PLAIN_FORMAT = "\u200c\u200d\u200e\u200f"
_INVISIBLE = "[\u00ad\u200b-\u200f\u2060\ufeff]"
_IGNORED = re.compile(_INVISIBLE)
_HIDDEN = re.compile(rf"(?<=[\d\[]){_INVISIBLE}+|{_INVISIBLE}+(?=[\d\]])")


def flat(text: str) -> str:
    """`text` on one line: each run of white space is one space, none at the ends."""
    return " ".join(text.split())


def squash(text: str) -> str:
    """The form in which texts are compared word for word: composed characters, single spaces, nothing invisible."""
    return flat(_IGNORED.sub("", unicodedata.normalize("NFC", text)))


def without_hidden(text: str) -> str:
    """`text` without invisible characters in or beside its numbers, where they would hide what is shown."""
    return _HIDDEN.sub("", text)


def escape(text: str) -> str:
    """Foreign text for one place in a line of Markdown. White space is flattened, the invisible becomes entities."""
    line = _LIST_OR_RULE.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", flat(text)))
    line = CITATION.sub(lambda m: f"&#x{ord(m[0][0]):X};{m[0][1:]}", line)  # wide brackets, which no backslash escapes
    return "".join(_visible(char) for char in line)


def unescape(text: str) -> str:
    """What Markdown shows for `text` by `escape` or by a person: escapes and entities resolved."""
    return _ESCAPED.sub(_resolved, text)


def quote_sentence(quote: str, *numbers: int) -> str:
    """A verbatim quote as a sentence of the report: “quote” [3]."""
    inner = escape(quote).replace(OPEN, "&ldquo;").replace(CLOSE, "&rdquo;")
    return f"{OPEN}{inner}{CLOSE} {citation(numbers)}"


def read_quote(sentence: str) -> tuple[str, tuple[int, ...]]:
    """The inverse of `quote_sentence`: the quote (white space flattened) and its numbers. ValueError for all else."""
    found = re.fullmatch(rf"\s*{OPEN}([^{OPEN}{CLOSE}]*){CLOSE} (\[[^\]]*\])\s*", sentence)
    if not found:
        raise ValueError(f"not a quoted sentence: {sentence[:80]!r}")
    return unescape(found[1]), numbers_in(found[2])


def citation(numbers: Iterable[int]) -> str:
    """[3] or [3, 7]; nothing for no numbers."""
    listed = ", ".join(str(n) for n in dict.fromkeys(numbers))
    return f"[{listed}]" if listed else ""


# A person may write [^3], [3; 7], [3-5], wide brackets, or digits of another script: all are citations.
_NUMBER = r"[\d⁰¹²³⁴⁵⁶⁷⁸⁹₀-₉]+"
_LISTED = rf"\s*\^?\s*{_NUMBER}(?:\s*[,;،、，；–—-]\s*\^?\s*{_NUMBER})*\s*[\]］】]"
CITATION = re.compile(rf"(?<!\\)(?:\\\\)*[\[［【]{_LISTED}")  # in Markdown: a bracket after one backslash is text
SHOWN_CITATION = re.compile(rf"[\[［【]{_LISTED}")  # in text as it is shown
_RANGE = re.compile(rf"({_NUMBER})\s*[–—-]\s*\^?\s*({_NUMBER})")
_MOST_IN_RANGE = 200  # a longer range is a slip or a trick; its two ends are enough to fail it


_MARKS = "|".join(re.escape(words) for words in every("unverified"))
MARK = re.compile(rf"[*_]{{0,2}}[(（](?:{_MARKS})[)）][*_]{{0,2}}", re.IGNORECASE)


def mark_unverified(sentence: str, language: str) -> str:
    """`sentence` with the mark that says: nothing in the library carries this."""
    return f"{sentence.rstrip()} *({phrase('unverified', language)})*"


def numbers_in(text: str, pattern: re.Pattern[str] = CITATION) -> tuple[int, ...]:
    """All numbers cited in `text`, in order, ranges written out. Use SHOWN_CITATION for text that is not Markdown."""
    return tuple(n for found in pattern.finditer(text) for n in _numbers(found[0]))


def _numbers(cited: str) -> Iterable[int]:
    ranged = {int_of(m[1]): int_of(m[2]) for m in _RANGE.finditer(cited)}
    for word in re.findall(_NUMBER, cited):
        first = int_of(word)
        yield first
        last = ranged.get(first, first)
        if first < last <= first + _MOST_IN_RANGE:
            yield from range(first + 1, last)


def int_of(digits: str) -> int:
    """The value of decimal digits of any script, raised and lowered ones too."""
    return int("".join(str(unicodedata.digit(char)) for char in digits))


def _visible(char: str) -> str:
    hidden = unicodedata.category(char) in ("Cc", "Cf") and char not in _PLAIN_FORMAT
    return f"&#x{ord(char):X};" if hidden else char


def _resolved(found: re.Match[str]) -> str:
    char, hexadecimal, decimal, name = found.groups()
    if char is not None:
        return char
    if name is not None:
        return _NAMED.get(name, found[0])
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else found[0]
