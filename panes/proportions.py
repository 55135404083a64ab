"""How the room is shared among the panes, as the user set it; remembered from one session to the next."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, Self

FILE = "panes.json"
STEP = 4
"""Percent of the width that one key gives or takes."""
NARROWEST, WIDEST = 16, 72
PARTS, FEWEST = 20, 4
"""A column has twenty parts, of which a pane keeps four at least."""

Share = Literal["plan", "report", "report_beside"]


@dataclass(frozen=True, slots=True)
class Proportions:
    """`left` is by how many percent the left column is wider than by itself. The others are parts of 20, 0 where the
    user left it as it is: of the plan in the left column, of the report in the right one, one above the other or, on
    a very wide screen, side by side."""

    left: int = 0
    plan: int = 0
    report: int = 0
    report_beside: int = 0

    def widened(self, by: int, width: int) -> Self:
        """With the left column a step wider or narrower, where it takes `width` percent by itself."""
        return replace(self, left=self.column(width + STEP * by) - width)

    def column(self, width: int) -> int:
        """The percent that the left column takes, where it takes `width` by itself."""
        return min(WIDEST, max(NARROWEST, width + self.left))

    def heightened(self, share: Share, by: int, usual: int) -> Self:
        """With a part more or less for the first pane of a column, which has `usual` parts by itself."""
        parts = min(PARTS - FEWEST, max(FEWEST, (getattr(self, share) or usual) + by))
        return replace(self, **{share: parts})


def load(folder: Path) -> Proportions:
    """Those of the last session; the usual ones where nothing usable is remembered."""
    try:
        found: Any = json.loads((folder / FILE).read_text(encoding="utf-8"))
        known = {f.name: int(found[f.name]) for f in fields(Proportions) if f.name in found}
    except (OSError, ValueError, TypeError):
        return Proportions()
    parts = {name: value if FEWEST <= value <= PARTS - FEWEST else 0 for name, value in known.items()}
    return Proportions(**(parts | {"left": max(-WIDEST, min(WIDEST, known.get("left", 0)))}))


def save(folder: Path, proportions: Proportions) -> None:
    """Remembers them; where that cannot be done they are the usual ones next time."""
    from workstation.paths import private_folder

    with contextlib.suppress(OSError):
        (private_folder(folder) / FILE).write_text(json.dumps(asdict(proportions)), encoding="utf-8")
