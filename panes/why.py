"""Why this passage: the question behind an evidence item, and the answer as rows that a person understands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from panes import wording
from panes.rows import Pen, Row, blank
from panes.wrapping import pad
from workstation.memory.events import Place
from workstation.memory.state import ResearchState

NAMES = {
    "words": "Words",
    "meaning": "Meaning",
    "noise floor": "Noise floor",
    "shortlist": "Shortlist",
    "order": "Order",
    "cut": "Cut",
    "gate": "Enough to answer?",
}
SIGNS = {"passed": ("+", "good"), "was dropped": ("-", "bad"), "did not get here": (" ", "dim")}
NO_PART = ("·", "dim")
GATE = {"passed": "yes", "was dropped": "no"}
HANG = 4


@dataclass(frozen=True, slots=True)
class WhyQuestion:
    """Why `passage` was found for `query`. `exclude`: passages that earlier searches for the same gap had brought;
    `said`: what the run noted then; `keep`: how many passages the search keeps (10 in a run)."""

    query: str
    passage: int
    title: str
    exclude: tuple[int, ...] = ()
    said: str = ""
    keep: int = 10


def asked_in(state: ResearchState, note: str) -> WhyQuestion | None:
    """The search of a run that brought a quote; None when none did."""
    found = state.note(note)
    if found is None:
        return None
    seen: tuple[int, ...] = ()
    for search in (s for s in state.searches if s.need == found.need):
        if found.passage in search.kept:
            entry = state.entry(found.number)
            title = f"[{found.number}] {entry.title or entry.path if entry else ''}"
            return WhyQuestion(search.query, found.passage, title, seen, found.why)
        seen += search.kept
    return None


def why_rows(asked: WhyQuestion, document: Mapping[str, Any]) -> list[Row]:
    """The whole answer: the walk of the passage, its neighbours, and who was dropped where."""
    query = str(document.get("query") or asked.query)
    rows = [Pen().put("Searched for ", "dim").put(f"“{query}”").row(hang=HANG)]
    rows.append(Pen().put("Passage from ", "dim").put(asked.title).row(hang=HANG))
    if document.get("gone"):
        rows += [blank(), Pen().put("This passage is not in today's library.", "warn").row()]
        rows.append(Pen().put("Its source was changed or removed since; the quote still opens in the reader.").row())
        return [*rows, *_then(asked)]
    rows += [_fate(document), blank()]
    rows += [_step(step, at) for at, step in enumerate(document.get("steps") or (), 1)]
    rows += [*_then(asked, str(document.get("why") or "")), *_neighbours(document), *_dropped(document)]
    return rows


def _fate(document: Mapping[str, Any]) -> Row:
    place, pool = document.get("place"), int(document.get("pool") or 0)
    if place is None:
        return Pen().put("It does not come into the pool of this search.", "warn").row()
    pen = Pen().put(f"Place {place} of {wording.count(pool, 'passage')} that were looked at; ", "strong")
    return pen.put(f"the best {document.get('keep')} are kept.", "strong").row(hang=HANG)


def _step(step: Mapping[str, Any], at: int) -> Row:
    name, verdict = str(step["name"]), str(step["verdict"])
    sign, style = SIGNS.get(verdict, NO_PART)
    figure, needed = str(step["figure"]), str(step["needed"])
    pen = Pen().put(f"{at} ").put(sign, style).put(" ").put(pad(NAMES.get(name, name), 18), "key")
    pen.put(f"{figure}  " if figure else "").put(f"({needed})", "dim").put("  ")
    return pen.put(GATE.get(verdict, verdict) if name == "gate" else verdict, style).row(hang=22)


def _then(asked: WhyQuestion, today: str = "") -> Iterator[Row]:
    if not asked.said:
        return
    yield blank()
    if asked.said == today:
        yield Pen().put("The same as the run noted then.", "dim").row()
    else:
        yield Pen().put("These are the figures of today's library. The run noted then: ", "dim").put(asked.said).row()


def _neighbours(document: Mapping[str, Any]) -> Iterator[Row]:
    for name, title in (("before", "Ranked before it"), ("after", "Ranked after it")):
        if found := document.get(name):
            yield blank()
            yield Pen().put(title, "heading").row()
            for one in found:
                kept = "" if one.get("kept") else "  dropped"
                yield _named(one, f"{one['place']:>3} ", kept)


def _dropped(document: Mapping[str, Any]) -> Iterator[Row]:
    others = [one for one in document.get("dropped") or () if one["count"]]
    if others:
        yield blank()
        yield Pen().put("Others that were dropped, and where", "heading").row()
    for one in others:
        step = NAMES.get(str(one["step"]), str(one["step"])).lower()
        yield Pen().put("- ", "dim").put(f"{wording.count(int(one['count']), 'passage')} at the {step}, such as:").row()
        for example in one["examples"]:
            yield _named(example, "    ", "")


def _named(one: Mapping[str, Any], lead: str, after: str) -> Row:
    place = Place.model_validate(one["locator"])
    where = wording.place(place.model_copy(update={"heading": None}))
    pen = Pen().put(lead, "dim").put(str(one["title"])).put(f", {where}" if where else "", "dim")
    figures = f"cosine {one['cosine']:.3f}" + (f", rerank {one['rerank']:.2f}" if one["rerank"] is not None else "")
    return pen.put(f"  {figures}", "dim").put(after, "warn").row(hang=len(lead))
