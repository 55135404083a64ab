"""How a run stands, in a line: what waits for the user, and stage, time and counts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from panes import wording

if TYPE_CHECKING:
    from panes.run_view import Snapshot


def decision(snapshot: Snapshot) -> str:
    """What waits for the user: a plan to approve, a run to continue, an unreadable log. Empty when nothing does."""
    state = snapshot.state
    if snapshot.life == "interrupted":
        why = f" It said: {snapshot.trouble}" if snapshot.trouble else ""
        if snapshot.waiting:
            return f"Interrupted before the plan was approved. Press a to approve it and go on.{why}"
        return f"Interrupted: no engine is at work on this run. Press c to continue.{why}"
    if snapshot.trouble:
        return snapshot.trouble
    if snapshot.waiting:
        return f"Plan of {wording.count(len(state.proposed), 'sub-question')}. Press a to approve, x to cancel."
    return ""


def standing(snapshot: Snapshot) -> str:
    """Stage or outcome, the engine's time, and counts."""
    state = snapshot.state
    worked = snapshot.worked
    if snapshot.life == "running" and snapshot.last and not snapshot.waiting:
        worked += max(0.0, time.time() - snapshot.last)
    if state.ended:
        head = f"Finished: {wording.OUTCOMES[state.ended.outcome][0].lower()}"
        worked = state.ended.seconds or worked
    elif snapshot.life == "running":
        head = "Waiting for your approval" if snapshot.waiting else f"Running: {wording.stage(state.stage)}"
    else:
        head = "Starting" if snapshot.life == "starting" else "Interrupted"
    parts = [head, wording.clock(worked)]
    if state.needs:
        parts.append(f"{sum(n.status != 'open' for n in state.needs)} of {len(state.needs)} settled")
    if pages := sum(x.type == "crawl_step" for x in state.crawl):
        parts.append(wording.count(pages, "page") + " fetched")
    if state.ledger:
        parts.append(wording.count(len(state.ledger), "source"))
    if state.notes:
        parts.append(wording.count(len(state.notes), "quote"))
    return "   ".join(parts)
