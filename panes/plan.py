"""The plan pane: the question, the sub-questions as a task list, and how the run stands with each."""

from __future__ import annotations

from panes import wording
from panes.messages import NeedOpened
from panes.rows import Pen, Row, blank
from panes.run_view import Snapshot
from panes.widgets.pane import Pane, empty
from panes.widgets.row_list import RowList
from workstation.memory.events import SubQuestion
from workstation.memory.state import Need, ResearchState

INDENT = 4  # "[x] "


class PlanPane(Pane):
    """Choosing a sub-question asks for its evidence."""

    def show(self, snapshot: Snapshot) -> None:
        state = snapshot.state
        rows = _asked(state)
        if snapshot.waiting:
            rows += _proposal(state)
        elif state.needs:
            for need in state.needs:
                rows += _need(need, state)
        else:
            rows += empty("No plan yet", "The sub-questions stand here before anything runs.")[1:]
        rows += _ending(state)
        rows += [Pen().put("! ", "warn").put(text).row(hang=2) for text in state.warnings]
        self.set_rows(rows)
        settled = sum(need.status != "open" for need in state.needs)
        self.entitle(f"{settled} of {len(state.needs)} settled" if state.needs else "")

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.post_message(NeedOpened(event.key))


def _asked(state: ResearchState) -> list[Row]:
    """The question, where the plan does not begin with it anyway, and what was asked for."""
    question = state.restated or state.question
    items = state.proposed or tuple(need.question for need in state.needs)
    rows = [] if any(item.text == question for item in items) else [Pen().put(question, "heading").row()]
    return [*rows, Pen().put(f"{state.depth} {state.format}".capitalize(), "dim").row(), blank()]


def _proposal(state: ResearchState) -> list[Row]:
    keys = Pen().put("Proposed. ", "warn").put("a", "key").put(": approve, ").put("x", "key").put(": cancel")
    rows = [keys.row()]
    if state.limits:
        rows.append(Pen().put(f"Budget: {wording.budget(state.limits)}", "dim").row())
    rows.append(blank())
    for item in state.proposed:
        rows += [_question(item, wording.NEED_SIGNS["open"], "dim", ""), *_settles(item)]
    return rows


def _need(need: Need, state: ResearchState) -> list[Row]:
    sign, style = wording.NEED_SIGNS[need.status], wording.NEED_STYLES[need.status]
    rows = [_question(need.question, sign, style, need.question.id)]
    if need.status == "open":
        rows += _settles(need.question)
    facts, searches = len(state.facts(need.question.id)), len(need.angles)
    known = [wording.NEED_WORDS[need.status]] if need.status != "open" or searches else []
    if searches:
        known.append(f"{wording.count(facts, 'fact')} from {wording.count(searches, 'search', 'searches')}")
    if known:
        text = ": ".join(known) + (f"; {need.reason}" if need.reason else "")
        rows.append(Pen().put(" " * INDENT).put(text, "dim").row(hang=INDENT))
    return rows


def _question(item: SubQuestion, sign: str, style: str, key: str) -> Row:
    pen = Pen().put(sign, style).put(" ")
    if item.counter:
        pen.put("against it: ", "warn")
    return pen.put(item.text).row(key, hang=INDENT)


def _settles(item: SubQuestion) -> list[Row]:
    return [Pen().put(" " * INDENT).put(f"settled by: {item.settles}", "dim").row(hang=INDENT)] if item.settles else []


def _ending(state: ResearchState) -> list[Row]:
    if state.ended is None:
        return []
    title, advice = wording.OUTCOMES[state.ended.outcome]
    rows = [blank(), Pen().put(f"{title}. ", "strong").put(advice).row()]
    if state.ended.detail:
        rows.append(Pen().put(state.ended.detail, "dim").row())
    return rows
