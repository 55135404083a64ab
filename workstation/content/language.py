"""Which language a document or a question is in.

Script and function words settle most texts at once; the classifier (py3langid, 1.2 s to load, 0.1 ms a text) is asked for
the rest.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from typing import Any

UNKNOWN = "und"

_SAMPLE = 4000  # characters; more changes no answer
_SHORT = 60  # letters; below, the classifier's first choice is right for 89-99 % of XQuAD questions, votes are better
_LEAST = 4  # letters of an alphabet; "NFL" is in no language
_TERSE = 16  # letters; below, without one function word, the classifier guesses ("hello" is Finnish to it)

_SCRIPTS: tuple[tuple[str, str], ...] = (
    ("HIRAGANA", "ja"),
    ("KATAKANA", "ja"),
    ("HANGUL", "ko"),
    ("CJK", "zh"),
    ("THAI", "th"),
    ("LAO", "lo"),
    ("KHMER", "km"),
    ("MYANMAR", "my"),
    ("GREEK", "el"),
    ("HEBREW", "he"),
    ("ARMENIAN", "hy"),
    ("GEORGIAN", "ka"),
    ("DEVANAGARI", "hi"),
    ("BENGALI", "bn"),
    ("GURMUKHI", "pa"),
    ("GUJARATI", "gu"),
    ("TAMIL", "ta"),
    ("TELUGU", "te"),
    ("KANNADA", "kn"),
    ("MALAYALAM", "ml"),
    ("SINHALA", "si"),
    ("ETHIOPIC", "am"),
    ("ARABIC", "ar"),
    ("CYRILLIC", "ru"),
    ("LATIN", ""),
)
# Scripts that several widely read languages share: the classifier decides, and the script's first language stands in
# when it answers in another script. Its labels for varieties are folded into the written language.
_SHARED = {"ar": ("ar", "fa", "ur", "ps", "ug", "ku"), "ru": ("ru", "uk", "be", "bg", "sr", "mk", "kk", "ky", "mn", "tg", "tt")}
_SHARED_HINDI = ("hi", "mr", "ne", "sa")
_VARIETY = {"arz": "ar", "ary": "ar", "wuu": "zh", "yue": "zh", "nn": "no", "uzs": "uz", "sdh": "ku", "grc": "el", "hbo": "he"}

# Function words by language: those that questions and headings are made of. A word that two languages share counts for both.
_WORDS = {
    "en": "the of and is was are were what who when where which why how did does do in on to by for from with many much",
    "de": "der die das und ist war sind wer was wann wo welche welcher welches warum wie hat wurde in von zu mit für im den dem ein eine",
    "fr": "le la les et est était qui que quoi quand où quel quelle quels pourquoi comment de du des dans par pour avec un une à",
    "es": "el la los las y es fue qué quién quiénes cuándo dónde cuál cuáles por cómo cuánto cuántos de del en con para un una se",
    "it": "il lo la gli e è era chi che cosa quando dove quale quali perché come di del della nel con per un una ha",
    "pt": "o a os as e é foi quem que quando onde qual quais porque como de do da no na em com para um uma",
    "nl": "de het een en is was zijn wie wat wanneer waar welke waarom hoe van in op met voor door heeft werd",
    "sv": "och är var vem vad när vilken vilka varför hur av i på med för den det ett en har",
    "da": "og er var hvem hvad hvornår hvor hvilken hvilke hvorfor hvordan af i på med for den det et en har",
    "no": "og er var hvem hva når hvor hvilken hvilke hvorfor hvordan av i på med for den det et en har",
    "pl": "i jest był kto co kiedy gdzie który która które dlaczego jak z na do w od przez się nie",
    "cs": "a je byl kdo co kdy kde který která které proč jak z na do v od se není",
    "ro": "și este a fost cine ce când unde care de ce cum în din la cu pentru un o câte cât",
    "tr": "ve bir kim ne zaman nerede hangi neden nasıl kaç için ile bu mi mı olarak nedir",
    "vi": "là và của ai gì khi nào ở đâu tại sao như thế các những một trong có được đã",
    "hu": "a az és ki mi mikor hol melyik miért hogyan volt egy nem",
    "fi": "ja on oli kuka mikä milloin missä miksi miten kuinka ei se",
    "id": "dan yang adalah siapa apa kapan di mana mengapa bagaimana dari untuk dengan ini itu",
    "ru": "и в на кто что когда где какой какая какие какое почему как сколько был была было были это из для не с по чем кого",
    "uk": "і й у в на хто що коли де який яка які чому як скільки був була це з для не та",
    "bg": "и в на кой коя кое кои какво кога къде защо как колко беше е са от за не се",
    "fa": "و در به از که چه کسی چرا چگونه است بود این را با چند کدام",
    "ur": "اور میں کا کی کے کیا کون کب کہاں ہے تھا سے کو نے",
    "ar": "في من على ما متى أين كيف لماذا هو هي هل كم التي الذي إلى عن كان كانت",
    "hi": "है में का की के क्या कौन कब कहाँ क्यों कैसे था थे और से को ने किस कितने",
    "mr": "आहे आणि काय कोण कधी कुठे का कसे होते या ची चा",
    "ne": "छ र को मा के कसले कहिले कहाँ किन थियो हो ले",
}  # fmt: skip
# Letters (and marks) that few of these languages use.
_LETTERS = {
    "¿": "es", "¡": "es", "ñ": "es", "ß": "de", "ä": "de fi sv", "ö": "de fi sv hu tr", "ü": "de hu tr", "ã": "pt", "õ": "pt",
    "ç": "fr pt tr", "ê": "fr pt vi", "è": "fr it", "ù": "fr it", "ì": "it", "å": "sv da no", "ø": "da no", "æ": "da no",
    "ł": "pl", "ą": "pl", "ę": "pl", "ż": "pl", "ś": "pl", "ř": "cs", "ě": "cs", "ů": "cs", "č": "cs", "ț": "ro", "ș": "ro",
    "ţ": "ro", "ă": "ro vi", "ı": "tr", "ğ": "tr", "ş": "tr ro", "ő": "hu", "ű": "hu", "đ": "vi", "ư": "vi", "ơ": "vi",
    "ы": "ru", "э": "ru", "ё": "ru", "і": "uk", "ї": "uk", "є": "uk", "ъ": "bg", "پ": "fa ur", "چ": "fa ur", "گ": "fa ur",
    "ژ": "fa", "ٹ": "ur", "ڈ": "ur", "ے": "ur", "ہ": "ur", "ة": "ar", "ى": "ar", "إ": "ar", "أ": "ar", "ळ": "mr",
}  # fmt: skip
_VOTES: dict[str, tuple[str, ...]] = {}
for _language, _list in _WORDS.items():
    for _word in _list.split():
        _VOTES[_word] = (*_VOTES.get(_word, ()), _language)
for _word, _list in _LETTERS.items():
    _VOTES[_word] = (*_VOTES.get(_word, ()), *_list.split())
# Among short texts the languages with few readers are nearly always mistakes.
_COMMON = frozenset(_WORDS) | {"ja", "ko", "zh", "th", "el", "he", "sk", "hr", "sr", "sl", "et", "lt", "lv", "ca", "bn", "ta", "te", "sw"}  # fmt: skip

_MARGIN = 1.5  # by how much the first must lead the second

_WORD = re.compile(r"[^\s\d!-&(-/:-@\[-`{-~।॥؟،؛“”„«»…]+")


def detect(text: str, hint: str | None = None) -> str:
    """Two-letter code (ISO 639-1) of the language of `text`, or "und" when there is too little to tell.

    `hint` is what the document says of itself: it decides for short texts and is ignored when the script contradicts it.
    """
    sample = text[:_SAMPLE]
    scripts = _scripts(sample)
    letters = sum(scripts.values())
    if not letters:
        return UNKNOWN
    script = _dominant(scripts)
    if script in ("ar", "ru", "hi", ""):
        return _shared(sample, script, letters, hint)
    return script


def _scripts(sample: str) -> Counter[str]:
    return Counter(script for character, count in Counter(sample).items() for script in [_script(character)] * count if script is not None)


@cache
def _script(character: str) -> str | None:
    """The language that stands for the character's script ("" is Latin), or None for what is no letter."""
    if not character.isalpha():
        return None
    name = unicodedata.name(character, "")
    return next((language for prefix, language in _SCRIPTS if name.startswith(prefix)), None)


