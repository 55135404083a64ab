"""What the next question will become, and what was said before: shared by every screen that has an ask line."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from panes.purpose import Kind
    from workstation.config import Config
    from workstation.memory.events import Depth, Format


@dataclass
class Asking:
    """`history` holds each text once for what it was said for, the latest last. web: the next run may read the web;
    offline: nothing in this process may."""

    depth: Depth = "thorough"
    format: Format = "report"
    web: bool = False
    offline: bool = False
    _said: defaultdict[Kind, list[str]] = field(default_factory=lambda: defaultdict(list))

    def preferring(self, config: Config) -> Self:
        """With the depth and the format that the settings name; where they name none, with those for a workstation."""
        depth, format = config.values["depth"], config.values["format"]
        self.depth = "thorough" if depth.origin == "default" else cast("Depth", depth.value)
        self.format = "report" if format.origin == "default" else cast("Format", format.value)
        return self

    def history(self, kind: Kind = "ask") -> list[str]:
        return self._said[kind]

    def remember(self, texts: Iterable[str], kind: Kind = "ask") -> None:
        """Adds texts, oldest first; one that was said before moves to the end."""
        said = self._said[kind]
        for text in texts:
            if text in said:
                said.remove(text)
            if text.strip():
                said.append(text)
