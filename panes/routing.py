"""Whether what was asked needs research, or is only to be looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workstation.planning.classify import Route

LOOKED_UP = "served without a search"
"""How the library says that it holds what was named. Otherwise it was searched for, and that is for a run to do."""


def route_of(text: str) -> Route:
    """Where a question leads."""
    from workstation.planning.classify import classify  # 0.2 s at the first call, for the words of ten languages

    return classify(text)
