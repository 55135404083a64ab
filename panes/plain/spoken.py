"""What the plain mode says of a run, in whole lines: its plan, its evidence, and what changed since it spoke last."""

from __future__ import annotations

from collections.abc import Sequence

from panes import wording
from panes.following import Snapshot
from workstation.core.text import one_line
from workstation.memory.events import Clarification, Outcome
from workstation.memory.state import LedgerEntry, Note, ResearchState

NEXT: dict[Outcome, str] = {
    "partly": "To go on: deepen, or follow-up QUESTION.",
    "not_in_library": "Add sources with: flori ingest FOLDER, or ask in other words.",
    "unverified": "verify says which sentences no quote carries.",
    "budget_spent": "To go on: deepen.",
    "model_failed": "Run: flori doctor",
    "cancelled": "To go on: continue.",
}


def changes(before: Snapshot | None, after: Snapshot) -> list[str]:
    """What is to be said about a run that was last spoken of as it was `before`."""
    old = before or Snapshot(after.folder, ResearchState())
    lines = [f"! {one_line(words)}" for words in after.state.warnings[len(old.state.warnings) :]]
    if after.asked and after.asked != old.asked:
        return [*lines, *question(after.asked)]
    if after.waiting and (not old.waiting or after.state.proposed != old.state.proposed):
        return [*lines, *plan(after), "To go on: approve, change WORDS, or cancel."]
    if after.life == "interrupted" != old.life:
        return [*lines, *interrupted(after)]
    if after.life == "ended" and after.state.ended and after.state.ended is not old.state.ended:
        return [*lines, *ended(after.state)]
    if after.life == "running" and not after.asked and not after.waiting and standing(after) != standing(old):
        lines.append(standing(after))
    return lines


def standing(run: Snapshot) -> str:
    """Gathering evidence: 3 of 5 sub-questions done, 12 quotes from 4 sources. It holds no clock: the same state is
    the same line."""
    state = run.state
    parts = []
    if state.needs:
        done = sum(need.status != "open" for need in state.needs)
        parts.append(f"{done} of {len(state.needs)} sub-questions done")
    if state.notes:
        quotes, sources = wording.count(len(state.notes), "quote"), wording.count(len(state.ledger), "source")
        parts.append(f"{quotes} from {sources}")
    if pages := sum(step.type == "crawl_step" for step in state.crawl):
        parts.append(f"{wording.count(pages, 'page')} fetched")
    if state.paragraphs:
        parts.append(f"{wording.count(len(state.paragraphs), 'paragraph')} written")
    stage = wording.stage(state.stage).capitalize()
    return f"{stage}: {', '.join(parts)}" if parts else stage


def status(run: Snapshot) -> list[str]:
    """How the run stands, whenever it is asked for."""
    state = run.state
    title = [one_line(state.title or state.question)]
    if run.life == "ended":
        return [*title, *ended(state)]
    if run.life == "interrupted":
        return [*title, *interrupted(run)]
    waits = ["It waits for your answer."] if run.asked else ["It waits for your approval."] if run.waiting else []
    return [*title, *(waits or [standing(run)])]


def question(asked: Clarification) -> list[str]:
    options = [f"{number}. {one_line(option)}" for number, option in enumerate(asked.options, 1)]
    return [one_line(asked.text), *options, "To go on: answer N, answer WORDS, or answer alone to leave it to flori."]


def plan(run: Snapshot) -> list[str]:
    """The sub-questions with their numbers, and how each stands once the plan was approved."""
    state = run.state
    if not state.needs:
        if not state.proposed:
            return ["There is no plan yet."]
        cost = f" {wording.budget(state.limits)}." if state.limits else ""
        head = f"Plan of {wording.count(len(state.proposed), 'sub-question')}, {state.depth} {state.format}:{cost}"
        items = [(item, "") for item in state.proposed]
    else:
        head = f"{wording.count(len(state.needs), 'sub-question')}:"
        items = [(need.question, f"  ({_known(need.status, need.reason)})") for need in state.needs]
    against = {True: "against the likely answer: ", False: ""}
    return [head, *(f"{n}. {against[i.counter]}{one_line(i.text)}{known}" for n, (i, known) in enumerate(items, 1))]


