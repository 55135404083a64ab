"""A realistic run, recorded without an engine: its events, a folder that holds them, and the library behind it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from unittest.mock import patch

from workstation.memory import events as e
from workstation.memory.events import Check, Event, Limits, Place, SubQuestion
from workstation.memory.log import RunLog
from workstation.paths import sample_dir

QUESTION = "Why was Smeaton's Eddystone lighthouse replaced, and what happened to it?"
NAMES = ("eddystone.md", "bell-rock.md", "fresnel-lens.md", "pharos-and-hercules.md")
TITLES = (
    "The four Eddystone lighthouses",
    "The Bell Rock",
    "How Fresnel made a weak flame reach the horizon",
    "Two ancient lighthouses",
)
VERSION = "5f0c9a"
COST = "What did the tower cost to build?"
WHICH = e.Clarification(id="document", text="Which document do you mean?", options=TITLES[:2])

PLAN = (
    SubQuestion(id="s1", text=QUESTION, settles="a passage that answers it directly"),
    SubQuestion(
        id="s2", text="When was the tower lit, and how long did it stand?", settles="dates, each with its source"
    ),
    SubQuestion(id="s3", text="Which later towers copied its construction?", settles="a tower that a source names"),
    SubQuestion(id="s4", text="What did the replacement cost?", settles="a sum with its currency"),
    SubQuestion(
        id="s5",
        text="What contradicts or limits the likely answer: other reasons given for the replacement?",
        settles="a source that disagrees",
        counter=True,
    ),
)
LIMITS = Limits(seconds=900, searches=30, sources=40, tokens=40_000, reserve_s=60)

# note id, sub-question, source (index into NAMES), first and last words of the quote
QUOTES = (
    ("n1", "s1", 0, "The tower itself was sound", "shook in heavy seas."),
    ("n2", "s1", 0, "Its upper part was", "since 1884."),
    ("n3", "s2", 0, "The tower was lit on 16 October 1759", "more than a century."),
    ("n4", "s2", 0, "James Douglass built the present tower", "49 metres high."),
    ("n5", "s3", 1, "Each course of stones is dovetailed", "Eddystone."),
    ("n6", "s3", 2, "A lens of the first order", "of the coast;"),
    ("n7", "s5", 0, "The Great Storm destroyed it", "for repairs."),
)


def text_of(source: int) -> str:
    return (sample_dir() / "library" / NAMES[source]).read_text(encoding="utf-8")


class RecordedSources:
    """The part of the engine's services that the evidence needs."""

    def stored_text(self, source: int, version: str) -> str | None:
        return text_of(source - 11) if version == VERSION else None

    def place_of(self, source: int, version: str, start: int, end: int) -> Place:
        return Place(start=start, end=end)


def quote_of(source: int, first: str, last: str) -> tuple[str, Place]:
    """The exact slice of the stored text from `first` to the next `last`."""
    text = text_of(source)
    start = text.index(first)
    end = text.index(last, start) + len(last)
    heading = text.rfind("\n## ", 0, start)
    title = text[heading + 4 :].split("\n", 1)[0] if heading >= 0 else None
    return text[start:end], Place(start=start, end=end, heading=title)


def run_events(library: str = "/home/reader/library") -> list[Event]:
    """A thorough run from the question to the end."""
    found: list[Event] = [
        e.RunStarted(question=QUESTION, depth="thorough", format="report", library=library, program="0.1.0"),
        e.StageEntered(stage="classify"),
        e.Classified(intent="research"),
        e.StageEntered(stage="brief"),
        e.BriefWritten(restated=QUESTION, title="Smeaton's Eddystone lighthouse", language="en"),
        e.StageEntered(stage="plan"),
        e.PlanProposed(items=PLAN, limits=LIMITS),
        e.PlanApproved(items=PLAN, plan_hash="c0ffee"),
        e.StageEntered(stage="gather"),
    ]
    for item in PLAN:
        found += _gathered(item)
    found.append(e.StageEntered(stage="write"))
    found += _written()
    found += [
        e.StageEntered(stage="verify"),
        e.ReportVerified(check=Check(sentences=6, cited=6, located=6, supported=5, unverified=1)),
        e.RunEnded(outcome="partly", exit_reason="plan_done", seconds=41.0),
    ]
    return found


def _gathered(item: SubQuestion) -> Iterator[Event]:
    numbers = {0: 1, 1: 2, 2: 3}
    quotes = [q for q in QUOTES if q[1] == item.id]
    kept = tuple(range(len(quotes)))
    yield e.SearchDone(
        need=item.id,
        query=item.text,
        angle="question",
        found=24 if quotes else 3,
        kept=kept,
        top_cosine=0.71 if quotes else 0.2,
        covered=bool(quotes),
        seconds=0.2,
    )
    for id, need, source, first, last in quotes:
        quote, place = quote_of(source, first, last)
        yield e.SourceRegistered(
            number=numbers[source],
            source=source + 11,
            version=VERSION,
            title=TITLES[source],
            path=f"/home/reader/papers/{NAMES[source]}",
            kind="document",
            language="en",
        )
        yield e.ObservationMade(
            id=id, need=need, number=numbers[source], quote=quote, place=place, passage=1, cosine=0.71, rerank=0.8
        )
        if id == "n6":
            yield e.ObservationChecked(id=id, kind="extraction_error", reason="it says nothing about a tower")
        elif id == "n7":
            yield e.ObservationChecked(id=id, kind="hypothesis", reason="it speaks of an earlier tower")
        else:
            yield e.ObservationChecked(id=id, kind="fact")
    if item.id == "s4":
        yield e.NeedClosed(need=item.id, status="unresolved", reason="two angles found nothing")
    elif item.id == "s5":
        yield e.NeedClosed(need=item.id, status="partly", reason="one source, on another tower")
    else:
        yield e.NeedClosed(need=item.id, status="answered")


