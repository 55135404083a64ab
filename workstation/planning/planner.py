"""A plan from the question's own structure: itself, its parts, the angles that are left, and one that looks for
dissent."""

from __future__ import annotations

import hashlib
import json
import re

from workstation.core.budget import PLAN_SIZE
from workstation.memory.events import Depth, SubQuestion
from workstation.retrieval.lexical import query_terms

CLAUSE = re.compile(
    r"\?\s+|;\s+|,?\s+(?:and|but|or)\s+(?=(?:who|what|when|where|why|how|which|did|was|is|are|were|does|do)\b)", re.I
)

# Angles for what the question does not name itself, most telling first: text, and what would settle it.
ANGLES = (
    ("When and where: what dates and places are given for {topic}?", "dates and places, each with its source"),
    ("Who was involved in {topic}, and what did they do?", "named people or bodies and their acts"),
    ("Why: what causes or reasons are given for {topic}?", "causes that a source states"),
    ("What followed from {topic}?", "consequences that a source states"),
    ("What figures are given for {topic}?", "numbers with their units"),
    ("How is {topic} defined or described?", "a definition or description in a source"),
)
AUXILIARIES = frozenset({"did", "does", "do", "was", "were", "is", "are", "has", "have", "had", "can", "could", "will"})
COUNTER = (
    "What contradicts or limits the likely answer: disputes, exceptions, other versions of {topic}?",
    "a source that disagrees",
)


def plan(question: str, language: str, depth: Depth) -> tuple[SubQuestion, ...]:
    """Sub-questions that together answer the question, as many as the depth asks for; the last is the
    counter-question."""
    least, most = PLAN_SIZE[depth]
    topic = topic_of(question, language)
    parts = [p.strip(" ?.,") for p in CLAUSE.split(question) if p.strip(" ?.,")]
    direct = [_whole(part, topic, language) for part in parts] if len(parts) > 1 else [question]
    items = [SubQuestion(id="", text=t, settles="a passage that says it", direct=True) for t in direct[: most - 1]]
    for text, settles in ANGLES:
        if len(items) >= least - 1:
            break
        items.append(SubQuestion(id="", text=text.format(topic=topic), settles=settles))
    items.append(SubQuestion(id="", text=COUNTER[0].format(topic=topic), settles=COUNTER[1], counter=True))
    return tuple(item.model_copy(update={"id": f"s{n}"}) for n, item in enumerate(items, 1))


def topic_of(question: str, language: str) -> str:
    """The stretch of the question's first part that names what it is about: from its first name, or else its first
    telling word, to its last telling word. In an English question with an auxiliary the last one is the verb and is
    left out."""
    first = CLAUSE.split(question)[0].strip(" ?.,")
    terms = {_base(term) for term in query_terms(first, language)}
    words = first.split()
    telling = [n for n, w in enumerate(words) if _base(w) in terms]
    names = [n for n in telling if n > 0 and words[n].strip("\"'“”‘’(")[:1].isupper()]
    inverted = any(_base(w) in AUXILIARIES for w in words[:3]) and len(telling) > 1
    last = (telling[:-1] if inverted and telling[-1] not in names else telling)[-1:]
    first_word = (names or telling)[:1]
    chosen = [*first_word, *last]
    return " ".join(words[chosen[0] : chosen[-1] + 1]).strip("\"'“”‘’(),.:;?!") if chosen else first


def _base(word: str) -> str:
    """The word without quotation marks, punctuation and a possessive ending, case folded."""
    return re.split("['’]", word.casefold().strip("\"'“”‘’(),.:;?!"))[0]


def _whole(part: str, topic: str, language: str) -> str:
    """A part of the question with its topic named, so that it can be searched by itself."""
    known = set(query_terms(topic, language))
    text = part[0].upper() + part[1:]
    return f"{text}?" if known & set(query_terms(part, language)) else f"{text} ({topic})?"


def plan_hash(items: tuple[SubQuestion, ...]) -> str:
    """Binds an approval to the exact plan."""
    text = json.dumps([item.model_dump() for item in items], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
