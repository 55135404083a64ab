"""Everything that can happen in a run, one frozen type each. The log holds these and nothing else.

`seq`, `time` and `type` stand first on every line of run.jsonl; `seq` and `time` are given by the log when it appends.
Ids of observations and facts come from their content, so that repeating a step after a kill repeats no entry.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from workstation.memory.base import EventBase as EventBase  # handed on: all events are had from here
from workstation.memory.base import Place as Place
from workstation.memory.base import Value as Value
from workstation.memory.crawl_events import CrawlEnded as CrawlEnded
from workstation.memory.crawl_events import CrawlEvent as CrawlEvent
from workstation.memory.crawl_events import CrawlStarted as CrawlStarted
from workstation.memory.crawl_events import CrawlStep as CrawlStep
from workstation.memory.crawl_events import LeadsFound as LeadsFound
from workstation.memory.crawl_events import Suggestion as Suggestion
from workstation.memory.crawl_events import Web as Web
from workstation.memory.evidence_events import NoteCorrected as NoteCorrected
from workstation.memory.evidence_events import NoteMoved as NoteMoved
from workstation.memory.evidence_events import NoteRejected as NoteRejected
from workstation.memory.evidence_events import NoteRestored as NoteRestored
from workstation.memory.evidence_events import ParagraphWithdrawn as ParagraphWithdrawn
from workstation.memory.evidence_events import ThesisWithdrawn as ThesisWithdrawn

Depth = Literal["quick", "thorough", "deep"]
Format = Literal["report", "brief", "comparison"]
NeedStatus = Literal["open", "answered", "partly", "unresolved"]
ClosedStatus = Literal["answered", "partly", "unresolved"]
FoundKind = Literal["fact", "hypothesis", "extraction_error"]
NoteKind = Literal["fact", "hypothesis", "extraction_error", "rejected"]
"""What a quote was found to be, and what a person makes of it."""
Cause = Literal[
    "",
    "one_passage",
    "no_answer",
    "empty",
    "no_dissent",
    "out_of_time",
    "out_of_searches",
    "out_of_sources",
    "stopped",
    "rejected",
]
"""Why a sub-question is not (fully) answered: a key of `core.messages`, where its words stand."""
DisagreementKind = Literal["other_figure", "other_name", "denial", "older_version", "newer_version"]
"""How a quote differs from the one it speaks against: a key of `core.messages` as well."""
Outcome = Literal[
    "answered", "partly", "not_in_library", "unverified", "unreadable", "budget_spent", "model_failed", "cancelled"
]


class SubQuestion(Value):
    """One line of the plan. `settles` says what would settle it; `query` is what is searched for, when it is not the
    text itself. A `direct` line asks the question itself or a part of it, a `counter` line looks for what would prove
    the likely answer wrong, an `option` line is about one of the things that are compared."""

    id: str
    text: str
    settles: str = ""
    query: str = ""
    option: str = ""
    direct: bool = False
    counter: bool = False


class Clarification(Value):
    """A question back to the user with likely answers, taken from the library where it holds them. Nothing but the
    answer depends on it; when none is given, all `options` are meant."""

    id: str
    text: str
    options: tuple[str, ...]


class Limits(Value):
    """What a run may spend, shared by all stages. `reserve_s` is held back for writing and verification; `pages` may be
    fetched where the run reads the web."""

    seconds: float
    searches: int
    sources: int
    tokens: int
    reserve_s: float
    pages: int = 0


class Check(Value):
    """The verification line, with its denominator, and what failed."""

    sentences: int = 0
    cited: int = 0
    located: int = 0
    supported: int = 0
    unverified: int = 0
    failures: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.failures


class RunStarted(EventBase):
    """`web`: the run may read the web; None when it reads the library alone."""

    type: Literal["run_started"] = "run_started"
    question: str
    depth: Depth
    format: Format
    library: str
    program: str
    web: Web | None = None


class RunResumed(EventBase):
    """A new engine process took over an interrupted or finished folder."""

    type: Literal["run_resumed"] = "run_resumed"
    program: str


class Classified(EventBase):
    """`options` are the things that are to be compared."""

    type: Literal["classified"] = "classified"
    intent: Literal["research", "locate", "catalogue", "calculate", "compare", "unknown"]
    options: tuple[str, ...] = ()


class BriefWritten(EventBase):
    """What is to be found out: again when the user said more. `left_out` are topics that nobody wants to read about;
    depth and format only when they were said."""

    type: Literal["brief_written"] = "brief_written"
    restated: str
    title: str
    language: str
    left_out: tuple[str, ...] = ()
    depth: Depth | None = None
    format: Format | None = None


class ClarificationAsked(EventBase):
    """At most two questions, or none: asked once in a run."""

    type: Literal["clarification_asked"] = "clarification_asked"
    questions: tuple[Clarification, ...] = ()


class ClarificationAnswered(EventBase):
    """`answer` is empty when the user leaves the choice to us."""

    type: Literal["clarification_answered"] = "clarification_answered"
    id: str
    answer: str = ""


class PlanProposed(EventBase):
    """A plan, or the plan as it was changed: `change` is what the user said, or the name of the file they edited."""

    type: Literal["plan_proposed"] = "plan_proposed"
    items: tuple[SubQuestion, ...]
    limits: Limits
    change: str = ""


class PlanApproved(EventBase):
    """`plan_hash` binds the exact items that the engine will run."""

    type: Literal["plan_approved"] = "plan_approved"
    items: tuple[SubQuestion, ...]
    plan_hash: str


class PlanExtended(EventBase):
    """The run goes deeper: `asked` in the user's words, the sub-questions that it adds, and those that are opened
    again. `plan_hash` binds the plan with them."""

    type: Literal["plan_extended"] = "plan_extended"
    asked: str
    items: tuple[SubQuestion, ...]
    reopened: tuple[str, ...]
    limits: Limits
    plan_hash: str


class ModelUsed(EventBase):
    """A model was asked for a proposal; `accepted` says whether it passed its validation."""

    type: Literal["model_used"] = "model_used"
    purpose: str
    prompt_tokens: int
    output_tokens: int
    accepted: bool


class StageEntered(EventBase):
    type: Literal["stage_entered"] = "stage_entered"
    stage: str


class SearchDone(EventBase):
    """One search for one need. `found` candidates in the pool, `kept` passages; an empty search is remembered as
    such."""

    type: Literal["search_done"] = "search_done"
    need: str
    query: str
    angle: str
    found: int
    kept: tuple[int, ...]
    top_cosine: float
    covered: bool
    seconds: float


class SourceRegistered(EventBase):
    """A citation number is handed out, once and for ever. `version` is the content hash, `need` what it was first read
    for, `copy_of` the id of the source that this one is a copy of."""

    type: Literal["source_registered"] = "source_registered"
    need: str = ""
    number: int
    source: int
    version: str
    title: str
    path: str
    kind: str
    language: str
    date: str | None = None
    origin: str | None = None
    copy_of: int | None = None


class ObservationMade(EventBase):
    """A quote with its address, found for a need. Not yet checked."""

    type: Literal["observation_made"] = "observation_made"
    id: str
    need: str
    number: int
    quote: str
    place: Place
    passage: int
    cosine: float | None
    rerank: float | None
    why: str = ""


class ObservationChecked(EventBase):
    """The quote was compared with the stored version: it becomes a fact, or an extraction error with the reason."""

    type: Literal["observation_checked"] = "observation_checked"
    need: str = ""
    id: str
    kind: FoundKind
    reason: str = ""


class DisagreementFound(EventBase):
    """Two facts that answer one question differently. `note` speaks against `against`."""

    type: Literal["disagreement_found"] = "disagreement_found"
    need: str
    note: str
    against: str
    kind: DisagreementKind


class NeedClosed(EventBase):
    type: Literal["need_closed"] = "need_closed"
    need: str
    status: ClosedStatus
    cause: Cause = ""
    reason: str = ""


class ThesisStated(EventBase):
    """One clear claim with the notes that carry it, best first."""

    type: Literal["thesis_stated"] = "thesis_stated"
    id: str
    need: str
    sentence: str
    notes: tuple[str, ...]
    strong: bool


class ParagraphWritten(EventBase):
    """A finished paragraph of the report. `text` is Markdown whose citations are [n]; `notes` are the ids it rests
    on."""

    type: Literal["paragraph_written"] = "paragraph_written"
    id: str
    section: Literal["answer", "finding", "disagreement", "unsettled"]
    need: str = ""
    text: str
    notes: tuple[str, ...] = ()


class ReportVerified(EventBase):
    type: Literal["report_verified"] = "report_verified"
    check: Check


class RunEnded(EventBase):
    """How it ended: `exit_reason` is plan_done | enough | budget | cancelled | failed, `detail` says more."""

    type: Literal["run_ended"] = "run_ended"
    outcome: Outcome
    exit_reason: str
    detail: str = ""
    seconds: float = 0.0
    model_calls: int = 0


class CommandTaken(EventBase):
    """A line of commands.jsonl was read and obeyed; `command_seq` is its number there."""

    type: Literal["command_taken"] = "command_taken"
    command_seq: int
    command: str


class Warned(EventBase):
    """Something a reader should know: a model that failed and the way round it, a source that changed."""

    type: Literal["warned"] = "warned"
    text: str


Event = (
    RunStarted
    | RunResumed
    | Classified
    | BriefWritten
    | ClarificationAsked
    | ClarificationAnswered
    | PlanProposed
    | PlanApproved
    | PlanExtended
    | ModelUsed
    | StageEntered
    | SearchDone
    | SourceRegistered
    | ObservationMade
    | ObservationChecked
    | DisagreementFound
    | NeedClosed
    | ThesisStated
    | ParagraphWritten
    | ReportVerified
    | RunEnded
    | LeadsFound
    | CrawlStarted
    | CrawlStep
    | CrawlEnded
    | NoteRejected
    | NoteRestored
    | NoteCorrected
    | NoteMoved
    | ThesisWithdrawn
    | ParagraphWithdrawn
    | CommandTaken
    | Warned
)


EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="type")])


CommandKind = Literal[
    "answer", "edit_plan", "approve", "enough", "deepen", "pin", "cancel", "reject", "restore", "correct", "move"
]
EVIDENCE_COMMANDS = ("reject", "restore", "correct", "move")


class Command(Value):
    """What the user asked of a run: one line of commands.jsonl. `value` depends on the kind: an answer, words about
    the plan (none: plan.md was edited), what to go deeper into (none: what is not answered yet). Of those about the
    evidence `note` names the quote; their value is why it is rejected, what it should be, where it belongs."""

    seq: int = 0
    time: str = ""
    kind: CommandKind
    value: str = ""
    note: str = ""
