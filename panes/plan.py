"""The plan pane: what is to be found out, the sub-questions as a task list, and how the run stands with each."""

from __future__ import annotations

import re

from panes import wording
from panes.keymap import bindings, shown
from panes.messages import NeedOpened, OptionChosen, PlanEdited
from panes.rows import Pen, Row, blank
from panes.run_view import Snapshot
from panes.talk import difference
from panes.widgets.pane import Pane, empty
from panes.widgets.row_list import RowList
from workstation.core.messages import text
from workstation.memory.events import Clarification, SubQuestion
from workstation.memory.state import Need, ResearchState

ORDERED = re.compile(r"put [\d, ]+ first")
"""How a line that was moved by key is told to the engine."""
INDENT = 4  # "[x] "
OPTION = "option:"
"""What the keys of the rows with likely answers begin with; the rest is the answer's number, or nothing."""
LINE_KEYS = (
    ("list.choose", "change"),
    ("plan.plan_drop", "drop"),
    ("plan.plan_up", "up"),
    ("plan.plan_down", "down"),
    ("plan.plan_add", "add"),
    ("plan.plan_undo", "undo"),
)
"""What can be done to a line of a plan that waits; the notice says how all of it is approved or given up."""
NOT_REACHED = ("out_of_time", "out_of_searches", "out_of_sources", "stopped")


class PlanPane(Pane):
    """Choosing a sub-question asks for its evidence, choosing a likely answer gives it; a line of a plan that waits is
    changed in place."""

    BINDINGS = bindings("plan")

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self._waiting = False

    def show(self, snapshot: Snapshot) -> None:
        state, objection, settled = snapshot.state, snapshot.talk.objection, snapshot.talk.settled
        self._waiting = snapshot.waiting
        rows = _asked(state)
        rows += [_warning(objection), blank()] if objection else []
        if snapshot.asked:
            rows += _clarification(snapshot.asked)
        elif snapshot.waiting:
            rows += _proposal(snapshot)
        elif state.needs:
            for need in state.needs:
                rows += _need(need, state, stale=need.question.id in snapshot.stale.needs)
        else:
            rows += empty("No plan yet", "The sub-questions stand here before anything runs.")[1:]
        rows += _ending(state) if snapshot.life not in ("starting", "running") else []
        rows += [_warning(words) for words in state.warnings if words != objection and words not in settled]
        self.set_rows(rows)
        closed = sum(need.status != "open" for need in state.needs)
        self.entitle(f"{closed} of {len(state.needs)} done" if state.needs else "")

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        if event.key.startswith(OPTION):
            self.post_message(OptionChosen(event.key.removeprefix(OPTION)))
        elif self._waiting:
            self.post_message(PlanEdited("change", event.key))
        else:
            self.post_message(NeedOpened(event.key))

    def action_drop(self) -> None:
        self.post_message(PlanEdited("drop", self.cursor))

    def action_add(self) -> None:
        self.post_message(PlanEdited("add"))

    def action_move(self, by: int) -> None:
        self.post_message(PlanEdited("move", self.cursor, by))

    def action_undo(self) -> None:
        self.post_message(PlanEdited("undo"))


def _asked(state: ResearchState) -> list[Row]:
    """The question as it is worked on, where the plan does not begin with it anyway, and what it may cost."""
    question = state.restated or state.question
    items = state.proposed or tuple(need.question for need in state.needs)
    rows = [] if any(item.text == question for item in items) else [Pen().put(question, "heading").row()]
    if question.split() != state.question.split():
        rows.append(Pen().put(f"You asked: {state.question}", "dim").row())
    for clarified in state.clarifications or ():
        if clarified.answer is not None:
            answer = clarified.answer or "left to flori"
            rows.append(Pen().put(f"{clarified.question.text} {answer}", "dim").row())
    scope = f"{state.depth} {state.format}".capitalize()
    rows.append(Pen().put(f"{scope}: {wording.budget(state.limits)}" if state.limits else scope, "dim").row())
    if state.left_out:
        rows.append(Pen().put(f"Left out: {', '.join(state.left_out)}").row())
    return [*rows, blank()]


