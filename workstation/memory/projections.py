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

from workstation.core import messages
from workstation.memory.crawl_plot import crawl_svg
from workstation.memory.events import NeedStatus, SubQuestion
from workstation.memory.ledger import notes_md, sources_json
from workstation.memory.merging import merged
from workstation.memory.state import Need, ResearchState
from workstation.report.cite import escape, unescape
from workstation.report.markdown import render_report

PLAN, SOURCES, NOTES, REPORT, DRAFT = "plan.md", "sources.json", "notes.md", "report.md", "draft.md"
CRAWL = "crawl.svg"
EDITABLE = (PLAN, REPORT)  # a person may change these; the others are the program's alone
BASE = ".report.md"  # report.md as it was rendered last: what a person's edits are read against
CONFLICTING = "report-new.md"  # our text, where it and a person's edits change the same paragraphs
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

    A plan.md that a person edited is kept until the run has taken its items. A report.md that a person edited keeps
    the edits: what is new comes in between. When this is interrupted anywhere, the next call completes it.
    """
    known = _known(folder)
    written, kept = [], []
    for name, text in _texts(state):
        path = folder / name
        current = path.read_bytes() if path.exists() else None
        wanted = text.encode()
        if name in EDITABLE and current is not None and not _ours(current, wanted, known.get(name, [])):
            kept.append(name)
            if name == REPORT:
                _merge_report(folder, current.decode(errors="replace"), text)
            continue
        if name in EDITABLE and known.get(name) != [_hash(wanted)]:
            # Both texts count as ours until the second is in place.
            known[name] = list(dict.fromkeys([*([_hash(current)] if current is not None else []), _hash(wanted)]))
            _write(folder / RENDERED, json.dumps(known).encode())
        if current != wanted:
            _write(path, wanted)
            written.append(name)
        if name == REPORT and (current != wanted or not (folder / BASE).exists()):
            _write(folder / BASE, wanted)
    return Rendered(tuple(written), tuple(kept))


def write_draft(folder: Path, text: str) -> None:
    """draft.md: what the report says so far, while it is not written yet; without text there is no such file."""
    path = folder / DRAFT
    if not text:
        path.unlink(missing_ok=True)
    elif not path.exists() or path.read_bytes() != text.encode():
        _write(path, text.encode())


def keep_version(folder: Path, number: int) -> None:
    """Keeps report.md as report-NUMBER.md before a later round of the run changes it. What is kept stays as it is."""
    report, kept = folder / REPORT, folder / f"report-{number}.md"
    if report.exists() and not kept.exists():
        _write(kept, report.read_bytes())


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
    if picture := crawl_svg(state):
        yield CRAWL, picture
    yield SOURCES, sources_json(state)
    yield NOTES, notes_md(state)
    if state.paragraphs or state.ended:
        yield REPORT, render_report(state)


def _merge_report(folder: Path, edited: str, fresh: str) -> None:
    """Brings what is new into a report that a person edited."""
    base = folder / BASE
    old = base.read_text(encoding="utf-8") if base.exists() else None
    if old is None or old == fresh:
        return
    text, whole = merged(old, edited, fresh)
    if not whole:
        _write(folder / CONFLICTING, fresh.encode())
    _write(folder / REPORT, text.encode())
    _write(base, fresh.encode())


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
    language = state.language
    parts = [
        messages.text("plan_depth", language, depth=state.depth),
        messages.text("plan_approved" if state.needs else "plan_waiting", language),
    ]
    if limits := state.limits:
        spend = (int(limits.seconds), limits.searches, limits.sources, limits.tokens)
        parts.append(messages.text("plan_budget", language, *spend))
        if state.web:
            parts.append(messages.text("plan_web", language, limits.pages))
    if state.left_out:
        parts.append(messages.text("left_out", language, listed=escape(", ".join(state.left_out))))
    return " ".join(parts)


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
