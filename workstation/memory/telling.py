"""What happened in a run, event by event, in words: the audit view."""

from __future__ import annotations

from workstation.memory import events as e
from workstation.memory.events import Event


def told(event: Event) -> str:
    """One line for one event; what others wrote is in it as it came."""
    match event:
        case e.RunStarted():
            web = ", with the web" if event.web else ""
            return f"Asked: {event.question} ({event.depth} {event.format}{web}; library {event.library})"
        case e.RunResumed():
            return "An engine took over"
        case e.Classified():
            return f"Understood as: {event.intent}"
        case e.BriefWritten():
            return f"To be found out: {event.restated}"
        case e.ClarificationAsked():
            return f"Asked back: {'; '.join(q.text for q in event.questions) or 'nothing'}"
        case e.ClarificationAnswered():
            return f"Answered: {event.answer or 'the choice is left to flori'}"
        case e.PlanProposed():
            return f"Plan of {len(event.items)} sub-questions" + (f", changed: {event.change}" if event.change else "")
        case e.PlanApproved():
            return f"Plan approved ({event.plan_hash[:8]})"
        case e.PlanExtended():
            return f"Deeper: {event.asked or 'what is not answered yet'}"
        case e.StageEntered():
            return f"Stage: {event.stage}"
        case e.ModelUsed():
            return f"A model was asked: {event.purpose} ({'accepted' if event.accepted else 'refused'})"
        case e.LeadsFound():
            return f"Leads for “{event.query}”: {event.trouble or len(event.leads)}"
        case e.CrawlStarted():
            return f"Crawl {event.round + 1} begins: at most {event.pages} pages"
        case e.CrawlStep():
            return f"{event.verdict}: {event.url}" + (f" ({event.reason})" if event.reason else _numbers(event))
        case e.CrawlEnded():
            return f"Crawl {event.round + 1} ended: {event.exit_reason}, {event.kept} of {event.pages} pages kept"
        case _:
            return _evidence(event)


def _numbers(step: e.CrawlStep) -> str:
    return f" (ga {step.ga:.2f}, novelty {step.novelty:.2f}, score {step.score:.2f}, psi {step.psi:.2f})"


def _evidence(event: Event) -> str:
    match event:
        case e.SearchDone():
            return f"Searched for {event.need} ({event.angle}): {event.query}; {len(event.kept)} of {event.found} kept"
        case e.SourceRegistered():
            return f"Source [{event.number}]: {event.title} ({event.path})"
        case e.ObservationMade():
            return f"Quote for {event.need}, [{event.number}]: “{event.quote}”"
        case e.ObservationChecked():
            return f"Checked: {event.kind.replace('_', ' ')}" + (f", {event.reason}" if event.reason else "")
        case e.DisagreementFound():
            return f"Disagreement: {event.kind.replace('_', ' ')} ({event.note} against {event.against})"
        case e.NeedClosed():
            return f"Sub-question {event.need}: {event.status}" + (f", {event.reason}" if event.reason else "")
        case e.ThesisStated():
            return f"Thesis for {event.need}: {event.sentence}"
        case e.ParagraphWritten():
            return f"Paragraph {event.id}: {event.text}"
        case e.ReportVerified():
            c = event.check
            return f"Checked: {c.sentences} sentences, {c.located} located, {len(c.failures)} failures"
        case e.RunEnded():
            return f"Ended: {event.outcome} ({event.exit_reason})" + (f", {event.detail}" if event.detail else "")
        case e.CommandTaken():
            return f"Told by the user: {event.command.replace('_', ' ')}"
        case e.Warned():
            return f"Warning: {event.text}"
        case _:
            return event.type.replace("_", " ")
