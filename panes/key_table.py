"""The one table of keys. Footer, help, command palette and the widgets' bindings are all made from it, and config.toml
can name other keys for any action in it (see `panes.keys`).

Every key is one that every terminal can send: letters, arrows, Enter, Escape, Tab; where a function key or one with
Ctrl stands (some terminals keep F1 for themselves, a browser keeps Ctrl+N) there is a plain one beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scope = Literal[
    "app",
    "home",
    "research",
    "ask",
    "talk",
    "list",
    "report",
    "evidence",
    "plan",
    "reader",
    "text",
    "entry",
    "uses",
    "sources",
    "runs",
    "page",
    "library",
    "details",
    "jobs",
    "models",
    "outbound",
    "settings",
    "search",
    "find",
]

NAMES = {
    "slash": "/",
    "question_mark": "?",
    "full_stop": ".",
    "delete": "Del",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "minus": "-",
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
    "insert": "Ins",
    "plus": "+",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "comma": ",",
    "colon": ":",
}


def name(key: str) -> str:
    """How a key is called on the screen."""
    return NAMES.get(key) or (key.upper() if key[0] == "f" and key[1:].isdigit() else key.replace("ctrl+", "Ctrl+"))


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
    def name(self) -> str:
        """How `[keys]` in config.toml and Textual call this action."""
        return f"{self.scope}.{self.id}"

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
    Key(
        "models",
        "app",
        "f6,m",
        "go('models')",
        "Models",
        "The models: which serve, and whether they are whole",
        0,
        "Go to models",
    ),
    Key(
        "outbound",
        "app",
        "f7,O",
        "go('outbound')",
        "Outbound",
        "What left this machine, and what was refused",
        0,
        "Go to outbound",
    ),
    Key("settings", "app", "f8,comma", "go('settings')", "Settings", "The settings and the keys", 0, "Go to settings"),
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
    Key("wider", "research", "greater_than_sign", "widen(1)", "Wider", "The left column wider", 0, "Panes: left wider"),
    Key("slimmer", "research", "less_than_sign", "widen(-1)", "Narrower", "Narrower", 0, "Panes: left narrower"),
    Key("higher", "research", "plus", "heighten(1)", "Larger", "More room for this pane", 0, "Panes: this one larger"),
    Key("lower", "research", "minus", "heighten(-1)", "Smaller", "Less room for it", 0, "Panes: this one smaller"),
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
    Key(
        "continue",
        "research",
        "c",
        "continue",
        "Continue",
        "Go on with a run that was stopped, or write again what is stale",
        0,
        "Run: continue",
    ),
    Key("copy", "research", "y", "copy", "Copy", "Copy what the cursor stands on, with its source", 0, "Copy this"),
    Key("copy_report", "research", "Y", "copy_report", "Copy report", "Copy the whole report", 0, "Copy the report"),
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
    # the sources of a run
    Key("source_uses", "sources", "u", "uses", "Claims", "Every claim of the run that uses this source"),
    # the evidence
    Key(
        "why",
        "evidence",
        "w",
        "why",
        "Why this",
        "Why this passage: its walk through the search, and its neighbours",
        1,
    ),
    # the report
    Key("citation", "report", "n,right", "cite(1)", "Next citation", "The next citation, with its quote below", 1),
    Key("citation_before", "report", "p,left", "cite(-1)", "Citation before", "The citation before"),
    Key("follow", "report", "enter", "follow", "Its evidence", "The evidence behind the citation", 2),
    Key("section", "report", "right_square_bracket", "section(1)", "Next section", "The next section"),
    Key("section_before", "report", "left_square_bracket", "section(-1)", "Section before", "The section before"),
    Key("report_up", "report", "up,k", "scroll_up", "Up", "A line up"),
    Key("report_down", "report", "down,j", "scroll_down", "Down", "A line down"),
    Key("report_page_down", "report", "pagedown,space", "page_down", "Page down", "A page down"),
    # the evidence
    Key("reject", "evidence", "X,delete", "reject", "Reject", "Reject the quote; on a rejected one, take that back", 2),
    Key("correct", "evidence", "C", "correct", "Correct", "Put other words of the source in place of the quote", 4),
    Key(
        "filter",
        "evidence",
        "t",
        "filter",
        "Filter",
        "Show one kind only: facts, hypotheses, errors, empty searches, rejected, disagreements",
        3,
        "Evidence: the next kind",
    ),
    Key(
        "sort",
        "evidence",
        "b",
        "sort",
        "Sort",
        "Sort by sub-question, by source, by how sure, by date",
        0,
        "Evidence: sort by the next",
    ),
    # a plan that waits for approval
    Key("plan_drop", "plan", "X,delete", "drop", "Drop", "Drop the line", 3),
    Key("plan_add", "plan", "A,insert", "add", "Add", "Add a line: what it shall cover", 4, "Plan: add a line"),
    Key("plan_up", "plan", "left_square_bracket", "move(-1)", "Line up", "Move the line up"),
    Key("plan_down", "plan", "right_square_bracket", "move(1)", "Line down", "Move the line down"),
    Key(
        "plan_undo",
        "plan",
        "u",
        "undo",
        "Undo",
        "Take the last change of the plan back",
        0,
        "Plan: take the last change back",
    ),
    # the reader
    Key("place", "reader", "n,enter", "place(1)", "Next place", "The next place that is cited, or the next match", 1),
    Key("place_before", "reader", "p,N", "place(-1)", "Place before", "The place or the match before", 2),
    Key("find", "reader", "slash", "find", "Find", "Find words in the text", 3, "Reader: find"),
    Key(
        "jump", "reader", "J", "jump", "Go to", "Go to a page, a time or a share of the text", 4, "Reader: go to a page"
    ),
    Key("original", "reader", "o", "original", "Original", "Open the file itself at this place", 5, "Reader: original"),
    Key("close_reader", "reader", "escape", "close", "Back", "End the search; back to where you came from", 6),
    Key(
        "copy_place", "reader", "y", "copy", "Copy", "Copy the place with its citation", 0, "Reader: copy with citation"
    ),
    Key("image", "reader", "i", "image", "Page image", "Show the page as it looks", 0, "Reader: image of the page"),
    Key("uses", "reader", "c", "uses", "Claims", "Every claim of the run that uses this source", 0, "Reader: claims"),
    # a line to type into
    Key("entry_take", "entry", "enter", "submit", "Take it", "Take what is typed", 1),
    Key("entry_next", "entry", "down", "step(1)", "Next", "The next one of what was found"),
    Key("entry_before", "entry", "up", "step(-1)", "Before", "The one before"),
    Key("entry_leave", "entry", "escape", "leave", "Leave", "Leave the line", 4),
    # the claims that use a source
    Key("close_uses", "uses", "escape", "close", "Back", "Back to where you came from", 2),
    # its text
    Key("reader_up", "text", "up,k", "scroll_up", "Up", "A line up"),
    Key("reader_down", "text", "down,j", "scroll_down", "Down", "A line down"),
    Key("reader_page_down", "text", "pagedown,space", "page_down", "Page down", "A page down"),
    # runs
    Key("run_continue", "runs", "c", "continue", "Continue", "Go on with the run", 2),
    Key("run_enough", "runs", "e", "enough", "Enough", "Stop searching and write with what is there", 2),
    Key("run_cancel", "runs", "x", "cancel", "Cancel", "Stop the run; what was found is kept", 3),
    Key("run_verify", "runs", "v", "verify", "Verify", "Check the report again as it stands", 3, "Runs: verify"),
    Key("run_compare", "runs", "b", "compare", "Compare", "Mark a run; on another one: compare the two", 4),
    Key("run_filter", "runs", "slash", "filter", "Filter", "Show the runs with these words", 5, "Runs: filter"),
    Key("close_runs", "runs", "escape", "close", "Back", "Back to research", 6),
    # a page to read
    Key("close_page", "page", "escape", "close", "Back", "Back to where you came from", 1),
    # library
    Key("filter", "library", "slash", "filter", "Filter", "Show only sources with these words in title or path", 3),
    Key("add", "library", "a", "add", "Add", "Read a file, a folder or a page into the library", 2, "Library: add"),
    Key(
        "kind",
        "library",
        "t",
        "kind",
        "Kind",
        "Show one kind of source only, then the next, then all",
        0,
        "Library: next kind",
    ),
    Key(
        "sort",
        "library",
        "b",
        "sort",
        "Order",
        "Order by title, kind, language, passages, newest first, or as read",
        0,
        "Library: next order",
    ),
    Key("details", "library", "d", "details", "Details", "Pages, versions and origin of the source, and back", 4),
    Key("read_again", "library", "e", "read_again", "Read again", "Read the source again where its file has changed"),
    Key("remove", "library", "X,delete", "remove", "Remove", "Take the source out of every search; u puts it back"),
    Key("undo", "library", "u", "undo", "Undo", "Put back the source that was removed last", 0, "Library: undo remove"),
    Key(
        "resume_job",
        "library",
        "c",
        "resume",
        "Go on",
        "Go on with the reading that was interrupted or cancelled",
        0,
        "Library: go on reading",
    ),
    Key(
        "cancel_job",
        "library",
        "x",
        "cancel",
        "Stop reading",
        "Stop the reading that goes on; what was read is kept",
        0,
        "Library: stop reading",
    ),
    Key("show_jobs", "library", "J", "jobs", "Jobs", "What was read and what was not, and why", 0, "Library: jobs"),
    Key(
        "reload",
        "library",
        "ctrl+r,full_stop",
        "reload",
        "Read the list again",
        "Read the list of sources again",
        0,
        "Library: read the list again",
    ),
    Key("close_library", "library", "escape", "close", "Back", "Back to where you came from", 5),
    # its details
    Key("open_source", "details", "enter", "open", "Open", "Open the source in the reader", 1),
    # jobs
    Key("job_resume", "jobs", "c", "resume", "Go on", "Go on with what was interrupted, cancelled or failed", 1),
    Key("job_cancel", "jobs", "x", "cancel", "Stop", "Stop it, or give it up; what was read is kept", 2),
    Key("close_jobs", "jobs", "escape", "close", "Back", "Back to the library", 3),
    # models
    Key("use_model", "models", "c", "use", "Use", "Use the chosen model for its role", 1),
    Key(
        "verify_models",
        "models",
        "v",
        "verify",
        "Verify",
        "Read every model file and compare its hash",
        2,
        "Models: verify",
    ),
    Key("probe_model", "models", "p", "probe", "Probe", "Measure what the chosen writing model can be trusted with", 3),
    Key(
        "add_model",
        "models",
        "i",
        "add",
        "Add",
        "Take in a model file or folder that you brought",
        4,
        "Models: add a file",
    ),
    Key("stop_models", "models", "x", "stop", "Stop", "Stop what is going on here"),
    Key("reload_models", "models", "u", "reload", "Read again", "Look at the models again"),
    Key("close_models", "models", "escape", "close", "Back", "Back to research"),
    # outbound
    Key(
        "find_outbound",
        "outbound",
        "slash",
        "find",
        "Filter",
        "Only lines with these words: a host, a part of an address",
        2,
        "Outbound: filter",
    ),
    Key(
        "kind_outbound",
        "outbound",
        "t",
        "kind",
        "Kind",
        "All, requests alone, refusals alone",
        3,
        "Outbound: next kind",
    ),
    Key("close_outbound", "outbound", "escape", "close", "Back", "The whole list again, then back to research", 4),
    # settings
    Key(
        "undo_setting",
        "settings",
        "u",
        "undo",
        "Undo",
        "Take back the last change",
        2,
        "Settings: undo the last change",
    ),
    Key("reset_setting", "settings", "X,delete", "reset", "Default", "The default again", 3),
    Key(
        "keys_part",
        "settings",
        "tab",
        "part",
        "Keys",
        "From the settings to the keys, and back",
        4,
        "Settings: keys or settings",
    ),
    Key("close_settings", "settings", "escape", "close", "Back", "Back to research"),
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

TOGETHER: tuple[tuple[Scope, ...], ...] = (
    ("list", "home", "app"),
    ("list", "research", "talk", "app"),
    ("evidence", "list", "research", "talk", "app"),
    ("plan", "list", "research", "talk", "app"),
    ("report", "research", "talk", "app"),
    ("list", "sources", "research", "talk", "app"),
    ("text", "reader", "app"),
    ("list", "uses", "app"),
    ("text", "page", "app"),
    ("list", "runs", "app"),
    ("list", "library", "app"),
    ("details", "text", "library", "app"),
    ("list", "jobs", "app"),
    ("list", "models", "app"),
    ("list", "outbound", "app"),
    ("list", "settings", "app"),
    ("list", "search", "app"),
    ("find", "app"),
    ("ask", "app"),
    ("ask", "talk", "app"),
    ("entry", "app"),
)
"""Scopes whose keys work at the same time: there no key may have two meanings."""
