"""A plan from the question's own structure and from what the library holds on it.

Its lines: the question and its parts, the things that are compared, the aspects under which the library speaks of it,
and one that looks for dissent.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence

from workstation.core.budget import PLAN_SIZE
from workstation.core.messages import text
from workstation.memory.events import Depth, SubQuestion
from workstation.retrieval.lexical import query_terms

CLAUSE = re.compile(
    r"\?\s+|;\s+|,?\s+(?:and|but|or)\s+(?=(?:who|what|when|where|why|how|which|did|was|is|are|were|does|do)\b)", re.I
)
ASIDE = re.compile(r"\s*\([^()]*\)$")  # at a question's end: what the user chose between, not what it is about
ANGLES = ("when_where", "who", "why", "consequences", "figures", "definition")
"""Where neither the question nor the library names an aspect, most telling first."""
AUXILIARIES = frozenset({"did", "does", "do", "was", "were", "is", "are", "has", "have", "had", "can", "could", "will"})


def plan(
    question: str,
    language: str,
    depth: Depth,
    *,
    options: Sequence[str] = (),
    proposed: Sequence[SubQuestion] = (),
    aspects: Sequence[str] = (),
    left_out: Sequence[str] = (),
) -> tuple[SubQuestion, ...]:
    """Sub-questions that together answer the question, as many as the depth asks for; the last is the
    counter-question.

    options: the things that are compared. proposed: what a model thought of, checked. aspects: what the library's
    passages on the question are about, most relevant first.
    """
    least, most = PLAN_SIZE[depth]
    topic, said = topic_of(question, language), text("settles_direct", language)
    items = [
        *(SubQuestion(id="", text=t, settles=said, direct=True) for t in _parts(question, language)),
        *(option(o, topic, language) for o in options),
        *proposed,
    ][: most - 1]
    for item in _more(topic, language, aspects, left_out):
        if len(items) >= (most - 1 if item.query else least - 1):
            break
        items.append(item)
    return numbered([*items, counter(question, topic, language)])


def more(
    items: Sequence[SubQuestion],
    wanted: int,
    question: str,
    language: str,
    aspects: Sequence[str],
    left_out: Sequence[str],
) -> list[SubQuestion]:
    """Up to `wanted` lines that the plan does not hold yet."""
    known = {item.text for item in items}
    found = (i for i in _more(topic_of(question, language), language, aspects, left_out) if i.text not in known)
    return [item for item, _ in zip(found, range(wanted), strict=False)]


def aspect(name: str, topic: str, language: str) -> SubQuestion:
    """A line about one aspect of the topic."""
    asked = text("aspect", language, aspect=name, topic=topic)
    return SubQuestion(
        id="", text=asked, settles=text("settles_aspect", language, aspect=name), query=f"{name}: {topic}"
    )


def option(name: str, topic: str, language: str) -> SubQuestion:
    """A line about one of the things that are compared."""
    asked = text("option", language, aspect=name, topic=topic)
    settles = text("settles_aspect", language, aspect=name)
    return SubQuestion(id="", text=asked, settles=settles, query=f"{name}: {topic}", option=name)


def counter(question: str, topic: str, language: str) -> SubQuestion:
    """The line that looks for what would prove the likely answer wrong."""
    asked = text("counter", language, topic=topic)
    return SubQuestion(id="", text=asked, settles=text("settles_counter", language), query=question, counter=True)


def numbered(items: Sequence[SubQuestion], taken: Sequence[str] = ()) -> tuple[SubQuestion, ...]:
    """Lines that have no id get the next free one: an id means one line for ever. taken: ids that were used before."""
    used = {*taken, *(item.id for item in items)}
    free = (f"s{n}" for n in range(1, len(items) + len(used) + 1) if f"s{n}" not in used)
    return tuple(item if item.id else item.model_copy(update={"id": next(free)}) for item in items)


def topic_of(question: str, language: str) -> str:
    """The stretch of the question's first part that names what it is about: from its first name, or else its first
    telling word, to its last telling word. In an English question with an auxiliary the last one is the verb and is
    left out."""
    first = ASIDE.sub("", CLAUSE.split(question)[0].strip(" ?.,")).strip()
    terms = {_base(term) for term in query_terms(first, language)}
    words = first.split()
    telling = [n for n, w in enumerate(words) if _base(w) in terms]
    names = [n for n in telling if n > 0 and words[n].strip("\"'“”‘’(")[:1].isupper()]
    inverted = any(_base(w) in AUXILIARIES for w in words[:3]) and len(telling) > 1
    last = (telling[:-1] if inverted and telling[-1] not in names else telling)[-1:]
    first_word = (names or telling)[:1]
    chosen = [*first_word, *last]
    return " ".join(words[chosen[0] : chosen[-1] + 1]).strip("\"'“”‘’(),.:;?!") if chosen else first


def plan_hash(items: Sequence[SubQuestion]) -> str:
    """Binds an approval to the exact plan."""
    plain = json.dumps([item.model_dump() for item in items], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def _parts(question: str, language: str) -> list[str]:
    """The question, or each of its parts as a question of its own."""
    parts = [p.strip(" ?.,") for p in CLAUSE.split(question) if p.strip(" ?.,")]
    topic = topic_of(question, language)
    return [_whole(part, topic, language) for part in parts] if len(parts) > 1 else [question]


def _more(topic: str, language: str, aspects: Sequence[str], left_out: Sequence[str]) -> Iterator[SubQuestion]:
    unwanted = [set(query_terms(words, language)) for words in left_out]
    for name in aspects:
        if not any(words and words <= set(query_terms(name, language)) for words in unwanted):
            yield aspect(name, topic, language)
    for key in ANGLES:
        yield SubQuestion(id="", text=text(key, language, topic=topic), settles=text(f"settles_{key}", language))


def _base(word: str) -> str:
    """The word without quotation marks, punctuation and a possessive ending, case folded."""
    return re.split("['’]", word.casefold().strip("\"'“”‘’(),.:;?!"))[0]


def _whole(part: str, topic: str, language: str) -> str:
    """A part of the question with its topic named, so that it can be searched by itself."""
    known = set(query_terms(topic, language))
    asked = part[0].upper() + part[1:]
    return f"{asked}?" if known & set(query_terms(part, language)) else f"{asked} ({topic})?"
