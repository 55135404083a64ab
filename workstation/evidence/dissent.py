"""Does a sentence speak against something? Cue words of contrast, doubt and denial, in several languages.

A cue is a hint that decides whether a quote is shown under the counter-question; it asserts nothing by itself.
"""

from __future__ import annotations

import re

CUES = {
    "en": "however although though despite contrary dispute[ds]? disagree\\w* controvers\\w+ contradict\\w* "
    "contest\\w* critic\\w+ denie[sd] not never no\\slonger wrong\\w* incorrect\\w* but rather\\sthan "
    "unlike myth doubt\\w* outdated superseded",
    "de": "jedoch aber obwohl trotz umstritten widers\\w+ bestritten nicht niemals falsch zweifel\\w* "
    "kritik\\w* kein\\w*",
    "fr": "cependant mais bien\\sque malgré contest\\w+ controvers\\w+ contredi\\w+ pas jamais faux doute\\w* "
    "critiqu\\w+",
    "es": "sin\\sembargo pero aunque a\\spesar polémic\\w+ controver\\w+ contradic\\w+ no nunca falso duda\\w* "
    "crític\\w+",
    "ru": "однако но хотя несмотря спорн\\w+ противореч\\w+ не никогда неверн\\w+ сомн\\w+ критик\\w+",
}
CUE = re.compile(
    r"\b(?:" + "|".join("|".join(words.split()) for words in CUES.values()) + r")\b|但|然而|不|しかし|ではない",
    re.IGNORECASE,
)


def dissents(sentence: str) -> bool:
    """True when the sentence carries a cue of contrast, doubt or denial."""
    return CUE.search(sentence) is not None
