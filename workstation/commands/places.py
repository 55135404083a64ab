"""Where a quote stands, as a citation shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workstation.core.places import page_of
from workstation.core.text import one_line


def cited(title: str, locator: Mapping[str, Any], *, heading: bool = False) -> str:
    """ "Title, p. 4, Heading", or "talk.mp3 @ 00:12:31" for a recording."""
    page = f", {page_of(locator)}" if "page" in locator else ""
    time = f" @ {clock(locator['t0'])}" if "t0" in locator else ""
    under = f", {one_line(locator['heading'])}" if heading and "heading" in locator else ""
    return f"{one_line(title)}{time}{page}{under}"


def clock(seconds: float) -> str:
    """A place in a recording as hh:mm:ss."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest:02}"
