"""How what is not a widget looks: the named styles of spans, the row under the cursor, the title of a pane.

They stand here and not in the sheet as component classes, which Textual matches anew, one by one, whenever a view is
shown or gets the keyboard.
"""

from __future__ import annotations

import rich.style
from textual.style import Style

LOOKS = {
    "strong": "bold",
    "dim": "$foreground 65%",
    "em": "italic",
    "cite": "bold $text-accent",
    "good": "bold $text-success",
    "warn": "bold $text-warning",
    "bad": "bold $text-error",
    "heading": "bold $text-primary",
    "mark": "underline",
    "found": "bold underline",
    "code": "$text-secondary",
    "key": "bold",
    # the row under the cursor, without and with the keyboard, and the citation or place that is chosen
    "cursor": "on $foreground 8%",
    "cursor with the keyboard": "on $foreground 18%",
    "target": "reverse",
    # the line above the pane that has the keyboard, and its title in there
    "lit rule": "$primary",
    "lit title": "bold reverse",
}
"""Every difference that colour makes is made by a sign, a word or an attribute as well."""


def look(*names: str, over: Style | None = None) -> rich.style.Style:
    """These looks one over the other, in the colours of the theme; empty names change nothing."""
    found = over or Style.null()
    for name in filter(None, names):
        found += Style.parse(LOOKS[name])
    return found.rich_style