def _known(status: str, reason: str) -> str:
    word = next((words for known, words in wording.NEED_WORDS.items() if known == status), status)
    return f"{word}: {one_line(reason)}" if reason else word


def ended(state: ResearchState) -> list[str]:
    if state.ended is None:
        return []
    outcome = state.ended.outcome
    lines = [
        f"Finished: {wording.OUTCOMES[outcome][0].lower()}.",
        *([one_line(state.ended.detail)] * bool(state.ended.detail)),
    ]
    if state.check:
        failed = f"CHECK FAILED: {one_line(state.check.failures[0])}. " if state.check.failures else "Checked. "
        lines.append(f"{failed}{wording.check(state.check)}.")
    say = "To read it: report." if state.paragraphs else ""
    return [*lines, " ".join(filter(None, (say, NEXT.get(outcome, ""))))]


def interrupted(run: Snapshot) -> list[str]:
    said = f" It said: {one_line(run.trouble)}" if run.trouble else ""
    return [f"Interrupted: no engine is at work on this run.{said}", "To go on: continue."]


def evidence(state: ResearchState, number: int | None = None) -> list[str]:
    """The quotes with the numbers by which they can be spoken of: all, or those of one sub-question."""
    wanted = state.needs[number - 1].question.id if number else None
    lines: list[str] = []
    for at, note in enumerate(state.notes, 1):
        if wanted in (None, note.need):
            lines += quote(at, note, state)
    return lines or ["No evidence yet."]


def quote(number: int, note: Note, state: ResearchState) -> list[str]:
    word = wording.NOTES[note.kind][1]
    against = [d for d in state.disagreements if d.note == note.id]
    facts = [
        word,
        *([one_line(note.reason)] * bool(note.reason)),
        *(wording.DISAGREEMENTS[d.kind] for d in against[:1]),
    ]
    entry = state.entry(note.number)
    where = ", ".join(dict.fromkeys(filter(None, (entry.title if entry else "", wording.place(note.place)))))
    return [f"{number}. {', '.join(facts)}: “{one_line(note.quote)}”", f"   [{note.number}] {one_line(where)}"]


def sources(state: ResearchState) -> list[str]:
    return [reference(entry) for entry in state.ledger] or ["No sources yet."]


def reference(entry: LedgerEntry) -> str:
    facts = (entry.title or entry.path, entry.kind, entry.date or "", wording.count(len(entry.places), "place"))
    return one_line(f"[{entry.number}] {', '.join(filter(None, facts))}")


def source(entry: LedgerEntry, state: ResearchState) -> list[str]:
    """A source of the run with all that was quoted from it."""
    found = [(at, note) for at, note in enumerate(state.notes, 1) if note.number == entry.number]
    quotes = [line for at, note in found for line in quote(at, note, state)[:1]]
    return [reference(entry), f"   {one_line(entry.path)}", *quotes]


def why(number: int, note: Note, state: ResearchState) -> list[str]:
    """How a quote was found: the search, the scores, what was decided about it."""
    searched = next((s for s in state.searches if note.passage in s.kept and s.need == note.need), None)
    scores = [f"{name} {value:.2f}" for name, value in (("cosine", note.cosine), ("rerank", note.rerank)) if value]
    lines = [*quote(number, note, state)]
    if searched:
        lines.append(f"   found by searching for: {one_line(searched.query)}")
    if scores:
        lines.append(f"   {', '.join(scores)}")
    return [*lines, *([f"   {one_line(note.why)}"] * bool(note.why))]


def report(state: ResearchState) -> Sequence[str]:
    if not state.paragraphs:
        return ["No report yet."]
    from workstation.report.markdown import render_report

    return render_report(state).splitlines()
