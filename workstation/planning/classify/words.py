"""How a typed text is compared with words and patterns, and the table of them by language (words.toml)."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

# A character with the marks that belong to it.
_CLUSTER = re.compile(r".[\u0300-\u036f\u064b-\u065f\u0670\u3099\u309a\uff9e\uff9f]*", re.DOTALL)
_ACCENTS = re.compile(r"[\u0300-\u036f\u064b-\u065f\u0670\u0640]")  # Latin and Cyrillic accents, Arabic vowel signs
# One dash, one apostrophe, one double quotation mark; Arabic letters that are written for one another.
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("’‘ʼ‚‛`´", "'"),
        **dict.fromkeys("“”„‟«»「」『』〝〟", '"'),
        "ى": "ي",
        "ة": "ه",
    }
)


@dataclass(frozen=True, slots=True)
class Typed:
    """A text as it is compared (`text`: no case, accents or invisible characters, single spaces), and as written.

    `starts` and `ends` hold, for each character of `text`, where in `raw` it comes from.
    """

    raw: str
    text: str
    starts: list[int]
    ends: list[int]

    def cut(self, start: int, end: int) -> Typed:
        return Typed(self.raw, self.text[start:end], self.starts[start:end], self.ends[start:end])

    def strip(self, before: str, after: str) -> Typed:
        """Without the given characters and white space at either end."""
        start = len(self.text) - len(self.text.lstrip(before + " "))
        return self.cut(start, max(start, len(self.text.rstrip(after + " "))))

    def written(self, start: int = 0, end: int | None = None) -> str:
        """The stretch as it stands in the input, without white space at its ends."""
        starts, ends = self.starts[start:end], self.ends[start:end]
        return self.raw[starts[0] : ends[-1]].strip() if starts else ""


def typed(raw: str) -> Typed:
    """`raw` ready for comparison."""
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for cluster in _CLUSTER.finditer(raw):
        for character in _shape(cluster.group()):
            if character != " " or (text and text[-1] != " "):
                text.append(character)
                starts.append(cluster.start())
                ends.append(cluster.end())
    return Typed(raw, "".join(text), starts, ends).strip("", "")


@lru_cache(maxsize=4096)
def _shape(cluster: str) -> str:
    plain = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", cluster)))
    shown = (" " if c.isspace() else c for c in plain.lower() if c.isspace() or unicodedata.category(c) not in _UNSEEN)
    return "".join(shown).translate(_ALIKE)


_UNSEEN = {"Cc", "Cf"}  # controls; bidirectional marks, joiners, soft hyphens


def fold(text: str) -> str:
    """A word or pattern of the table in the form in which inputs are compared."""
    return " ".join(text.lower().split()) if text.isascii() else typed(text).text


_SCRIPTS = {
    "ru": re.compile(r"[\u0400-\u04ff]"),
    "zh": re.compile(r"^(?!.*[\u3040-\u30ff]).*[\u3400-\u9fff]", re.DOTALL),
    "ja": re.compile(r"[\u3040-\u30ff\u3400-\u9fff]"),
    "ar": re.compile(r"[\u0600-\u06ff]"),
}
_LATIN = re.compile(r"[a-z]")
_KEY = re.compile(r"<(\w+)>")


@cache
def table() -> dict[str, dict[str, str | list[str]]]:
    """Language -> key -> what the table holds, folded."""
    text = files("workstation.planning.classify").joinpath("words.toml").read_text(encoding="utf-8")
    return {
        language: {
            key: fold(value) if isinstance(value, str) else [fold(item) for item in value]
            for key, value in keys.items()
        }
        for language, keys in tomllib.loads(text).items()
    }


def languages(text: str) -> tuple[str, ...]:
    """The languages of the table that a folded text can be in, by its letters."""
    return tuple(language for language in table() if _SCRIPTS.get(language, _LATIN).search(text))


def unspaced(language: str) -> bool:
    """Whether words of the language stand side by side without spaces."""
    return language in ("zh", "ja")


def entry(language: str, key: str) -> str:
    """One word list or pattern of a language, "" where it has none."""
    value = table()[language].get(key, "")
    return value if isinstance(value, str) else ""


def phrases(language: str, key: str) -> list[str]:
    value = table()[language].get(key, [])
    return value if isinstance(value, list) else []


@cache
def patterns(language: str, key: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of a language, for `fullmatch`; {X}, {L}, {A} and {B} are groups of these names in lower case."""
    return tuple(re.compile(expanded(language, pattern)) for pattern in phrases(language, key))


def expanded(language: str, pattern: str) -> str:
    """A pattern of the table with its keys replaced, as a regular expression."""
    while _KEY.search(pattern):
        pattern = _KEY.sub(lambda found: f"({entry(language, found.group(1))})", pattern)
    pattern = re.sub(r"(?<!\\)\((?!\?)", "(?:", pattern)
    around = r"\\s?" if unspaced(language) else ""
    return re.sub(r"\{([xlab])\}", rf"{around}(?P<\1>.+?){around}", pattern)


@cache
def any_of(key: str) -> re.Pattern[str]:
    """One of the phrases or alternatives that stand under a key in any language, as a whole word; longest first."""
    spaced: set[str] = set()
    joined: set[str] = set()
    for language in table():
        found = [re.escape(p) for p in phrases(language, key)] or entry(language, key).split("|")
        (joined if unspaced(language) else spaced).update(part for part in found if part)
    whole = [rf"(?<!\w)(?:{'|'.join(_longest(spaced))})(?!\w)"] if spaced else []
    return re.compile("|".join([*whole, *_longest(joined)]) or "(?!)")


def _longest(parts: set[str]) -> list[str]:
    return sorted(parts, key=lambda part: (-len(part), part))


@cache
def words(key: str) -> frozenset[str]:
    """The words of a word list, of all languages."""
    return frozenset(word for language in table() for word in entry(language, key).split())


@cache
def joined_words(key: str) -> tuple[str, ...]:
    """The words of a word list in scripts without spaces, where they are found anywhere."""
    return tuple(word for language in table() if unspaced(language) for word in entry(language, key).split())


@cache
def function_words() -> frozenset[str]:
    """Words that say nothing by themselves, of all languages that are known."""
    text = files("workstation.content").joinpath("function_words.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith(("#", "=")))
    known = {fold(word) for line in lines for word in line.partition(":")[2].split()}
    return frozenset(known | words("question") | words("function")) - words("topics")


_SAYS = re.compile(r"[^\W_]")
_NAME_WORDS = 8


def names(part: Typed, language: str) -> bool:
    """Whether a topic or one of several things is named, and it is no clause."""
    clause = entry(language, "clause").split()
    spoken = part.text.split()
    clear = not any(word in part.text for word in clause) if unspaced(language) else not set(spoken) & set(clause)
    return clear and len(spoken) <= _NAME_WORDS and _SAYS.search(part.text) is not None and "?" not in part.text
