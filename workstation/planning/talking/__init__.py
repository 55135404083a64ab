"""What a person says to a plan, and about the work in a question, understood without a model.

`read` takes a line said to a plan ("make it deep, drop 3 and also cover Moldova"); `separate` takes a question apart
from wishes about the work ("How did the war end? Keep it short."). Both read ten languages by tables of words and by
clauses; nothing is guessed: what is not understood is handed back as written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workstation.memory.events import Depth, Format
from workstation.planning.talking.asides import Asides
from workstation.planning.talking.clauses import Clauses
from workstation.planning.talking.closed import Command, unique
from workstation.planning.talking.spans import Spoken, mask
from workstation.planning.talking.words import SURE, fold, lexicons_for

DEPTHS: dict[str, Depth] = {"quick": "quick", "thorough": "thorough", "deep": "deep"}
FORMATS: dict[str, Format] = {"report": "report", "brief": "brief", "comparison": "comparison"}
SAMPLE = 2000  # characters that tell the language of a line


@dataclass(frozen=True, slots=True)
class Said:
    """What was said to a plan. Topics and new words are as written; lines count from 1.

    `approve` asks for a start ("go", or "ok" where nothing else is asked for). It can stand beside a `rest`, so start
    only what was `understood`.
    """

    depth: Depth | None = None
    format: Format | None = None
    cover: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    drop: tuple[int, ...] = ()
    merge: tuple[tuple[int, ...], ...] = ()
    reword: tuple[tuple[int, str], ...] = ()
    order: tuple[int, ...] = ()
    approve: bool = False
    you_choose: bool = False
    rest: str = ""

    @property
    def understood(self) -> bool:
        """Whether every word was."""
        return not self.rest


@dataclass(frozen=True, slots=True)
class Asked:
    """A question without the wishes that stood in it; "" if there were only wishes."""

    question: str
    depth: Depth | None
    format: Format | None
    leave_out: tuple[str, ...]


def read(text: str, lines: int = 0) -> Said:
    """What a text says to a plan of so many lines ("the last one" is line `lines`). Each line of the text is read in
    the language in which most of it is understood."""
    found: list[tuple[Command, str]] = []
    rests: list[str] = []
    for line in filter(None, (" ".join(line.split()) for line in text.splitlines())):
        commands, unknown = _best(line, lines)
        found += [(command, line[slice(*command.text)]) for command in commands]
        rests += [line[start:end] for start, end in unknown]
    said = replace(_said(found), rest=" ".join(rests if found else text.split()))
    agreed = any(command.kind == "approve" for command, _ in found)
    return replace(said, approve=True) if agreed and replace(said, you_choose=False) == Said() else said


def separate(text: str) -> Asked:
    """The question, and what is said in it about the work. Only clauses of their own with an unmistakable form are
    taken; all else stays word for word, with its white space collapsed."""
    lined = "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines())))
    folded = fold(lined)
    masked = mask(folded)
    spoken = (Asides(Spoken(folded, masked, lexicon)) for lexicon in lexicons_for(folded))
    best = max(spoken, key=lambda asides: asides.length)
    said = _said([(command, lined[slice(*command.text)]) for wish in best.meant for command in wish.commands])
    return Asked(" ".join(best.question(lined).split()), said.depth, said.format, said.leave_out)


def _best(line: str, lines: int) -> tuple[list[Command], list[tuple[int, int]]]:
    """The reading in the language that knows most of the line's words; of several, the one that leaves least over, and
    then the one that takes least as topics."""
    folded = fold(line)
    masked = mask(folded)
    known = [(lexicon.familiarity(folded[:SAMPLE]), lexicon) for lexicon in lexicons_for(folded)]
    most = max(weight for weight, _ in known)
    best: tuple[tuple[int, int], list[Command], list[tuple[int, int]]] | None = None
    for lexicon in (lexicon for weight, lexicon in known if weight == most > 0):
        commands, unknown = Clauses(Spoken(folded, masked, lexicon), lines).read()
        cost = _total(unknown) if commands else len(line), _total([command.text for command in commands])
        best = min(best or (cost, commands, unknown), (cost, commands, unknown), key=lambda reading: reading[0])
    return (best[1], best[2]) if best else ([], [(0, len(line))])


def _total(spans: Sequence[tuple[int, int]]) -> int:
    return sum(end - start for start, end in spans)


def _said(found: Sequence[tuple[Command, str]]) -> Said:
    """All commands together; of two depths or two formats, the last."""
    of: dict[str, list[tuple[Command, str]]] = {}
    for command, text in found:
        of.setdefault(command.kind, []).append((command, " ".join(text.split())))
    kinds = [command.kind for command, _ in reversed(found)]
    return Said(
        depth=next((DEPTHS[kind] for kind in kinds if kind in DEPTHS), None),
        format=next((FORMATS[kind] for kind in kinds if kind in FORMATS), None),
        cover=tuple(text for _, text in of.get("cover", ())),
        leave_out=tuple(text for _, text in of.get("leave_out", ())),
        drop=unique([number for command, _ in of.get("drop", ()) for number in command.numbers]),
        merge=tuple(command.numbers for command, _ in of.get("merge", ())),
        reword=tuple((command.numbers[0], text) for command, text in of.get("reword", ())),
        order=unique([number for command, _ in of.get("order", ()) for number in command.numbers]),
        approve=any(command.level == SURE for command, _ in of.get("approve", ())),
        you_choose="choose" in of,
    )
