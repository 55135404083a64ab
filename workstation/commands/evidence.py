"""`flori evidence`: the quotes of a run by their numbers, and what a person makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workstation.commands.places import clock
from workstation.core.places import page_of
from workstation.core.text import one_line
from workstation.engine.launch import deliver, load_run
from workstation.engine.revising import changed_evidence
from workstation.engine.workbench import open_workbench
from workstation.errors import BadInput, Exit
from workstation.memory.events import Command, CommandKind, Warned
from workstation.memory.staleness import stale
from workstation.memory.state import Note, ResearchState, Search
from workstation.options import Options, resolve
from workstation.output import emit, say, table

KINDS = ("fact", "hypothesis", "error", "unchecked", "empty", "rejected")
DONE: dict[CommandKind, str] = {
    "reject": "Rejected",
    "restore": "Restored",
    "correct": "Corrected",
    "move": "Moved",
}


class NoSuchNote(BadInput):
    title = "The run has no quote with this number"
    hint = "Its numbers: flori evidence FOLDER"


class NoSuchNeed(BadInput):
    title = "The plan has no such sub-question"
    hint = "They are numbered in plan.md, from 1"


class Refused(BadInput):
    title = "The evidence stays as it was"
    hint = "Show it with: flori evidence FOLDER"


class Waits(BadInput):
    title = "The run was told something else before, which waits for its engine"
    hint = "Go on with the run, and this is taken as well: flori continue FOLDER"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lines of the evidence to show; without a value all of them."""

    kind: str = ""
    source: int | None = None
    need: int | None = None


def run(options: Options, folder: Path, wanted: Wanted) -> int:
    """Lists the evidence. Exit 1 when there is none of that sort."""
    state = load_run(folder)
    need = _need(state, wanted.need) if wanted.need else None
    notes = [
        (number, note)
        for number, note in enumerate(state.notes, 1)
        if wanted.kind in ("", kind_of(note)) and wanted.source in (None, note.number) and need in (None, note.need)
    ]
    empty = [
        s
        for s in state.searches
        if wanted.kind in ("", "empty") and wanted.source is None and need in (None, s.need) and _is_empty(s)
    ]
    if options.json:
        emit(_document(folder, state, notes, empty))
    else:
        _show(state, notes, empty)
    return Exit.DONE if notes or empty else Exit.NEGATIVE


def change(options: Options, folder: Path, number: int, kind: CommandKind, value: str = "") -> int:
    """Rejects, restores, corrects or moves one quote. A change that cannot be made is refused before it is sent."""
    state = load_run(folder)
    if number > len(state.notes):
        raise NoSuchNote(str(number))
    note = state.notes[number - 1]
    if kind == "move":
        value = _need(state, int(value))
    command = Command(kind=kind, note=note.id, value=value)
    with open_workbench(resolve(_given(options) | {"library": state.library})) as bench:
        for event in changed_evidence(state, command, bench):
            if isinstance(event, Warned):
                raise Refused(event.text)
    if not deliver(folder, command):
        _attend(options, folder)
    after = load_run(folder)
    if after.commands_taken < _last_command(folder):
        raise Waits(str(folder))
    _said(options, folder, after, number, kind)
    return Exit.DONE


def kind_of(note: Note) -> str:
    """The kind as the command line names it."""
    return {"extraction_error": "error", None: "unchecked"}.get(note.kind, str(note.kind))


def _attend(options: Options, folder: Path) -> None:
    from workstation.core.cancel import CancelToken
    from workstation.engine.worker import work

    work(folder, _given(options), approve=False, cancel=CancelToken(), attend=True)


def _given(options: Options) -> dict[str, object]:
    return {"models": str(options.models), "offline": options.offline}


def _last_command(folder: Path) -> int:
    from workstation.memory.log import read_commands

    return max((c.seq for c in read_commands(folder)), default=0)


def _need(state: ResearchState, number: int) -> str:
    if not 1 <= number <= len(state.needs):
        raise NoSuchNeed(str(number))
    return state.needs[number - 1].question.id


def _is_empty(search: Search) -> bool:
    return not search.kept or not search.covered


def _document(folder: Path, state: ResearchState, notes: list[tuple[int, Note]], empty: list[Search]) -> dict[str, Any]:
    outdated = stale(state)
    return {
        "folder": str(folder),
        "evidence": [
            {
                "number": number,
                "id": note.id,
                "kind": kind_of(note),
                "need": note.need,
                "cites": note.number,
                "quote": note.quote,
                "locator": note.place.model_dump(exclude_none=True),
                "cosine": note.cosine,
                "reason": note.reason,
                "corrected": note.corrected,
            }
            for number, note in notes
        ],
        "empty_searches": [{"need": s.need, "query": s.query, "found": s.found} for s in empty],
        "stale": {"paragraphs": sorted(outdated.paragraphs), "needs": sorted(outdated.needs)},
    }


def _show(state: ResearchState, notes: list[tuple[int, Note]], empty: list[Search]) -> None:
    numbers = {need.question.id: at for at, need in enumerate(state.needs, 1)}
    rows: list[tuple[object, ...]] = [
        (at, _words(n), numbers.get(n.need, "-"), f"[{n.number}]", one_line(f"“{n.quote}”", 90), _place(n))
        for at, n in notes
    ]
    rows += [("-", "empty search", numbers.get(s.need, "-"), "", one_line(f"“{s.query}”", 90), "") for s in empty]
    say(table(("", "kind", "plan", "source", "quote", "place"), rows, right=(0, 2)) if rows else "No such evidence.")
    _say_stale(state)


def _words(note: Note) -> str:
    words = kind_of(note) + (", corrected" if note.corrected else "")
    return f"{words}: {one_line(note.reason, 40)}" if note.reason else words


def _place(note: Note) -> str:
    at = note.place.model_dump(exclude_none=True)
    parts = (page_of(at) if "page" in at else "", clock(at["t0"]) if "t0" in at else "", at.get("heading", ""))
    return one_line(", ".join(filter(None, parts)), 40)


def _said(options: Options, folder: Path, state: ResearchState, number: int, kind: CommandKind) -> None:
    if options.json:
        outdated = stale(state).paragraphs
        emit({"folder": str(folder), "command": kind, "number": number, "stale": sorted(outdated)})
        return
    note = state.notes[number - 1]
    along = sum(n.rejected_with == note.rejected_with for n in state.notes) - 1 if kind == "reject" else 0
    more = f" (and {along} more with the same words)" if along else ""
    say(f"{DONE[kind]}: [{note.number}] “{one_line(note.quote, 70)}”{more}")
    _say_stale(state)


def _say_stale(state: ResearchState) -> None:
    if count := len(stale(state).paragraphs):
        paragraphs = "1 paragraph is" if count == 1 else f"{count} paragraphs are"
        say(f"{paragraphs} stale. Write the report anew from what is left: flori continue FOLDER")
