"""`flori runs | continue | enough | cancel`: run folders, and what can be asked of them."""

from __future__ import annotations

from pathlib import Path

from workstation.core.text import one_line
from workstation.engine.launch import deliver, load_run, runs, settle
from workstation.engine.listing import RunSummary
from workstation.errors import BadInput, Exit
from workstation.memory.events import Command
from workstation.memory.log import engine_alive, send
from workstation.memory.staleness import stale
from workstation.options import Options
from workstation.output import emit, say, table


class NoPlan(BadInput):
    title = "This run has no approved plan yet"
    hint = "Approve it first: flori continue FOLDER"


class NotRunning(BadInput):
    title = "No engine is working on this run"
    hint = "Go on with it: flori continue FOLDER"


def run(options: Options) -> int:
    """Lists the runs below the reports folder, newest first."""
    found = runs(options.reports)
    for run in found:
        settle(run.folder)
    if options.json:
        emit({"runs": [{n: v if isinstance(v := getattr(r, n), bool) else str(v) for n in r.__slots__} for r in found]})
    elif found:
        rows = [(r.started[:16].replace("T", " "), _state(r), r.outcome, one_line(r.title), r.folder) for r in found]
        say(table(("started", "state", "outcome", "title", "folder"), rows))
        if any(r.status == "interrupted" for r in found):
            say("\nAn interrupted run goes on with: flori continue FOLDER")
    else:
        say(f"No runs in {options.reports}. Start one with: flori research QUESTION")
    return Exit.DONE


def _state(run: RunSummary) -> str:
    return "waits for you" if run.waits and run.status == "running" else run.status


def continue_run(options: Options, folder: Path) -> int:
    """Goes on with an interrupted run, and writes anew what is stale in a finished one. A plan that was never approved
    counts as approved by this command."""
    from workstation.commands.research import document, follow

    state = load_run(folder)
    over = state.ended and state.ended.outcome != "cancelled" and state.ended.exit_reason != "failed"
    if over and not stale(state):
        settle(folder)
        if options.json:
            emit(document(folder, state))
        else:
            outcome = state.ended.outcome if state.ended else ""
            say(f"This run has ended: {outcome}. Report: {folder / 'report.md'}")
        return Exit.DONE
    return follow(options, folder, None)


def enough(options: Options, folder: Path) -> int:
    """Tells the engine to stop searching and to write with what it has; works on an interrupted run as well."""
    load_run(folder)
    if deliver(folder, Command(kind="enough")):
        return _said(options, folder, "enough", "The engine stops searching and writes the report.")
    return continue_run(options, folder)


def deepen(options: Options, folder: Path, words: str) -> int:
    """Asks a run for more: a follow-up question, or without one, whatever is not fully answered yet."""
    from workstation.commands.research import follow

    state = load_run(folder)
    if not state.plan_hash:
        raise NoPlan(str(folder))
    if deliver(folder, Command(kind="deepen", value=words)):
        return _said(options, folder, "deepen", "The engine goes deeper.")
    return follow(options, folder, None)


def cancel(options: Options, folder: Path) -> int:
    """Tells the engine to stop."""
    load_run(folder)
    if not engine_alive(folder):
        raise NotRunning(str(folder))
    send(folder, Command(kind="cancel"))
    return _said(options, folder, "cancel", "The engine stops. Go on later with: flori continue FOLDER")


def _said(options: Options, folder: Path, command: str, text: str) -> int:
    if options.json:
        emit({"folder": str(folder), "command": command})
    else:
        say(text)
    return Exit.DONE
