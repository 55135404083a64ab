"""What the screens can reach: one value that the application makes and hands to each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from panes.asking import Asking
from panes.commanding import Commands
from panes.keeping import Keeper
from panes.ports import Engine, Lookups, Options


@dataclass(frozen=True, slots=True)
class Doors:
    """The options, the engine, the look-ups (made when they are first needed: not before the first frame), and what
    the next question will become. `keeper`: what is being read into the library, and changes of it; `commands`: those
    of the program, each a process of its own."""

    options: Options
    engine: Engine
    lookups: Callable[[], Lookups]
    asking: Asking
    keeper: Keeper
    commands: Commands
