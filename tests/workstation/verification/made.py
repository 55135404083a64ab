"""A finished run over two small sources, made of events, with the texts that the library would hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from workstation.memory import events as e
from workstation.memory.events import Event, Place
from workstation.memory.folding import fold
from workstation.memory.state import ResearchState
from workstation.report.cite import quote_sentence
from workstation.report.markdown import render_report
from workstation.verification.check import Verification, check_report

HISTORY = (
    "The French and Indian War ended with the Treaty of Paris on 10 February 1763. "
    "France ceded Canada to Great Britain [2] and kept two small islands. "
    "The war had cost Britain about £5.2 million, 12 % more than planned."
)
LETTERS = "A letter of 1764 says: “Spain received Louisiana west of the Mississippi.” Few people [12] noticed it."
TEXTS = {(7, "a" * 64): HISTORY, (9, "b" * 64): LETTERS}
QUOTES = (
    (1, "The French and Indian War ended with the Treaty of Paris on 10 February 1763.", "q1"),
    (1, "France ceded Canada to Great Britain [2] and kept two small islands.", "q2"),
    (1, "The war had cost Britain about £5.2 million, 12 % more than planned.", "q2"),
    (2, "A letter of 1764 says: “Spain received Louisiana west of the Mississippi.”", "q2"),
)
QUESTIONS = (
    e.SubQuestion(id="q1", text="How did the war end?", settles="a treaty with its date"),
    e.SubQuestion(id="q2", text="Who gained land?", settles="the land by power"),
    e.SubQuestion(id="q3", text="Who lost # [9] most?", settles=""),
    e.SubQuestion(id="q4", text="Who disagrees?", counter=True),
)


def text_of(source: int, version: str) -> str | None:
    return TEXTS.get((source, version))


def events(prose: tuple[str, ...] = (), language: str = "en", format: e.Format = "report") -> list[Event]:
    """The run's log without its check. `prose`: more paragraphs of the second finding."""
    question = "How did the French and Indian War end?"
    return [
        e.RunStarted(question=question, depth="quick", format=format, library="/library", program="0"),
        e.Classified(intent="research"),
        e.BriefWritten(restated=question, title="War's *end*", language=language),
        e.PlanApproved(items=QUESTIONS, plan_hash="h"),
        _source(1, 7, "a", "A History of the War", "/docs/history.pdf", "pdf"),
        _source(2, 9, "b", "Letters [3] ## Sources", "/docs/letters.md", "letter"),
        _source(3, 11, "c", "Read in vain", "/docs/vain.txt", "text"),
        *(event for i, (number, quote, need) in enumerate(QUOTES) for event in _note(i, number, quote, need)),
        e.NeedClosed(need="q1", status="answered"),
        e.NeedClosed(need="q2", status="partly", reason="only one passage speaks to it"),
        e.NeedClosed(need="q3", status="unresolved", reason="two searches found nothing in the library"),
        e.ThesisStated(id="t", need="q1", sentence="The war ended | in 1763.", notes=("n0",), strong=True),
        _paragraph("answer", "answer", "", quote_sentence(QUOTES[0][1], 1)),
        _paragraph("f1", "finding", "q1", quote_sentence(QUOTES[0][1], 1)),
        _paragraph("f2", "finding", "q2", "\n\n".join([*(quote_sentence(q, n) for n, q, _ in QUOTES[1:]), *prose])),
    ]


def run(*prose: str, language: str = "en", format: e.Format = "report") -> ResearchState:
    return fold(events(prose, language, format))


def checked(state: ResearchState) -> ResearchState:
    """The state after the check of its own report."""
    return fold([e.ReportVerified(check=check(render_report(state), state).check)], state)


def check(report: str, state: ResearchState, texts: Callable[[int, str], str | None] = text_of) -> Verification:
    return check_report(report, state, texts)


def check_of(state: ResearchState, texts: Mapping[tuple[int, str], str]) -> e.Check:
    """What the engine logs after it has checked the report that it rendered."""
    return check(render_report(state), state, lambda source, version: texts.get((source, version))).check


def _source(number: int, source: int, letter: str, title: str, path: str, kind: str) -> Event:
    return e.SourceRegistered(
        number=number, source=source, version=letter * 64, title=title, path=path, kind=kind, language="en"
    )


def _note(i: int, number: int, quote: str, need: str) -> list[Event]:
    text = HISTORY if number == 1 else LETTERS
    place = Place(start=text.index(quote), end=text.index(quote) + len(quote), page=4 if number == 1 else None)
    made = e.ObservationMade(
        id=f"n{i}", need=need, number=number, quote=quote, place=place, passage=i, cosine=0.712, rerank=None
    )
    return [made, e.ObservationChecked(id=f"n{i}", kind="fact")]


def _paragraph(id: str, section: str, need: str, text: str) -> Event:
    return e.ParagraphWritten.model_validate({"id": id, "section": section, "need": need, "text": text})
