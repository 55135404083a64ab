"""Words that carry no content, and words that deny or turn a statement round, by language; others do without."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_FUNCTION = {
    "en": """a about after all also among an and any are as at be been before being between both but by can could did do
    does during each for from had has have he her him his how i if in into is it its many may might more most
    much must my of on or other our over shall she should so some such than that the their them then there these
    they this those to under us very was we were what when where which who whom whose will with would you your""",
    "de": """aber als am an auch auf aus bei bis da das dass dem den der des die dies diese dieser durch ein eine einem
    einen einer er es für haben hat hatte ich ihr im in ist mit nach noch nur oder sein sich sie sind so über um
    und unter vom von vor war waren was wer werden wie wird wurde wurden zu zum zur""",
    "fr": """a au aux avec ce ces cette dans de des du d elle en est et été était il ils la le les leur l lui mais même
    on ont ou où par pas plus pour qu que qui sa sans se ses son sont sur un une y""",
    "es": """a al como con de del el ella en entre era es esta este fue ha han la las lo los más o para pero por que se
    según ser si sin sobre son su sus también un una y ya""",
    "it": """a ad al alla anche che ci come con da dal dei del della delle di e è ed era fu gli ha hanno i il in la le
    lo ma nel nella non o per più si sono su sul tra un una uno""",
    "pt": """a ao as com como da das de do dos e em entre era é foi há mais mas na nas no nos o os ou para pela pelo por
    que se ser seu seus sua são também um uma""",
    "ru": """а без бы был была были было в во вы для до его ее её же за и из или их к как ко на не но о об он она они от
    по при с со так также то у что это этот""",
}
_DENIAL = {
    "en": r"no|not|never|none|neither|nor|without|cannot|lack\w*|fail\w*|absence|absent|unable|unlikely|unrelated|"
    r"unaffected|nothing|hardly|independent|insufficient|\w+n['’]t",
    "de": r"nicht|kein\w*|nie|niemals|ohne|weder|nichts|kaum",
    "fr": r"ne|n|jamais|aucun\w*|sans|ni|rien",
    "es": r"no|nunca|jamás|sin|ningún\w*|ni|tampoco",
    "it": r"non|mai|senza|nessun\w*|né",
    "pt": r"não|nunca|jamais|sem|nenhum\w*|nem",
    "ru": r"не|нет|ни|никогда|без|нельзя",
}
_MORE = {
    "en": r"increas\w*|higher|greater|more|enhanc\w*|elevat\w*|improv\w*|promot\w*|activat\w*|induc\w*|stimulat\w*|"
    r"rais\w*|grew|grow\w*|rises?|rising|rose|gain\w*|up-?regulat\w*|strengthen\w*|better|longer|larger|facilitat\w*",
    "de": r"stieg\w*|steig\w*|erhöh\w*|mehr|höher\w*|größer\w*|zunahm\w*|zunehm\w*|wuchs\w*|gewann\w*",
    "fr": r"augment\w*|accru\w*|hausse|supérieur\w*|amélior\w*",
    "es": r"aument\w*|mayor\w*|mejor\w*|crec\w*",
}
_LESS = {
    "en": r"decreas\w*|lower\w*|less|fewer|reduc\w*|diminish\w*|impair\w*|worse\w*|inhibit\w*|suppress\w*|prevent\w*|"
    r"block\w*|declin\w*|falls?|falling|fell|drop\w*|los[est]\w*|down-?regulat\w*|weak\w*|shorter|smaller|protect\w*",
    "de": r"sank\w*|sinkt?|sinken|gesunken|fiel\w*|weniger|niedriger\w*|kleiner\w*|abnahm\w*|abnehm\w*|verlor\w*",
    "fr": r"dimin\w*|rédui\w*|baiss\w*|inférieur\w*",
    "es": r"dismin\w*|redu[cj]\w*|menor\w*|baj[aóo]\w*|peor\w*",
}
_UNSPACED_DENIAL = {"zh": re.compile("不|没|沒|未|无|無|非"), "ja": re.compile("ない|なく|ません|ず")}
_NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Words:
    """function: words without content; the patterns find a denial, and words for more and for less."""

    function: frozenset[str]
    denial: re.Pattern[str]
    more: re.Pattern[str]
    less: re.Pattern[str]


@cache
def words_of(language: str) -> Words:
    denial = _UNSPACED_DENIAL.get(language) or _any(_DENIAL.get(language))
    function = frozenset(_FUNCTION.get(language, "").split())
    return Words(function, denial, _any(_MORE.get(language)), _any(_LESS.get(language)))


def _any(alternatives: str | None) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE) if alternatives else _NEVER
