"""What a job's log holds: one event a line, as in a run's."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from workstation.memory.base import EventBase

State = Literal["failed", "skipped"]
Outcome = Literal["done", "cancelled", "failed"]


class JobStarted(EventBase):
    """A process works on the job; a second one of these means that it goes on after an interruption. `named`: absolute
    paths, and addresses of pages. `kind`: what the user says that they are."""

    type: Literal["started"] = "started"
    named: tuple[str, ...]
    kind: str | None = None
    allowed: tuple[str, ...] = ()
    program: str = ""


class JobWaits(EventBase):
    """Another process writes to the library; `text` says which."""

    type: Literal["waits"] = "waits"
    text: str


class JobProgress(EventBase):
    """`done` of `total` items (files, pages) are through; `units` of `units_total` passages are embedded, `rate` of
    them a second; `left`: seconds, None while it is not known; `current`: what is being read."""

    type: Literal["progress"] = "progress"
    done: int
    total: int
    units: int = 0
    units_total: int = 0
    rate: float = 0.0
    left: float | None = None
    current: str = ""


class ItemRefused(EventBase):
    """A file or page is not in the library afterwards: it failed, or it is of no kind that is read."""

    type: Literal["refused"] = "refused"
    path: str
    state: State
    reason: str


class JobEnded(EventBase):
    """How it ended; `detail` says why when it failed as a whole."""

    type: Literal["ended"] = "ended"
    outcome: Outcome
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    failed: int = 0
    skipped: int = 0
    passages: int = 0
    seconds: float = 0.0
    detail: str = ""


JobEvent = JobStarted | JobWaits | JobProgress | ItemRefused | JobEnded
JOB_EVENT: TypeAdapter[JobEvent] = TypeAdapter(Annotated[JobEvent, Field(discriminator="type")])
