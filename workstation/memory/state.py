"""The typed state of a run, and how each event changes it. `apply` is pure and total; everything shown is a fold of
it."""

from __future__ import annotations

from typing import TypeVar

from workstation.memory import events as e
from workstation.memory.events import (
    Check,
    Depth,
    Format,
    Limits,
    NeedStatus,
    NoteKind,
    Place,
    SubQuestion,
    Value,
)

T = TypeVar("T", bound=Value)


class Need(Value):
    """A sub-question of the approved plan with what is known about it. `angles` are the ways it was searched,
    `revision` the state's when it was closed."""

    question: SubQuestion
    status: NeedStatus = "open"
    cause: e.Cause = ""
    reason: str = ""
    angles: tuple[str, ...] = ()
    revision: int = 0


class Search(Value):
    need: str
    query: str
    angle: str
    found: int
    kept: tuple[int, ...]
    top_cosine: float
    covered: bool


class LedgerEntry(Value):
    """A source with the number that the report cites it by, which never changes. `copy_of`: the id of the source whose
    text it repeats."""

    number: int
    source: int
    version: str
    title: str
    path: str
    kind: str
    language: str
    date: str | None
    origin: str | None
    first_read: str
    copy_of: int | None = None
    places: tuple[Place, ...] = ()

    @property
    def voice(self) -> int:
        """The source whose words these are."""
        return self.copy_of or self.source


class Standing(Value):
    """What a note was from a revision of the evidence on, until a person changed it."""

    since: int
    need: str
    quote: str
    place: Place
    kind: NoteKind | None
    reason: str

    @property
    def is_fact(self) -> bool:
        return self.kind == "fact"


class Note(Value):
    """One line of the evidence log: a quote at an address. `kind` is None until it was checked against the source.

    `past` is what it was before a person changed it, oldest first, and `since` the revision from which on it is what
    it is. `rejected_with` is the note that was named when it was rejected: itself, or one with the same words.
    """

    id: str
    need: str
    number: int
    quote: str
    place: Place
    passage: int
    cosine: float | None
    rerank: float | None
    why: str
    kind: NoteKind | None = None
    reason: str = ""
    since: int = 0
    past: tuple[Standing, ...] = ()
    rejected_with: str = ""

    @property
    def corrected(self) -> bool:
        """Whether a person put another quote here, or took it to another sub-question."""
        return bool(self.past) and (self.past[0].place, self.past[0].need) != (self.place, self.need)

    @property
    def now(self) -> Standing:
        """What it is."""
        return Standing.model_construct(
            since=self.since, need=self.need, quote=self.quote, place=self.place, kind=self.kind, reason=self.reason
        )

    def at(self, revision: int) -> Standing:
        """What it was when the evidence had been changed so many times."""
        return next((s for s in (self.now, *reversed(self.past)) if s.since <= revision), self.now)


class Disagreement(Value):
    """Two facts, by their ids, that answer one question differently."""

    need: str
    note: str
    against: str
    kind: e.DisagreementKind


class Clarified(Value):
    """A question back to the user; `answer` is None while it waits for one, empty when the choice is left to us."""

    question: e.Clarification
    answer: str | None = None


class Thesis(Value):
    id: str
    need: str
    sentence: str
    notes: tuple[str, ...]
    strong: bool
    revision: int = 0


class Paragraph(Value):
    id: str
    section: str
    need: str
    text: str
    notes: tuple[str, ...]
    revision: int = 0


class Ending(Value):
    outcome: e.Outcome
    exit_reason: str
    detail: str
    seconds: float
    model_calls: int


class ResearchState(Value):
    """All that a run knows. Parts are tuples in the order in which they happened.

    web: leave to fetch pages, None without. crawl: what happened on the web, as it was logged.

    revision: how often a person changed the evidence; what was concluded before may be stale (see `staleness`).
    earlier: the plans that were proposed before this one, for whoever wants one back.

    clarifications: None until it was decided what to ask. rounds: how often the run was deepened. worked: seconds that
    an engine was at work, without the time that it waited for the user or that nothing ran. tokens: of all model calls,
    prompts and answers.
    """

    question: str = ""
    depth: Depth = "thorough"
    format: Format = "report"
    library: str = ""
    web: e.Web | None = None
    crawl: tuple[e.CrawlEvent, ...] = ()
    language: str = ""
    started: str = ""
    intent: str = ""
    options: tuple[str, ...] = ()
    restated: str = ""
    title: str = ""
    left_out: tuple[str, ...] = ()
    clarifications: tuple[Clarified, ...] | None = None
    proposed: tuple[SubQuestion, ...] = ()
    earlier: tuple[tuple[SubQuestion, ...], ...] = ()
    limits: Limits | None = None
    plan_hash: str = ""
    needs: tuple[Need, ...] = ()
    stage: str = ""
    searches: tuple[Search, ...] = ()
    ledger: tuple[LedgerEntry, ...] = ()
    notes: tuple[Note, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    revision: int = 0
    theses: tuple[Thesis, ...] = ()
    paragraphs: tuple[Paragraph, ...] = ()
    check: Check | None = None
    ended: Ending | None = None
    commands_taken: int = 0
    enough: bool = False
    rounds: int = 0
    worked: float = 0.0
    tokens: int = 0
    model_calls: int = 0
    warnings: tuple[str, ...] = ()
    seq: int = 0
    time: str = ""

    def need(self, id: str) -> Need:
        return next(n for n in self.needs if n.question.id == id)

    def open_needs(self) -> tuple[Need, ...]:
        return tuple(n for n in self.needs if n.status == "open")

    def waiting_for(self) -> e.Clarification | None:
        """The question that the user has not answered yet."""
        return next((c.question for c in self.clarifications or () if c.answer is None), None)

    def crawl_is_over(self) -> bool:
        """Nothing more is to be fetched in this round of the run."""
        return self.web is None or any(isinstance(x, e.CrawlEnded) and x.round == self.rounds for x in self.crawl)

    def facts(self, need: str | None = None) -> tuple[Note, ...]:
        return tuple(n for n in self.notes if n.kind == "fact" and (need is None or n.need == need))

    def disputes(self) -> tuple[Disagreement, ...]:
        """The disagreements that stand: both sides are facts."""
        facts = {n.id for n in self.notes if n.kind == "fact"} if self.disagreements else set()
        return tuple(d for d in self.disagreements if d.note in facts and d.against in facts)

    def note(self, id: str) -> Note | None:
        return next((n for n in self.notes if n.id == id), None)

    def entry(self, number: int) -> LedgerEntry | None:
        return next((x for x in self.ledger if x.number == number), None)
