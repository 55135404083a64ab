"""`flori research` and `flori continue`: the engine in the foreground, its progress on stderr."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from workstation.commands.interrupt import interruptible
from workstation.core.text import one_line
from workstation.engine.launch import load_run, new_run
from workstation.errors import BadInput, Exit, NotAvailable
from workstation.memory.events import Command, Event, NeedClosed, PlanProposed, SearchDone, StageEntered
from workstation.memory.log import send
from workstation.memory.state import Note, ResearchState
from workstation.options import Options
from workstation.output import emit, say

GOOD = ("answered", "partly")


class NeedsApproval(BadInput):
    title = "The plan needs your approval, and this is not a terminal"
    hint = "Add --yes to approve the plan without being asked"


def run(
    options: Options,
    question: str,
    depth: str,
    format: str,
    web: bool,
    urls: tuple[str, ...],
    out: Path | None,
    yes: bool,
) -> int:
    """Exit 0 when the report answers, 1 when it does not or its check failed, 130 when it was stopped."""
    if web or urls:
        raise NotAvailable("research on the web: this version reads the library only")
    if not any(c.isalnum() for c in question):
        raise BadInput("the question has no words")
    if not (yes or sys.stdin.isatty()):
        raise NeedsApproval(one_line(question))
    folder = new_run(options, question, depth=depth, format=format, out=out)  # type: ignore[arg-type]  # click's choice
    return follow(options, folder, yes)


def follow(options: Options, folder: Path, yes: bool) -> int:
    """Runs the engine on a folder to its end and shows how it ended."""
    from workstation.engine.worker import record_failure, work

    def show(event: Event, state: ResearchState) -> None:
        if not options.quiet:
            _progress(event, state)
        if isinstance(event, PlanProposed) and not yes:
            agreed = click.confirm("Start the research?", default=True, err=True)
            send(folder, Command(kind="approve" if agreed else "cancel"))

    given = {"library": str(options.library), "models": str(options.models), "offline": options.offline}
    with interruptible() as cancel:
        try:
            state = work(folder, given, approve=yes, cancel=cancel, on_event=show)
        except Exception as error:
            record_failure(folder, error)
            raise
    if options.json:
        emit(document(folder, state))
    else:
        _show(folder, state)
    outcome = state.ended.outcome if state.ended else "cancelled"
    if outcome == "cancelled":
        return Exit.INTERRUPTED
    return Exit.DONE if outcome in GOOD and state.check and state.check.ok else Exit.NEGATIVE


def document(folder: Path, state: ResearchState | None = None) -> dict[str, Any]:
    """The `research` document of the command line's contract."""
    state = state or load_run(folder)
    ended = state.ended
    cited = {id for p in state.paragraphs for id in p.notes}
    return {
        "folder": str(folder),
        "outcome": ended.outcome if ended else "interrupted",
        "exit_reason": ended.exit_reason if ended else "",
        "detail": ended.detail if ended else "",
        "plan": [{"text": n.question.text, "status": n.status} for n in state.needs],
        "citations": [_citation(state, n) for n in state.notes if n.id in cited],
        "verification": state.check.model_dump() if state.check else None,
        "timings_ms": {"total": round(1000 * ended.seconds) if ended else 0},
        "model_calls": ended.model_calls if ended else 0,
    }


def _citation(state: ResearchState, note: Note) -> dict[str, Any]:
    entry = state.entry(note.number)
    assert entry is not None, "a note's number is always in the ledger"
    return {
        "number": note.number,
        "source": entry.source,
        "title": entry.title,
        "kind": entry.kind,
        "locator": note.place.model_dump(exclude_none=True),
        "quote": note.quote,
    }


def _progress(event: Event, state: ResearchState) -> None:
    match event:
        case StageEntered():
            line = f"-- {event.stage}"
        case PlanProposed():
            lines = [f"   {n}. {one_line(q.text)}" for n, q in enumerate(event.items, 1)]
            most = event.limits
            limits = f"   at most {most.seconds:g} s, {most.searches} searches, {most.sources} sources"
            line = "\n".join([*lines, limits])
        case SearchDone():
            line = f"   {one_line(event.query)[:70]}: {len(event.kept)} passages"
        case NeedClosed():
            line = f"   {event.status}: {one_line(state.need(event.need).question.text)[:60]}"
        case _:
            return
    print(line, file=sys.stderr, flush=True)


def _show(folder: Path, state: ResearchState) -> None:
    report = folder / "report.md"
    if report.exists():
        say(report.read_text(encoding="utf-8"))
    say(f"Report: {report}" if report.exists() else f"Folder: {folder}")
    if state.ended and state.ended.outcome not in GOOD:
        say(f"Outcome: {state.ended.outcome}. {state.ended.detail}")
