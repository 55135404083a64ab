"""The one table of keys. Footer, help, command palette and the widgets' bindings are all made from it.

Every key is one that every terminal can send: letters, arrows, Enter, Escape, Tab; where a function key or one with
Ctrl stands (some terminals keep F1 for themselves, a browser keeps Ctrl+N) there is a plain one beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from textual.binding import Binding, BindingType

Scope = Literal[
    "app",
    "home",
    "research",
    "ask",
    "talk",
    "list",
    "report",
    "evidence",
    "reader",
    "text",
    "runs",
    "library",
    "search",
    "find",
]

NAMES = {
    "slash": "/",
    "question_mark": "?",
    "escape": "Esc",
    "enter": "Enter",
    "tab": "Tab",
    "shift+tab": "Shift+Tab",
    "up": "Up",
    "down": "Down",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
}


@dataclass(frozen=True, slots=True)
class Key:
    """One action. `keys` are Textual's names, the first one is shown; `footer` orders the key line (0: not there).

    `palette` names the entry in the command palette; without one the action only makes sense at the cursor.
    """

    id: str
    scope: Scope
    keys: str
    action: str
    label: str
    help: str
    footer: int = 0
    palette: str = ""

    @property
    def shown(self) -> str:
        """The first key as a person would name it."""
        return name(self.keys.split(",")[0])


KEYS: tuple[Key, ...] = (
    # everywhere
    Key("help", "app", "f1,question_mark", "help", "Keys", "All keys of what you are looking at", 9, "Help: keys"),
    Key("research", "app", "f2,R", "research", "Research", "The research screen", 0, "Go to research"),
    Key("runs", "app", "f3,r", "go('runs')", "Runs", "All research runs", 7, "Go to runs"),
    Key("library", "app", "f4,l", "go('library')", "Library", "What the library holds", 8, "Go to library"),
    Key("search", "app", "f5,s", "go('search')", "Search", "Find passages in the library", 0, "Go to search"),
    Key("commands", "app", "ctrl+p,colon", "command_palette", "Commands", "Everything that can be done, by name"),
    Key("quit", "app", "q,ctrl+q", "quit", "Quit", "Close the workstation; a run that is going on goes on", 0, "Quit"),
    # home
    Key("home_ask", "home", "slash,i", "ask", "Ask", "Go to the ask line", 2, "Ask a question"),
    Key("home_other", "home", "tab,shift+tab", "other", "Ask line or list", "From the list to the ask line and back"),
    # research
    Key(
        "ask",
        "research",
        "slash,i",
        "ask",
        "Ask",
        "Go to the ask line: its label says what Enter does",
        2,
        "Go to the ask line",
    ),
    Key("next_pane", "research", "tab", "pane(1)", "Next pane", "The next pane", 6),
    Key("previous_pane", "research", "shift+tab", "pane(-1)", "Previous pane", "The pane before"),
    Key("plan", "research", "1", "show('plan')", "Plan", "Plan: the sub-questions", 0, "Show the plan"),
    Key("sources", "research", "2", "show('sources')", "Sources", "Sources: all that is cited", 0, "Show the sources"),
    Key("evidence", "research", "3", "show('evidence')", "Evidence", "Evidence: the quotes", 0, "Show the evidence"),
    Key("report", "research", "4", "show('report')", "Report", "Report: what was written", 0, "Show the report"),
    Key("zoom", "research", "z", "zoom", "Zoom", "One pane over the whole screen, and back", 8, "Zoom the pane"),
    Key(
        "approve",
        "research",
        "a",
        "approve",
        "Approve",
        "Approve the plan that is proposed",
        1,
        "Run: approve the plan",
    ),
    Key(
        "edit_plan",
        "research",
        "o",
        "edit_plan",
        "Edit plan.md",
        "Edit the proposed plan in your own editor ($EDITOR)",
        4,
        "Run: edit plan.md",
    ),
    Key(
        "follow_up",
        "research",
        "f",
        "follow_up",
        "Follow up",
        "Ask a follow-up question when a run has ended",
        3,
        "Run: follow up",
    ),
    Key(
        "deepen",
        "research",
        "d",
        "deepen",
        "Go deeper",
        "Go deeper on all that is not fully answered",
        7,
        "Run: go deeper",
    ),
    Key("enough", "research", "e", "enough", "Enough", "Stop searching, and write", 0, "Run: enough, write it"),
    Key("cancel", "research", "x", "cancel", "Cancel", "Stop the run; what was found is kept", 0, "Run: cancel"),
    Key("continue", "research", "c", "continue", "Continue", "Go on with a run that was stopped", 0, "Run: continue"),
    Key("back", "research", "escape", "back", "Back", "Back to where you came from", 6),
    # the ask line
    Key("ask_start", "ask", "enter", "submit", "Start research", "Do what the label before the line says", 1),
    Key("ask_older", "ask", "up", "older", "Earlier questions", "What was said before this", 2),
    Key("ask_newer", "ask", "down", "newer", "Later", "What was said after this"),
    Key("ask_leave", "ask", "escape", "leave", "Leave", "Leave the ask line", 4),
    # the ask line of a run
    Key(
        "new_question",
        "talk",
        "ctrl+n,N",
        "new_question",
        "New question",
        "Ask a new question instead, and back (N: from a pane)",
        3,
        "Ask a new question",
    ),
    # lists
    Key("choose", "list", "enter", "choose", "Open", "Open what the cursor stands on", 1),
    Key("up", "list", "up,k", "step(-1)", "Up", "Up"),
    Key("down", "list", "down,j", "step(1)", "Down", "Down"),
    Key("page_up", "list", "pageup", "page(-1)", "Page up", "A page up"),
    Key("page_down", "list", "pagedown,space", "page(1)", "Page down", "A page down"),
    Key("first", "list", "home,g", "edge(False)", "First", "To the beginning"),
    Key("last", "list", "end,G", "edge(True)", "Last", "To the end"),
    # the evidence
    Key(
        "why",
        "evidence",
        "w",
        "why",
        "Why this",
        "Why this passage: its walk through the search, and its neighbours",
        3,
    ),
    # the report
    Key("citation", "report", "n,right", "cite(1)", "Next citation", "The next citation, with its quote below", 1),
    Key("citation_before", "report", "p,left", "cite(-1)", "Citation before", "The citation before"),
    Key("follow", "report", "enter", "follow", "Its evidence", "The evidence behind the citation", 2),
    Key("report_up", "report", "up,k", "scroll_up", "Up", "A line up"),
    Key("report_down", "report", "down,j", "scroll_down", "Down", "A line down"),
    Key("report_page_down", "report", "pagedown,space", "page_down", "Page down", "A page down"),
    # the reader
    Key("place", "reader", "n", "place(1)", "Next place", "The next place that the run cites in this source", 1),
    Key("place_before", "reader", "p", "place(-1)", "Place before", "The place before", 2),
    Key("close_reader", "reader", "escape", "close", "Back", "Back to where you came from", 3),
    # its text
    Key("reader_up", "text", "up,k", "scroll_up", "Up", "A line up"),
    Key("reader_down", "text", "down,j", "scroll_down", "Down", "A line down"),
    Key("reader_page_down", "text", "pagedown,space", "page_down", "Page down", "A page down"),
    # runs
    Key("run_continue", "runs", "c", "continue", "Continue", "Go on with the run", 2),
    Key("run_enough", "runs", "e", "enough", "Enough", "Stop searching and write with what is there", 3),
    Key("run_cancel", "runs", "x", "cancel", "Cancel", "Stop the run; what was found is kept", 4),
    Key("close_runs", "runs", "escape", "close", "Back", "Back to research", 5),
    # library
    Key("reload", "library", "u", "reload", "Read again", "Read the list of sources again", 2),
    Key("close_library", "library", "escape", "close", "Back", "Back to research", 3),
    # search
    Key("to_find", "search", "tab,shift+tab,slash,i", "other", "Search line", "Back to the search line", 2),
    Key(
        "why_found",
        "search",
        "w",
        "why",
        "Why this",
        "Why this passage: its walk through the search, and its neighbours",
        3,
    ),
    Key("copy_found", "search", "y", "copy", "Copy", "Copy the passage with its citation", 5),
    Key(
        "kind", "search", "t", "cycle('kind')", "Kind", "Only the next kind of source", 6, "Search: next kind of source"
    ),
    Key("tongue", "search", "L", "cycle('lang')", "Language", "Only the next language", 0, "Search: next language"),
    Key(
        "since",
        "search",
        "D",
        "cycle('after')",
        "Date",
        "Only what is of this year, the last five, ten",
        0,
        "Search: next span of time",
    ),
    Key(
        "research_it",
        "search",
        "a",
        "research",
        "Research it",
        "Start research with these words as its question",
        4,
        "Search: research this question",
    ),
    Key("close_search", "search", "escape", "close", "Back", "Back to where you came from", 7),
    # its line
    Key("find_open", "find", "enter", "open", "Open", "Open the passage under the cursor in the reader", 1),
    Key(
        "find_list",
        "find",
        "tab,shift+tab",
        "results",
        "Results",
        "To the list of passages, where single letters are keys",
        2,
    ),
    Key("find_down", "find", "down", "move(1)", "Next", "The next passage"),
    Key("find_up", "find", "up", "move(-1)", "Before", "The passage before"),
    Key("find_leave", "find", "escape", "leave", "Back", "Back to where you came from", 3),
)

IN_FOOTER = 5
"""More than five do not fit in 80 columns beside their labels."""


def name(key: str) -> str:
    """How a key is called on the screen."""
    return NAMES.get(key) or (key.upper() if key[0] == "f" and key[1:].isdigit() else key.replace("ctrl+", "Ctrl+"))


def of(*scopes: Scope) -> tuple[Key, ...]:
    """The keys of these scopes, in the order of the table."""
    return tuple(key for key in KEYS if key.scope in scopes)


def bindings(*scopes: Scope) -> list[BindingType]:
    """The bindings of these scopes, for a widget's, screen's or app's BINDINGS."""
    return [Binding(key.keys, key.action, key.label, show=False, id=f"{key.scope}.{key.id}") for key in of(*scopes)]


@cache
def footer(*scopes: Scope, without: frozenset[str] = frozenset()) -> tuple[Key, ...]:
    """The keys for the key line: at most five, the innermost scope's first (scopes are given from inside out)."""
    found = [
        k for scope in scopes for k in sorted(of(scope), key=lambda k: k.footer) if k.footer and k.id not in without
    ]
    last = [k for k in found if k.id == "help"]
    return (*[k for k in found if k.id != "help"][: IN_FOOTER - len(last)], *last)


def relabelled(keys: tuple[Key, ...], labels: Mapping[str, str]) -> tuple[Key, ...]:
    """The keys with other labels by id, for those that do another thing just then."""
    return tuple(replace(key, label=labels[key.id]) if key.id in labels else key for key in keys)
