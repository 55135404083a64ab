"""The brief: the question as it will be worked on, and a short title for its folder."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from workstation.memory.state import Clarified
from workstation.retrieval.lexical import UNSPACED, query_terms

TITLE_WORDS = (2, 5)
END_MARKS = ("?", "？", "؟", ".", "。", "!", "！")
SLUG_BYTES = 80  # well below the 255 bytes of a file name, with room for a counter and a suffix


def restate(question: str) -> str:
    """The question with its white space in order; nothing is added and nothing left out."""
    return " ".join(question.split())


def with_answers(question: str, clarified: Sequence[Clarified]) -> str:
    """The question with what the user answered, each answer once, at its end: in the user's words, nothing added."""
    answers = [c.answer for c in clarified if c.answer and c.answer.casefold() not in question.casefold()]
    body, mark = (question[:-1].rstrip(), question[-1]) if question[-1:] in END_MARKS else (question, "")
    return f"{body} ({'; '.join(dict.fromkeys(answers))}){mark}" if answers else question


def title_of(question: str, language: str) -> str:
    """Two to five of the question's own words, in their order and spelling."""
    least, most = TITLE_WORDS
    words = re.findall(r"\w+(?:['’.-]\w+)*", question)
    wanted = set(query_terms(question, language))
    chosen = [w for w in words if any(part.casefold() in wanted for part in re.split(r"['’.-]", w))]
    if len(chosen) < least:
        chosen = words
    title = " ".join(chosen[:most])
    return title[:24] if UNSPACED.search(title) else title[:60]


def slug(title: str) -> str:
    """A folder name that every file system takes: letters and digits of any script, lower case, joined by hyphens."""
    text = unicodedata.normalize("NFC", title).casefold()
    name = re.sub(r"[^\w]+", "-", text).strip("-_") or "research"
    while len(name.encode()) > SLUG_BYTES:
        name = name[:-1]
    return f"{name}-run" if name.upper() in RESERVED else name


RESERVED = {"CON", "PRN", "AUX", "NUL", *(f"{d}{n}" for d in ("COM", "LPT") for n in range(1, 10))}
