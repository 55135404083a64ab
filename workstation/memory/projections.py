"""The run folder's readable files, rendered from the state: plan.md, sources.json, notes.md and report.md."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workstation.memory.events import NeedStatus, SubQuestion
from workstation.memory.ledger import notes_md, sources_json
from workstation.memory.state import Need, ResearchState
from workstation.report.cite import escape, unescape
from workstation.report.markdown import render_report

PLAN, SOURCES, NOTES, REPORT = "plan.md", "sources.json", "notes.md", "report.md"
EDITABLE = (PLAN, REPORT)  # a person may change these; the others are the program's alone
RENDERED = ".rendered.json"  # hashes of what was written last, to tell a person's edit from our own text

MARKS: dict[NeedStatus, str] = {"open": " ", "answered": "x", "partly": "~", "unresolved": "!"}
_STATUS = {mark: status for status, mark in MARKS.items()}
_TASK = re.compile(r"\s*[-*+] \[([ xX~!])\] +(?:\d+[.)] +)?(.*?)\s*$")
_SETTLES = re.compile(r"^(.*?)(?: (?:—|--) \*((?:\\.|[^*\\])+)\*)?$")


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One line of plan.md as a person may have edited it."""

    status: NeedStatus
    text: str
    settles: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """Names of the files that were written, and of those left alone because a person had changed them."""

    written: tuple[str, ...]
    kept: tuple[str, ...]


def render_files(folder: Path, state: ResearchState) -> Rendered:
    """Writes the files whose content changed, each atomically and readable by the owner alone.

    A plan.md or report.md that a person edited is kept, a plan only until the run has taken its items. When this is
    interrupted anywhere, the next call completes it.
    """
    known = _known(folder)
    written, kept = [], []
    for name, text in _texts(state):
        path = folder / name
        current = path.read_bytes() if path.exists() else None
        wanted = text.encode()
        if name in EDITABLE and current is not None and not _ours(current, wanted, known.get(name, [])):
            kept.append(name)
            continue
        if name in EDITABLE and known.get(name) != [_hash(wanted)]:
            # Both texts count as ours until the second is in place.
            known[name] = list(dict.fromkeys([*([_hash(current)] if current is not None else []), _hash(wanted)]))
            _write(folder / RENDERED, json.dumps(known).encode())
        if current != wanted:
            _write(path, wanted)
            written.append(name)
    return Rendered(tuple(written), tuple(kept))


def is_edited(folder: Path, name: str) -> bool:
    """True when the file is there and is not what was rendered last."""
    path = folder / name
    return path.exists() and _hash(path.read_bytes()) not in _known(folder).get(name, ())


def plan_md(state: ResearchState) -> str:
    """The plan as a task list: the approved sub-questions with their status, before approval the proposed ones."""
    needs = state.needs or tuple(Need(question=q) for q in state.proposed)
    lines = [_task(i, n.status, n.question) for i, n in enumerate(needs, start=1)]
    title = escape(state.title or state.restated or state.question)
    return "\n\n".join([f"# {title}", _budget_line(state), "\n".join(lines)]).rstrip() + "\n"


def read_plan(text: str) -> list[PlanLine]:
    """The task lines of a plan.md, the inverse of `plan_md`; all other lines are left out."""
    return [_plan_line(m) for line in text.splitlines() if (m := _TASK.match(line))]


def _texts(state: ResearchState) -> Iterator[tuple[str, str]]:
    if state.needs or state.proposed:
        yield PLAN, plan_md(state)
    yield SOURCES, sources_json(state)
    yield NOTES, notes_md(state)
    if state.paragraphs or state.ended:
        yield REPORT, render_report(state)


def _ours(current: bytes, wanted: bytes, hashes: list[str]) -> bool:
    """True when nothing of a person's is lost by writing `wanted`: a plan with the same items holds nothing else."""
    if _hash(current) in (*hashes, _hash(wanted)):
        return True
    now, then = (read_plan(text.decode(errors="replace")) for text in (current, wanted))
    return now != [] and [(x.text, x.settles) for x in now] == [(x.text, x.settles) for x in then]


def _task(number: int, status: NeedStatus, question: SubQuestion) -> str:
    settles = f" — *{escape(question.settles)}*" if question.settles else ""
    return f"- [{MARKS[status]}] {number}. {escape(question.text)}{settles}"


def _plan_line(found: re.Match[str]) -> PlanLine:
    parts = _SETTLES.match(found[2])
    text, settles = (parts[1], parts[2] or "") if parts else (found[2], "")
    return PlanLine(_STATUS[found[1].lower()], unescape(text), unescape(settles))


def _budget_line(state: ResearchState) -> str:
    standing = "approved" if state.needs else "not approved yet"
    if state.limits is None:
        return f"Depth: {state.depth} ({standing})."
    limits = state.limits
    spend = f"{limits.seconds:g} s, {limits.searches} searches, {limits.sources} sources, {limits.tokens} model tokens"
    return f"Depth: {state.depth} ({standing}), at most {spend}."


def _known(folder: Path) -> dict[str, list[str]]:
    try:
        hashes: dict[str, list[str]] = json.loads((folder / RENDERED).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return hashes


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write(path: Path, data: bytes) -> None:
    """Replaces a file in one step: it holds the old content or the new, whatever happens."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