def _written() -> Iterator[Event]:
    quotes = {id: quote_of(source, first, last)[0].replace("\n", " ") for id, _, source, first, last in QUOTES}
    yield e.ParagraphWritten(
        id="answer",
        section="answer",
        text=f"“{quotes['n1']}” [1]\n\n“{quotes['n2']}” [1]",
        notes=("n1", "n2"),
    )
    yield e.ParagraphWritten(
        id="finding-s2",
        section="finding",
        need="s2",
        text=f"“{quotes['n3']}” [1] The tower that stands today is **49 metres** high [1].",
        notes=("n3", "n4"),
    )
    yield e.ParagraphWritten(
        id="finding-s3",
        section="finding",
        need="s3",
        text=f"“{quotes['n5']}” [2] Other towers may have done the same (unverified).",
        notes=("n5",),
    )


def asking_events() -> list[Event]:
    """A run that asks back before it plans."""
    begun = until(run_events(), "brief_written")
    return [*begun, e.StageEntered(stage="clarify"), e.ClarificationAsked(questions=(WHICH,))]


def waiting_events() -> list[Event]:
    """A run whose plan waits for approval."""
    return until(run_events(), "plan_proposed")


def changed_events(words: str, items: Sequence[SubQuestion]) -> list[Event]:
    """What the engine does when the plan is changed: by words that it understood."""
    proposed = e.PlanProposed(items=tuple(items), limits=LIMITS, change=words)
    return [e.CommandTaken(command_seq=1, command="edit_plan"), proposed]


def refused_events(words: str) -> list[Event]:
    """What it does with words that it did not understand."""
    said = f"Not understood: {words}. The plan stays as it was."
    return [e.CommandTaken(command_seq=1, command="edit_plan"), e.Warned(text=said)]


def disputed_events(language: str = "en") -> list[Event]:
    """A run that found sources which disagree, and one of its sub-questions not reached."""
    found: list[Event] = []
    for event in run_events():
        if isinstance(event, e.BriefWritten):
            found.append(event.model_copy(update={"language": language}))
        elif isinstance(event, e.NeedClosed) and event.need == "s4":
            reason = "not reached: the time is spent"
            found.append(e.NeedClosed(need="s4", status="unresolved", cause="out_of_time", reason=reason))
        elif isinstance(event, e.StageEntered) and event.stage == "write":
            found.append(e.DisagreementFound(need="s5", note="n5", against="n3", kind="other_figure"))
            found.append(e.DisagreementFound(need="s5", note="n4", against="n3", kind="denial"))
            found.append(event)
        elif isinstance(event, e.StageEntered) and event.stage == "verify":
            lead, other = (quote_of(source, first, last)[0] for _, _, source, first, last in (QUOTES[2], QUOTES[4]))
            text = f"“{lead}” [1]\n\n- Another figure: “{other}” [2]".replace("\n ", " ")
            found.append(e.ParagraphWritten(id="d", section="disagreement", need="s5", text=text, notes=("n3", "n5")))
            found.append(event)
        else:
            found.append(event)
    return found


def deepened_events(asked: str = "") -> list[Event]:
    """A run that was asked for more after its end and gathers again."""
    later = (SubQuestion(id="s6", text=asked),) if asked else ()
    reopened = () if asked else ("s4", "s5")
    return [
        *run_events(),
        e.RunResumed(program="0.1.0"),
        e.CommandTaken(command_seq=1, command="deepen"),
        e.PlanExtended(asked=asked, items=later, reopened=reopened, limits=LIMITS, plan_hash="deeper"),
        e.StageEntered(stage="gather"),
    ]


@contextmanager
def frozen_time(start: datetime = datetime(2026, 11, 12, 14, 5, tzinfo=UTC)) -> Iterator[None]:
    """Events appended inside are a second apart, from `start` on."""
    ticks = count()
    with patch("workstation.memory.log.now", lambda: (start + timedelta(seconds=next(ticks))).isoformat()):
        yield


def record(folder: Path, events: Sequence[Event]) -> Path:
    """A run folder that holds these events."""
    with frozen_time(), RunLog(folder) as log:
        for event in events:
            log.append(event)
    return folder


def until(events: Sequence[Event], kind: str, nth: int = 1) -> list[Event]:
    """The events up to and with the nth of a type."""
    at = [i for i, event in enumerate(events) if event.type == kind][nth - 1]
    return list(events[: at + 1])


def library_document() -> dict[str, object]:
    """What the look-ups child knows: the sources as `flori sources` lists them, and their texts."""
    sources = [
        {
            "source": index + 11,
            "title": title,
            "path": f"/home/reader/papers/{name}",
            "kind": "document",
            "language": "en",
            "passages": 4,
            "status": "ok",
            "versions": 1,
            "version": VERSION,
            "text": text_of(index),
            "pages": [],
            "passage_list": [],
        }
        for index, (name, title) in enumerate(zip(NAMES, TITLES, strict=True))
    ]
    return {"sources": sources}


def save_library(path: Path) -> Path:
    path.write_text(json.dumps(library_document()), encoding="utf-8")
    return path
