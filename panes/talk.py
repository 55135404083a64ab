"""What was said between the user and a run about its plan, as far as a screen shows it: a fold of the run's events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from workstation.memory import events as e
from workstation.memory.events import Event, SubQuestion

HEARD = frozenset({e.CommandTaken, e.Warned, e.PlanProposed, e.PlanApproved, e.PlanExtended, e.StageEntered})
"""Events that can be a part of it: few among the thousands of a long run."""


@dataclass(frozen=True, slots=True)
class Talk:
    """`change`: what the plan was changed by last, in the user's words; `before`: the plan before that. `objection`:
    why the run did not do what it was told last; `settled`: earlier ones. `told`: whether a command was the last that
    happened."""

    change: str = ""
    plan: tuple[SubQuestion, ...] = ()
    before: tuple[SubQuestion, ...] = ()
    objection: str = ""
    settled: frozenset[str] = frozenset()
    told: bool = False

    def hear(self, event: Event) -> Talk:
        """The talk after `event`."""
        if type(event) not in HEARD and not self.told:
            return self
        match event:
            case e.CommandTaken():
                return self._settle(told=True)
            case e.Warned() if self.told:
                return replace(self, objection=event.text)
            case e.PlanProposed():
                before = self.plan if event.change else ()
                return replace(self._settle(), change=event.change, plan=event.items, before=before)
            case e.PlanApproved() | e.PlanExtended() | e.StageEntered():
                return self._settle()
            case e.BriefWritten():  # a part of what a change does: its objection may follow
                return self
            case _:
                return replace(self, told=False) if self.told else self

    def _settle(self, *, told: bool = False) -> Talk:
        settled = self.settled | {self.objection} if self.objection else self.settled
        return replace(self, objection="", settled=settled, told=told)


SILENCE = Talk()


@dataclass(frozen=True, slots=True)
class Difference:
    """What a change did to a plan: "new" or "changed" by a line's id, and the lines that are gone."""

    words: dict[str, str]
    gone: tuple[SubQuestion, ...]


def difference(before: Sequence[SubQuestion], after: Sequence[SubQuestion]) -> Difference:
    """A line that took the place of another one is a changed one, whatever its id; one that only moved is neither."""
    old, kept = {item.id: item for item in before}, {item.id for item in after}
    words = {item.id: "changed" for item in after if item.id in old and item != old[item.id]}
    gone: list[SubQuestion] = []
    order = SequenceMatcher(None, [item.id for item in before], [item.id for item in after], autojunk=False)
    for _, first, last, start, end in order.get_opcodes():
        left = [item for item in before[first:last] if item.id not in kept]
        came = [item.id for item in after[start:end] if item.id not in old]
        words |= {id: "changed" if at < len(left) else "new" for at, id in enumerate(came)}
        gone += left[len(came) :]
    return Difference(words, tuple(gone))
