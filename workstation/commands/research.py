"""`flori research` and `flori continue`: the engine in the foreground, its progress on stderr."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from workstation.commands.ask import show
from workstation.commands.dialogue import Dialogue, Prepared, Replies, Terminal
from workstation.commands.interrupt import interruptible
from workstation.core.text import one_line
from workstation.engine.launch import load_run, new_run
from workstation.engine.leave import leave
from workstation.errors import BadInput, Exit
from workstation.memory.events import (
    CrawlEnded,
    CrawlStep,
    Depth,
    DisagreementFound,
    Event,
    Format,
    LeadsFound,
    NeedClosed,
    PlanExtended,
    PlanProposed,
    SearchDone,
    StageEntered,
    Warned,
)
from workstation.memory.staleness import stale
from workstation.memory.state import Note, ResearchState
from workstation.options import Options
from workstation.output import emit, say
from workstation.planning.classify import classify

GOOD = ("answered", "partly")


class NeedsApproval(BadInput):
    title = "The plan needs your approval, and this is not a terminal"
    hint = "Add --yes to approve the plan without being asked, or --answers FILE with what you would say"


def run(
    options: Options,
    question: str,
    depth: Depth | None,
    format: Format | None,
    web: bool,
    urls: tuple[str, ...],
    out: Path | None,
    yes: bool,
    answers: Path | None = None,
    allowed: tuple[str, ...] = (),
) -> int:
    """Exit 0 when the report answers, 1 when it does not or its check failed, 130 when it was stopped."""
    fetched = leave(options, web, urls, allowed)
    if fetched is None and (status := _served(options, question)) is not None:
        return status
    if not (yes or answers or sys.stdin.isatty()):
        raise NeedsApproval(one_line(question))
    replies = Prepared(answers) if answers else Terminal()
    usual: Any = (options.config["depth"], options.config["format"])  # the configuration knows no other values
    if fetched:
        from workstation.engine.web import ensure_library

        ensure_library(options)
    folder = new_run(options, question, depth=depth, format=format, defaults=usual, out=out, web=fetched)
    return follow(options, folder, None if yes else replies)


def _served(options: Options, question: str) -> int | None:
    """Shows what needs no research, and returns the exit status; None when it is to be researched."""
    route = classify(question)
    if route.intent not in ("nothing", "greeting", "locate", "catalogue"):
        return None
    from workstation.engine.serving import served
    from workstation.engine.workbench import open_workbench

    with open_workbench(options) as bench:
        found = served(question, route, bench)
    return None if found is None else show(options, found)


def follow(options: Options, folder: Path, replies: Replies | None) -> int:
    """Runs the engine on a folder to its end and shows how it ended. Without `replies` everything is agreed to."""
    from workstation.engine.worker import record_failure, work

    dialogue = Dialogue(folder, replies) if replies else None

    def hear(event: Event, state: ResearchState) -> None:
        if not options.quiet or dialogue:
            _progress(event, state)
        if dialogue:
            dialogue.hear(event, state)

    given = {"library": str(options.library), "models": str(options.models), "offline": options.offline}
    with interruptible() as cancel:
        try:
            state = work(folder, given, approve=dialogue is None, cancel=cancel, on_event=hear)
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
        "disagreements": [
            {"kind": d.kind, "against": _quote(state, d.against), "quote": _quote(state, d.note)}
            for d in state.disputes()
        ],
        "stale": sorted(stale(state).paragraphs),
        "verification": state.check.model_dump() if state.check else None,
        "web": [
            {"exit_reason": x.exit_reason, "pages": x.pages, "kept": x.kept}
            for x in state.crawl
            if isinstance(x, CrawlEnded)
        ],
        "timings_ms": {"total": round(1000 * ended.seconds) if ended else 0},
        "model_calls": ended.model_calls if ended else 0,
    }


def _quote(state: ResearchState, id: str) -> dict[str, Any]:
    note = state.note(id)
    return {"number": note.number, "quote": note.quote} if note else {}


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
        case PlanProposed() | PlanExtended():
            first = len(state.needs) - len(event.items) if isinstance(event, PlanExtended) else 0
            lines = [f"   {n}. {one_line(q.text)}" for n, q in enumerate(event.items, first + 1)]
            most = event.limits
            limits = f"   at most {most.seconds:g} s, {most.searches} searches, {most.sources} sources"
            pages = f", {most.pages} pages from the web" if state.web else ""
            line = "\n".join([*lines, limits + pages])
        case LeadsFound():
            line = f"   {one_line(event.query)[:70]}: {len(event.leads)} addresses"
        case CrawlStep():
            why = f"  ({one_line(event.reason, 60)})" if event.reason else ""
            line = f"   {event.verdict:5} ga {event.ga:.2f}  psi {event.psi:.2f}  {one_line(event.url, 70)}{why}"
        case CrawlEnded():
            line = f"   {event.exit_reason}: {event.kept} of {event.pages} pages kept"
        case SearchDone():
            line = f"   {one_line(event.query)[:70]}: {len(event.kept)} passages"
        case NeedClosed():
            line = f"   {event.status}: {one_line(state.need(event.need).question.text)[:60]}"
        case DisagreementFound():
            note = state.note(event.note)
            line = f"   {event.kind.replace('_', ' ')}: {one_line(note.quote, 70) if note else ''}"
        case Warned():
            line = f"   ! {one_line(event.text)}"
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
