"""`flori replay`: what happened in a run, step by step, and whether the same decisions are made on it again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workstation.core.text import one_line
from workstation.engine.discovering import replayed
from workstation.engine.launch import load_run
from workstation.errors import Exit
from workstation.memory.folding import fold
from workstation.memory.log import read_log
from workstation.memory.state import ResearchState
from workstation.memory.telling import told
from workstation.options import Options
from workstation.output import emit, say

CLOSE = 1e-9  # between a logged number and the one that is computed again


def run(options: Options, folder: Path, until: int | None) -> int:
    """Exit 1 when a decision about the web would be another one."""
    load_run(folder)
    events = [event for event in read_log(folder) if until is None or event.seq <= until]
    state = fold(events)
    compared, different = _compared(state)
    if options.json:
        steps = [{"seq": event.seq, "time": event.time, "type": event.type, "text": told(event)} for event in events]
        emit({"folder": str(folder), "steps": steps, "crawl": {"steps": compared, "different": different}})
    else:
        for event in events:
            say(f"{event.seq:5}  {event.time[11:19]}  {one_line(told(event), 160)}")
        say()
        say(_summary(state))
        if compared:
            same = compared - len(different)
            say(f"Decided again on the same arrivals: {same} of {compared} steps of the crawl are the same.")
        for each in different:
            say(f"  step {each['seq']}, {one_line(each['url'])}: {each['what']}")
    return Exit.NEGATIVE if different else Exit.DONE


def _compared(state: ResearchState) -> tuple[int, list[dict[str, Any]]]:
    """How many steps of the crawl there are, and those on which the machine decides otherwise now."""
    pairs = replayed(state)
    different: list[dict[str, Any]] = []
    for logged, again in pairs:
        numbers = again.numbers
        names = [n for n in numbers.__slots__ if abs(getattr(logged, n) - getattr(numbers, n)) > CLOSE]
        names += ["verdict"] if logged.verdict != again.verdict else []
        names += ["launched"] if tuple(logged.launched) != tuple(again.launched) else []
        names += ["exit reason"] if logged.exit_reason != (again.exit or "") else []
        if names:
            different.append({"seq": logged.seq, "url": logged.url, "what": f"other {', '.join(names)}"})
    return len(pairs), different


def _summary(state: ResearchState) -> str:
    answered = sum(need.status == "answered" for need in state.needs)
    ended = f"{state.ended.outcome} ({state.ended.exit_reason})" if state.ended else f"at stage {state.stage or 'none'}"
    return (
        f"Then it stands so: {ended}; {answered} of {len(state.needs)} sub-questions answered, {len(state.facts())} "
        f"facts from {len(state.ledger)} sources, {len(state.paragraphs)} paragraphs."
    )
