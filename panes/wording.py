"""The words and signs of the screens, in one place. A sign never stands alone: a word says the same."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from panes.keymap import shown
from workstation.core.places import from_image

if TYPE_CHECKING:
    from panes.ports import Run
    from workstation.memory.events import Check, DisagreementKind, Limits, NeedStatus, NoteKind, Outcome, Place

NEED_SIGNS: dict[NeedStatus, str] = {"open": "[ ]", "answered": "[x]", "partly": "[~]", "unresolved": "[!]"}
NEED_STYLES: dict[NeedStatus, str] = {"open": "dim", "answered": "good", "partly": "warn", "unresolved": "bad"}
NEED_WORDS: dict[NeedStatus, str] = {
    "open": "open",
    "answered": "answered",
    "partly": "partly answered",
    "unresolved": "unresolved",
}

# kind of a note -> sign, word, style; None is a quote that was not compared with its source yet
NOTES: dict[NoteKind | None, tuple[str, str, str]] = {
    "fact": ("+", "fact", "good"),
    "hypothesis": ("?", "hypothesis", "warn"),
    "extraction_error": ("!", "extraction error", "bad"),
    "rejected": ("/", "rejected", "bad"),
    None: ("·", "not checked yet", "dim"),
}
STALE = ("~", "stale", "warn")
EMPTY_SEARCH = ("-", "empty search", "dim")

# how a quote differs from the one that it speaks against
DISAGREEMENTS: dict[DisagreementKind, str] = {
    "other_figure": "other figure",
    "other_name": "other name",
    "denial": "denial",
    "older_version": "older version",
    "newer_version": "newer version",
}

# title and advice, in which {scope.id} is the key of that action
OUTCOMES: dict[Outcome, tuple[str, str]] = {
    "answered": ("Answered", ""),
    "partly": (
        "Partly answered",
        "Some sub-questions are unresolved. Press {research.deepen} to go deeper, {research.follow_up} to ask on.",
    ),
    "not_in_library": ("Not in the library", "Add sources ({app.library}: the library), or ask in other words."),
    "unverified": ("Not verified", "The report holds sentences that no quote carries: the check below says which."),
    "unreadable": ("Sources could not be read", "The library shows which, and why."),
    "budget_spent": (
        "Budget spent",
        "What was checked until then is in the report. Press {research.deepen} to go deeper.",
    ),
    "model_failed": ("A model failed", "The warnings in the plan say which. Run: flori doctor"),
    "cancelled": ("Cancelled", "What was found is kept. Press {research.continue} to go on."),
}


def advice(outcome: Outcome) -> str:
    """What can be done after an outcome, with the keys that do it."""
    return re.sub(r"\{([a-z_.]+)\}", lambda action: shown(action[1]), OUTCOMES[outcome][1])


STAGES = {
    "classify": "reading the question",
    "brief": "reading the question",
    "clarify": "looking for what must be asked first",
    "plan": "planning",
    "sufficiency": "looking for a ready answer",
    "discover": "finding pages",
    "retrieve": "searching",
    "gather": "gathering evidence",
    "evidence": "gathering evidence",
    "theses": "drawing conclusions",
    "calculate": "calculating",
    "write": "writing",
    "verify": "checking",
    "release": "finishing",
}


def stage(name: str) -> str:
    return STAGES.get(name, name) or "starting"


def count(number: int, noun: str, nouns: str = "") -> str:
    """ "1 source", "2 sources" """
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def stale_paragraphs(number: int) -> str:
    """ "1 paragraph is stale" """
    return f"{count(number, 'paragraph')} {'is' if number == 1 else 'are'} stale"


def clock(seconds: float) -> str:
    """A time span as m:ss or h:mm:ss."""
    whole = max(0, int(seconds))
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def when(moment: str) -> str:
    """A log's time in the reader's own time zone: 12 Nov 2026 14:05."""
    try:
        return f"{datetime.fromisoformat(moment).astimezone():%-d %b %Y %H:%M}"
    except ValueError:
        return moment


def place(place: Place) -> str:
    """Where a quote stands, as far as the source has pages, times or headings: "page 3, Terms of the treaty"."""
    parts = []
    if place.page is not None:
        parts.append(f"page {place.page}" + (f" ({from_image(place.ocr)})" if place.ocr is not None else ""))
    if place.t0 is not None:
        parts.append(clock(place.t0))
    if place.heading:
        parts.append(place.heading)
    return ", ".join(parts)


def budget(limits: Limits) -> str:
    minutes = limits.seconds / 60
    time = f"{minutes:.0f} min" if minutes >= 1 else f"{limits.seconds:.0f} s"
    return f"at most {time}, {count(limits.searches, 'search', 'searches')}, {count(limits.sources, 'source')}"


def check(check: Check) -> str:
    """The verification line with its denominator."""
    return (
        f"{count(check.sentences, 'sentence')}: {check.cited} cited, {check.located} located, "
        f"{check.supported} supported, {check.unverified} marked unverified"
    )


def run_state(run: Run) -> str:
    """How a run of the list stands, in words: running, waiting for the user, interrupted, or how it ended."""
    if run.status == "running" and run.waits:
        return "waits for you"
    ended = next((words[0] for outcome, words in OUTCOMES.items() if outcome == run.outcome), "")
    return ended.lower() if run.status == "finished" and ended else run.status