def _clarification(asked: Clarification) -> list[Row]:
    rows = [Pen().put("? ", "warn").put(asked.text, "strong").row(hang=2)]
    for number, option in enumerate(asked.options, 1):
        rows.append(Pen().put(f"  {number} ", "key").put(option).row(f"{OPTION}{number}", hang=INDENT))
    rows.append(Pen().put("  - ", "key").put("Leave the choice to flori").row(OPTION, hang=INDENT))
    keys = Pen().put(shown("list.choose"), "key").put(": choose, ")
    keys.put(shown("research.ask"), "key").put(": answer in your own words")
    return [*rows, blank(), keys.row()]


def _proposal(snapshot: Snapshot) -> list[Row]:
    """The plan that waits, with the numbers by which its lines can be spoken of, and what a change did to it."""
    pen = Pen().put("Proposed. ", "warn").put("The line: ", "dim")
    for action, does in LINE_KEYS:
        pen.put(shown(action), "key").put(f":\u00a0{does}").put(", ", "dim")
    rows = [pen.put(shown("research.edit_plan"), "key").put(": edit plan.md").row()]
    talk, plan = snapshot.talk, snapshot.state.proposed
    done = difference(talk.before or plan, plan)
    if talk.change:
        rows.append(Pen().put("Changed: ", "warn").put(_said(talk.change)).row(hang=2))
    rows.append(blank())
    for number, item in enumerate(plan, 1):
        rows += [
            _question(item, f"{number}. ".ljust(INDENT), "dim", item.id, done.words.get(item.id, "")),
            *_settles(item),
        ]
    return [*rows, *(Pen().put("-   ", "dim").put(f"gone: {item.text}", "dim").row(hang=INDENT) for item in done.gone)]


def _need(need: Need, state: ResearchState, *, stale: bool) -> list[Row]:
    sign, style = wording.NEED_SIGNS[need.status], wording.NEED_STYLES[need.status]
    later = need.question.id not in {item.id for item in state.proposed}
    rows = [_question(need.question, f"{sign} ", style, need.question.id, "added later" if later else "")]
    if need.status == "open" and not state.ended:
        rows += _settles(need.question)
    known = _known(need, state)
    pen = Pen().put(" " * INDENT)
    if stale:
        pen.put(f"{wording.STALE[0]} {wording.STALE[1]}: ", wording.STALE[2])
    return [*rows, pen.put(known, "dim").row(hang=INDENT)] if known else rows


def _known(need: Need, state: ResearchState) -> str:
    """How far a sub-question came: answered: 2 facts from 1 search."""
    if need.status == "open" and state.ended:
        return text("stopped" if state.enough else "not_reached", state.language)
    if need.cause in NOT_REACHED:
        return need.reason
    facts, searches = len(state.facts(need.question.id)), len(need.angles)
    parts = [wording.NEED_WORDS[need.status]] if need.status != "open" or searches else []
    if searches:
        parts.append(f"{wording.count(facts, 'fact')} from {wording.count(searches, 'search', 'searches')}")
    return ": ".join(parts) + (f"; {need.reason}" if parts and need.reason else "")


def _question(item: SubQuestion, lead: str, style: str, key: str = "", word: str = "") -> Row:
    pen = Pen().put(lead, style)
    for known in filter(None, (word, "against it" if item.counter else "")):
        pen.put(f"{known}: ", "warn")
    return pen.put(item.text).row(key, hang=INDENT)


def _settles(item: SubQuestion) -> list[Row]:
    return [Pen().put(" " * INDENT).put(f"settled by: {item.settles}", "dim").row(hang=INDENT)] if item.settles else []


def _warning(words: str) -> Row:
    return Pen().put("! ", "warn").put(words).row(hang=2)


def _ending(state: ResearchState) -> list[Row]:
    if state.ended is None:
        return []
    title, advice = wording.OUTCOMES[state.ended.outcome][0], wording.advice(state.ended.outcome)
    rows = [blank(), Pen().put(f"{title}. ", "strong").put(advice).row()]
    if state.ended.detail:
        rows.append(Pen().put(state.ended.detail, "dim").row())
    return rows


def _said(change: str) -> str:
    """What changed the plan, in the person's words; moving a line has none."""
    return "the order of the lines" if ORDERED.fullmatch(change) else change
