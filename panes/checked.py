"""The answer of `flori --json verify` as rows: the line with its denominators, what failed, what changed since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from panes import wording
from panes.rows import Pen, Row, blank
from workstation.memory.events import Check


def rows(document: Mapping[str, Any]) -> list[Row]:
    """A failed check says so first; sources that changed since are no failure."""
    check = Check.model_validate(document["verification"])
    verdict = Pen().put("The report holds", "good") if document.get("ok") else Pen().put("CHECK FAILED", "bad")
    if document.get("ok") and not check.sentences:
        verdict = Pen().put("The report says nothing that could be checked", "warn")
    found = [verdict.row(), Pen().put(wording.check(check)).row(), blank()]
    found += [Pen().put("! ", "bad").put(failure).row(hang=2) for failure in check.failures]
    for source in document.get("changed") or ():
        said = f"[{source.get('number')}] {source.get('title')}: {source.get('what')}"
        found.append(Pen().put("~ ", "warn").put("since then: ", "warn").put(said).row(hang=2))
    if document.get("edited"):
        said = "The report was edited since it was written; it was checked as it stands."
        found.append(Pen().put("~ ", "warn").put(said).row(hang=2))
    found += [blank(), Pen().put(str(document.get("folder") or ""), "dim").row()]
    return found
