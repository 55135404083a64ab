"""The words that the program itself puts into a brief, a plan and a report, by key.

English stands here. The other languages are gettext catalogues under `locales/`, with the key as context and the
English text as msgid; what a catalogue does not translate is said in English. `scripts/messages` compiles them. `{}`
stands for a number, `{name}` for a text in any grammatical case: a translation puts it in quotation marks or before a
colon.
"""

from __future__ import annotations

from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ar")
LOCALES = Path(__file__).resolve().parent / "locales"
DOMAIN = "flori"

ENGLISH: dict[str, str] = {
    # headings of a report
    "answer": "Answer",
    "key_points": "Key points",
    "comparison": "Comparison",
    "findings": "Findings",
    "disagreements": "Where the sources disagree",
    "unsettled": "What could not be settled",
    "verification": "Verification",
    "sources": "Sources",
    "uncited": "Read, but not cited",
    # statements about the search or the run, never about the world
    "unverified": "unverified",
    "nothing_found": "The library holds nothing that answers this question.",
    "no_answer_yet": "Nothing has been written yet.",
    "confidence": "How sure: {} of {} sub-questions answered; checked quotes: {}, sources: {}.",
    "verdict": "{} sentences: {} cited, {} located, {} supported, {} marked unverified",
    "unchecked": "Not checked yet.",
    "stale_report": "Stale: evidence was rejected or corrected since this was written. Paragraphs that rest on it: {}. "
    "They are written again by: flori continue FOLDER",
    "stale_paragraph": "Stale: what follows rests on evidence that was rejected or corrected since.",
    "pages": "p.",
    "from_image": "read from the image, {} %",
    "version": "version",
    # what stands before a quote that speaks against another one
    "other_figure": "Another figure:",
    "other_name": "Another name:",
    "denial": "Against it:",
    "beside": "Another source on this:",
    "older_version": "In an older version:",
    "newer_version": "In a newer version:",
    # why a sub-question is not (fully) answered
    "one_passage": "only one passage speaks to it",
    "no_answer": "related passages were found, but none that answers it",
    "empty": "two searches found nothing in the library",
    "no_dissent": "two searches found no passage that disagrees",
    "not_reached": "not reached",
    "out_of_time": "not reached: the time is spent",
    "out_of_searches": "not reached: the searches are spent",
    "out_of_sources": "not reached: no more sources may be read",
    "stopped": "not reached: the search was stopped",
    "rejected": "what was found for it was rejected",
    # the plan
    "aspect": "What do the sources say about {aspect} in connection with {topic}?",
    "option": "What do the sources say about {aspect}, as far as {topic} goes?",
    "when_where": "When and where: what dates and places are given for {topic}?",
    "who": "Who was involved in {topic}, and what did they do?",
    "why": "Why: what causes or reasons are given for {topic}?",
    "consequences": "What followed from {topic}?",
    "figures": "What figures are given for {topic}?",
    "definition": "How is {topic} defined or described?",
    "counter": "What contradicts or limits the likely answer: disputes, exceptions, other versions of {topic}?",
    "settles_direct": "a passage that says it",
    "settles_aspect": "passages on {aspect}",
    "settles_when_where": "dates and places, each with its source",
    "settles_who": "named people or bodies and their acts",
    "settles_why": "causes that a source states",
    "settles_consequences": "consequences that a source states",
    "settles_figures": "numbers with their units",
    "settles_definition": "a definition or description in a source",
    "settles_counter": "a source that disagrees",
    "plan_depth": "Depth: {depth}.",
    "plan_waiting": "Not approved yet.",
    "plan_approved": "Approved.",
    "plan_budget": "At most {} s, {} searches, {} sources, {} model tokens.",
    "plan_web": "From the web: at most {} pages.",
    "left_out": "Left out: {listed}.",
    # clarifying questions
    "which_time": "Which time do you mean?",
    "which_document": "Which document do you mean?",
}


def text(key: str, language: str, /, *numbers: int, **texts: str) -> str:
    """The message `key` in a language (ISO 639-1), in English where it is not translated. KeyError for no such key."""
    return _template(key, language).format(*numbers, **texts)


def every(key: str) -> tuple[str, ...]:
    """The template of `key` in each of LANGUAGES, by which our own words are recognised again."""
    return tuple(_template(key, language) for language in LANGUAGES)


def _template(key: str, language: str) -> str:
    return _catalogue(language).pgettext(key, ENGLISH[key])


@cache
def _catalogue(language: str) -> NullTranslations:
    """A language's translations; for English and for all others one that hands back what it is asked for."""
    known = [language] if language in LANGUAGES else []
    return translation(DOMAIN, LOCALES, known, fallback=True)  # 0.3 ms a language
