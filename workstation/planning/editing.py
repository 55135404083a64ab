"""A plan as it stands after what a person said or wrote: what was not mentioned stays word for word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from workstation.core.budget import PLAN_SIZE
from workstation.memory.events import Depth, SubQuestion
from workstation.planning import planner
from workstation.planning.talking import Said
from workstation.retrieval.lexical import query_terms


def changed(
    items: Sequence[SubQuestion],
    said: Said,
    *,
    question: str,
    language: str,
    depth: Depth,
    aspects: Sequence[str] = (),
    left_out: Sequence[str] = (),
) -> tuple[SubQuestion, ...]:
    """The plan after `said`. depth and left_out: as they are after it; aspects: what may be added to a deeper plan."""
    topic = planner.topic_of(question, language)
    lines = dict(enumerate(items, start=1))
    for number, words in said.reword:
        if number in lines:
            lines[number] = _reworded(lines[number], words)
    for group in said.merge:
        _merge(lines, [n for n in dict.fromkeys(group) if n in lines])
    for number in said.drop:
        lines.pop(number, None)
    first = [lines.pop(n) for n in said.order if n in lines]
    kept = [i for i in (*first, *lines.values()) if not _is_about(i, said.leave_out, language)]
    added = [planner.aspect(words, topic, language) for words in said.cover]
    result = _before_counter(kept, [i for i in added if i.text not in {k.text for k in kept}])
    if said.depth:
        result = _fitted(result, depth, question, language, aspects, left_out)
    return planner.numbered(result, taken=[item.id for item in items])


def edited(items: Sequence[SubQuestion], lines: Iterable[tuple[str, str]]) -> tuple[SubQuestion, ...]:
    """The plan as a person wrote it: (text, settles) of each line. A line that stands there as it was stays the same
    one; a line whose text is another one is a new one."""
    known = {item.text: item for item in items}
    result: list[SubQuestion] = []
    for words, settles in lines:
        item = known.pop(words, None)
        if words.strip():
            fresh = SubQuestion(id="", text=words, settles=settles, direct=not items)
            result.append(item.model_copy(update={"settles": settles}) if item else fresh)
    return planner.numbered(result, taken=[item.id for item in items])


def _reworded(item: SubQuestion, words: str) -> SubQuestion:
    return item.model_copy(update={"id": "", "text": words, "query": "", "option": ""})


def _merge(lines: dict[int, SubQuestion], numbers: Sequence[int]) -> None:
    """The first of the lines becomes one that asks them all."""
    if len(numbers) < 2:
        return
    merged = [lines[n] for n in numbers]
    lines[numbers[0]] = SubQuestion(
        id="",
        text=" ".join(item.text for item in merged),
        settles="; ".join(dict.fromkeys(item.settles for item in merged if item.settles)),
        query=" ".join(item.query or item.text for item in merged) if any(item.query for item in merged) else "",
        direct=any(item.direct for item in merged),
        counter=all(item.counter for item in merged),
    )
    for number in numbers[1:]:
        del lines[number]


def _is_about(item: SubQuestion, topics: Iterable[str], language: str) -> bool:
    """Whether a line asks for one of the topics; the question itself is asked all the same."""
    words = set(query_terms(f"{item.text} {item.settles}", language))
    wanted = [set(query_terms(topic, language)) for topic in topics]
    return not (item.direct or item.counter) and any(topic and topic <= words for topic in wanted)


def _before_counter(items: Sequence[SubQuestion], added: Sequence[SubQuestion]) -> list[SubQuestion]:
    at = next((n for n, item in enumerate(items) if item.counter), len(items))
    return [*items[:at], *added, *items[at:]]


def _fitted(
    items: Sequence[SubQuestion],
    depth: Depth,
    question: str,
    language: str,
    aspects: Sequence[str],
    left_out: Sequence[str],
) -> list[SubQuestion]:
    """As many lines as the depth asks for. The last of our own proposals go first; what a person asked for stays."""
    least, most = PLAN_SIZE[depth]
    result = list(items)
    ours = [i for i in result if i.id and not (i.direct or i.counter or i.option)]
    for item in ours[::-1][: max(0, len(result) - most)]:
        result.remove(item)
    return _before_counter(result, planner.more(result, least - len(result), question, language, aspects, left_out))
