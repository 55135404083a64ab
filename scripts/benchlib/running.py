"""Research runs: how long they take, how soon they say something, how they stop, and what a kill leaves behind."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchlib.dissent import CORPUS, Tally, files_of, judge, questions
from benchlib.figures import Figure
from benchlib.material import Material

KILLS = 30
ENOUGH_S, THOROUGH_S, FIRST_S = 10.0, 60.0, 8.0


def thorough(material: Material) -> list[Figure]:
    """Seconds from the approved plan to the report, and to the first paragraph that can be read."""
    totals, firsts, sizes = [], [], []
    for n, question in enumerate(material.thorough):
        folder = material.home / f"thorough-{n}"
        started = time.monotonic()
        run = _start(material, "research", question, "--depth", "thorough", "--yes", "--out", folder)
        approved = first = 0.0
        while run.poll() is None:
            approved = approved or (time.monotonic() if "plan_approved" in _read(folder / "run.jsonl") else 0.0)
            first = first or (time.monotonic() if approved and _speaks(folder) else 0.0)
            time.sleep(0.02)
        run.communicate()
        approved = approved or started
        totals.append(time.monotonic() - approved)
        firsts.append((first or time.monotonic()) - approved)
        sizes.append(_read(folder / "plan.md").count("- ["))
    return [
        Figure("thorough run", max(totals), "s", THOROUGH_S, note=f"slowest of {len(totals)}"),
        Figure("  first paragraph", max(firsts), "s", FIRST_S, note="after the plan was approved"),
        Figure("  sub-questions", min(sizes), "", 4, least=True, note=f"at most {max(sizes)}"),
    ]


def enough(material: Material) -> list[Figure]:
    """Seconds from `flori enough`, in the middle of a search, to a report that verifies."""
    took, broken = [], 0
    for n, question in enumerate(material.thorough):
        folder = material.home / f"enough-{n}"
        run = _start(material, "research", question, "--depth", "deep", "--yes", "--out", folder)
        while run.poll() is None and "search_done" not in _read(folder / "run.jsonl"):
            time.sleep(0.02)
        asked = time.monotonic()
        _flori(material, "enough", folder)
        run.communicate()
        took.append(time.monotonic() - asked)
        broken += _flori(material, "verify", folder).returncode != 0
    return [
        Figure("enough", max(took), "s", ENOUGH_S, note=f"slowest of {len(took)}, to the end of the run"),
        Figure("  reports that do not verify", broken, "", 0),
    ]


def kills(material: Material, trials: int = KILLS) -> list[Figure]:
    """SIGKILL at random moments of a thorough run, then `continue`: what was lost, changed or doubled."""
    rng, lost, changed, doubled, broken = random.Random(7), 0, 0, 0, 0
    question = material.thorough[0]
    length = _length(material, question)
    for trial in range(trials):
        folder = material.home / f"kill-{trial}"
        run = _start(material, "research", question, "--depth", "thorough", "--yes", "--out", folder)
        time.sleep(rng.uniform(0.1, 1.0) * length)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        before = _events(folder)
        if not before:
            continue
        _flori(material, "continue", folder)
        after = _events(folder)
        lost += after[: len(before)] != before
        numbers = {e["number"]: (e["source"], e["version"]) for e in before if e["type"] == "source_registered"}
        ledger = {e["number"]: (e["source"], e["version"]) for e in _ledger(folder)}
        changed += any(ledger.get(number) != known for number, known in numbers.items())
        notes = [e["id"] for e in after if e["type"] == "observation_made"]
        doubled += len(_noted(folder)) != len(set(notes))
        broken += _flori(material, "verify", folder).returncode != 0
    return [
        Figure("kill and continue", lost, "runs that lost something", 0, note=f"{trials} kills within {length:.1f} s"),
        Figure("  runs with another number for a source", changed, "", 0),
        Figure("  runs with a doubled note", doubled, "", 0),
        Figure("  reports that do not verify", broken, "", 0),
    ]


def dissent(material: Material, split: str = "test") -> list[Figure]:
    """Every stale or contradicting version must be named in the report."""
    tally = Tally()
    other = Material(material.home / "dissent", sorted((CORPUS / "files").iterdir()), [])
    other.home.mkdir(exist_ok=True)
    other.ingest()
    for question in questions(split):
        folder = other.home / question["id"]
        done = _flori(other, "--json", "research", question["question"], "--yes", "--out", folder)
        cited, sides = files_of(json.loads(done.stdout), _ledger(folder))
        judge(question, cited, sides, tally)
    for missed in tally.missed:
        print(f"  not named: {missed}", file=sys.stderr)
    planted = max(tally.planted, 1)
    return [
        Figure(
            "dissent named in the report", tally.cited / planted, "", note=f"of {tally.planted} planted, {split} half"
        ),
        Figure("  shown as disagreeing", tally.told / planted, ""),
        Figure("  shown as disagreeing, and does not", tally.false, "sources"),
    ]


def _length(material: Material, question: str) -> float:
    started = time.monotonic()
    _flori(material, "research", question, "--depth", "thorough", "--yes", "--out", material.home / "kill-whole")
    return time.monotonic() - started


def _start(material: Material, *arguments: object) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        material.flori(*arguments), env=material.environment, cwd=material.home, stdout=quiet, stderr=quiet
    )


def _flori(material: Material, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        material.flori(*arguments), env=material.environment, cwd=material.home, capture_output=True, text=True
    )


def _speaks(folder: Path) -> bool:
    return bool(_read(folder / "draft.md")) or "paragraph_written" in _read(folder / "run.jsonl")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""


def _events(folder: Path) -> list[dict[str, Any]]:
    whole = _read(folder / "run.jsonl")
    return [json.loads(line) for line in whole[: whole.rfind("\n") + 1].splitlines()]


def _ledger(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(_read(folder / "sources.json") or '{"sources": []}')["sources"]
    return found


def _noted(folder: Path) -> list[str]:
    """The lines of notes.md without its head."""
    return _read(folder / "notes.md").splitlines()[1:]
