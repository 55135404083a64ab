"""How a run stands, in a line: what waits for the user, and stage, time and counts."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING

from panes import wording
from panes.keymap import shown

if TYPE_CHECKING:
    from panes.run_view import Snapshot
    from workstation.memory.events import Clarification


def decision(snapshot: Snapshot) -> str:
    """What waits for the user: a question, a plan to approve, a run to continue, an unreadable log. Before it stands
    why the run did not do what it was told. Empty when nothing is to be said."""
    return "  ".join(filter(None, (snapshot.talk.objection, _waits(snapshot))))


def _waits(snapshot: Snapshot) -> str:
    if snapshot.life == "interrupted":
        why = f" It said: {snapshot.trouble}" if snapshot.trouble else ""
        if snapshot.asked:
            return f"Interrupted. Answer, and the run goes on: {_question(snapshot.asked)}{why}"
        if snapshot.waiting:
            approve = shown("research.approve")
            return f"Interrupted before the plan was approved. Press {approve} to approve it and go on.{why}"
        return f"Interrupted: no engine is at work on this run. Press {shown('research.continue')} to continue.{why}"
    if snapshot.trouble:
        return snapshot.trouble
    if snapshot.asked:
        return f"Choose in the plan, or press {shown('research.ask')} to answer: {_question(snapshot.asked)}"
    if snapshot.waiting:
        lines = wording.count(len(snapshot.state.proposed), "sub-question")
        approve, ask, cancel = (shown(f"research.{key}") for key in ("approve", "ask", "cancel"))
        return f"Plan of {lines}. Press {approve} to approve, {ask} to change it, {cancel} to cancel."
    if snapshot.life == "ended" and snapshot.stale:
        paragraphs = len(snapshot.stale.paragraphs)
        what = wording.stale_paragraphs(paragraphs) if paragraphs else "How far the sub-questions are answered is stale"
        does = ("writes it" if paragraphs == 1 else "writes them") if paragraphs else "works it out"
        again = f"{shown('research.continue')} {does} again"
        return f"{what}: {again} from the evidence that is left."
    return ""


def _question(asked: Clarification) -> str:
    options = "   ".join(f"{number}\u00a0{option}" for number, option in enumerate(asked.options, 1))
    return f"{asked.text}   {options}"  # a number stays with the first word of its option


def standing(snapshot: Snapshot) -> str:
    """Stage or outcome, the engine's time, and counts."""
    state = snapshot.state
    parts = [_head(snapshot), wording.clock(_worked(snapshot))]
    if state.needs:
        parts.append(f"{sum(n.status != 'open' for n in state.needs)} of {len(state.needs)} done")
    if pages := sum(x.type == "crawl_step" for x in state.crawl):
        parts.append(wording.count(pages, "page") + " fetched")
    if state.ledger:
        parts.append(wording.count(len(state.ledger), "source"))
    if state.notes:
        parts.append(wording.count(len(state.notes), "quote"))
    return "   ".join(parts)


def _head(snapshot: Snapshot) -> str:
    state = snapshot.state
    if snapshot.life == "running":
        if snapshot.asked:
            return "Waiting for your answer"
        return "Waiting for your approval" if snapshot.waiting else f"Running: {wording.stage(state.stage)}"
    if snapshot.life == "ended" and state.ended:
        return f"Finished: {wording.OUTCOMES[state.ended.outcome][0].lower()}"
    return "Starting" if snapshot.life == "starting" else "Interrupted"


def _worked(snapshot: Snapshot) -> float:
    """The engine's seconds, with those since the last event while it is at work."""
    state = snapshot.state
    if state.ended and state.ended.seconds:
        return state.ended.seconds
    idle = snapshot.life != "running" or snapshot.asked or snapshot.waiting or not state.time
    return state.worked + (0.0 if idle else max(0.0, time.time() - datetime.fromisoformat(state.time).timestamp()))