def _dominant(scripts: Counter[str]) -> str:
    """Han letters count double against alphabets (a word is one or two of them); kana decide between ja and zh."""
    weights = Counter({script: count * (2 if script in ("zh", "ja", "ko") else 1) for script, count in scripts.items()})
    if weights["ja"] * 10 > weights["zh"] and weights["ja"]:
        weights["ja"] += weights.pop("zh", 0)
    return weights.most_common(1)[0][0]


def _shared(sample: str, script: str, letters: int, hint: str | None) -> str:
    family = _SHARED_HINDI if script == "hi" else _SHARED.get(script)
    if hint and letters < _SHORT and (family is None or hint in family):
        return hint
    if letters < _LEAST:
        return script or UNKNOWN
    if letters < _SHORT and (voted := _vote(sample, family)):
        return voted
    if letters < _TERSE:
        return script or UNKNOWN
    ranked = _ranked(sample)
    if family:
        return next((language for language in ranked[:3] if language in family), script)
    if letters < _SHORT:
        ranked = [language for language in ranked[:8] if language in _COMMON] or ranked
    return ranked[0] if ranked else UNKNOWN


def _vote(sample: str, family: tuple[str, ...] | None) -> str | None:
    """The language with clearly the most function words and letters of its own, each weighted by how few share it."""
    votes: Counter[str] = Counter()
    lower = sample.lower()
    for clue in (*_WORD.findall(lower), *(set(lower) & _LETTERS.keys())):
        languages = _VOTES.get(clue.strip("'’¿¡"), ()) or _VOTES.get(clue, ())
        for language in languages:
            if family is None or language in family:
                votes[language] += 12 // len(languages)
    first, second = [*votes.most_common(2), ("", 0), ("", 0)][:2]
    return first[0] if first[1] > _MARGIN * second[1] else None


def _ranked(sample: str) -> list[str]:
    """Two-letter codes, likeliest first; nothing when the classifier finds no feature in the text."""
    rank = _classifier().rank(sample)
    if len(rank) > 1 and rank[0][1] == rank[1][1]:
        return []
    return [code for label, _ in rank[:12] if len(code := _VARIETY.get(label, label)) == 2]


@cache
def _classifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # 0.3 s to import, 0.9 s to load, 50 MB

    return LanguageIdentifier.from_model_file(MODEL_FILE)
