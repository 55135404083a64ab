"""An error as a person sees it in the workstation: what happened, to what, what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panes.rows import inert
from workstation.errors import FloriError

if TYPE_CHECKING:
    from textual.dom import DOMNode


class LookupFailed(FloriError):
    """A question to the library that got no answer. The library's own words are passed on."""

    title = "The library gave no answer"
    hint = "Try again; the helper is started anew"

    def __init__(self, title: str, what: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.title, self.hint = title or type(self).title, hint or type(self).hint


def lines_of(error: Exception) -> list[str]:
    """Title, what and hint of an error, each inert and on one line; empty ones are left out."""
    if isinstance(error, FloriError):
        found = [error.title, str(error), error.hint]
    elif isinstance(error, OSError):
        what = f"{error.filename or ''}: {error.strerror or error}"
        found = ["A file or folder could not be used", what, "Run: flori doctor"]
    else:
        found = ["Something unexpected happened", f"{type(error).__name__}: {error}", "Run: flori doctor"]
    return [inert(line) for line in found if line]


def tell(screen: DOMNode, error: Exception) -> None:
    """Shows an error over the screen."""
    title, *rest = lines_of(error)
    screen.app.notify("\n".join(rest), title=title, severity="error", timeout=12, markup=False)


def said_lines(words: str) -> list[str]:
    """What a command said of its failure, line by line, without its own name before it."""
    lines = [inert(line).strip() for line in words.splitlines() if line.strip()]
    return [lines[0].removeprefix("flori: "), *lines[1:]] if lines else ["It ended without a word"]
