"""Pages that show something else than their content: a consent wall, a paywall, a check for robots, "not found" with a
status that means success, an error. They are recognised by their words, and by how little else there is: a long article
about cookies is an article.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# Characters of shown text up to which a page may be nothing but the notice. A front page in place of a missing one, or
# a paywall below a teaser, is longer than a bare error.
_LONGEST = {"check": 1200, "missing": 1500, "error": 800, "consent": 4000, "paywall": 3000}
_TERSE = 500  # below, the words of the text alone are enough; above, the title must say it too
_CONSENT_SHARE = 0.5  # of the sentences must speak of consent
_CONSENT_WORDS = 3  # different ones
_CLOSED = re.compile(rb'"isAccessibleForFree"\s*:\s*"?false', re.I)
_TIER = re.compile(
    rb"""<meta[^>]+content_tier["'][^>]+content=["'](?:locked|metered)|data-paywall|class=["'][^"']*paywall""", re.I
)
_CONSENT_HOST = re.compile(r"https?://(?:consent|cmp|privacy-?wall)\.|/(?:consent|cookie-?wall|privacy-gate)[/?]", re.I)
_SENTENCE = re.compile(r"[.!?。！？؟\n]+")


@dataclass(frozen=True, slots=True)
class _Words:
    reason: str
    title: tuple[str, ...]
    text: tuple[str, ...]


def wall(text: str, title: str, raw: bytes, url: str) -> str | None:
    """What stands on the page in place of its content, in words; None when it is a page like others. `text` is what it
    shows, `raw` its bytes, `url` where they came from in the end."""
    shown, head = text.lower(), " ".join(title.lower().split())
    first = shown.lstrip("# \n").partition("\n")[0][:200]
    for kind in ("check", "missing", "error"):
        words = _vocabulary()[kind]
        named = any(_said(phrase, head) or _said(phrase, first) for phrase in words.title)
        told = any(phrase in shown for phrase in words.text)
        if len(shown) <= _LONGEST[kind] and _enough(named, told, len(shown) <= _TERSE, kind):
            return words.reason
    if _is_consent(shown, head, url):
        return _vocabulary()["consent"].reason
    if _is_paywall(shown, raw):
        return _vocabulary()["paywall"].reason
    return None


def _enough(named: bool, told: bool, terse: bool, kind: str) -> bool:
    """Two of three: the title says it, the text says it, there is hardly anything else. "Try again later" alone proves
    no failure: manuals say it too."""
    return (named and (told or terse)) or (told and terse and kind != "error")


def _said(phrase: str, line: str) -> bool:
    """A number must stand for itself: "404" is not in "Room 4041"."""
    return bool(re.search(rf"(?<!\d){phrase}(?!\d)", line)) if phrase.isdigit() else phrase in line


def _is_consent(shown: str, head: str, url: str) -> bool:
    words = _vocabulary()["consent"]
    if len(shown) > _LONGEST["consent"]:
        return False
    sentences = [each for each in _SENTENCE.split(shown) if each.strip()]
    about = sum(any(word in sentence for word in words.text) for sentence in sentences)
    spoken = sum(word in shown for word in words.text)
    if spoken < _CONSENT_WORDS or about < _CONSENT_SHARE * len(sentences):
        return False
    return bool(_CONSENT_HOST.search(url)) or any(phrase in head for phrase in words.title) or spoken > _CONSENT_WORDS


def _is_paywall(shown: str, raw: bytes) -> bool:
    if len(shown) > _LONGEST["paywall"]:
        return False
    asked = any(phrase in shown[-800:] for phrase in _vocabulary()["paywall"].text)
    marked = bool(_CLOSED.search(raw) or _TIER.search(raw))
    return marked or asked


@cache
def _vocabulary() -> dict[str, _Words]:
    stored = tomllib.loads(files("workstation.content").joinpath("walls.toml").read_text(encoding="utf-8"))
    return {kind: _Words(rows["reason"], tuple(rows["title"]), tuple(rows["text"])) for kind, rows in stored.items()}
