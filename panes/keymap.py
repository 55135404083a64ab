"""What is made from the table of keys: bindings, the key line, the keys of a place, with the person's own in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from panes.key import Key as Key
from panes.key import Scope as Scope
from panes.key import name as name
from panes.key_table import KEYS as KEYS
from panes.key_table import TOGETHER as TOGETHER

if TYPE_CHECKING:
    from textual.binding import BindingType

IN_FOOTER = 5
"""More than five do not fit in 80 columns beside their labels."""


_own: dict[str, str] = {}
"""The person's own keys by name of the action, as `use` was given them: one person sits before one screen."""


def use(own: Mapping[str, str]) -> None:
    """From here on the table has these keys, by name of the action (checked before: see `panes.own_keys`)."""
    _own.clear()
    _own.update(own)
    footer.cache_clear()


def table() -> tuple[Key, ...]:
    """The table with the person's own keys in it."""
    return tuple(replace(key, keys=_own[key.name]) if key.name in _own else key for key in KEYS)


def of(*scopes: Scope) -> tuple[Key, ...]:
    """The keys of these scopes, in the order of the table."""
    return tuple(key for key in table() if key.scope in scopes)


def shown(action: str) -> str:
    """The key of an action ("research.approve") as a person would name it, for sentences that say what to press."""
    return next(key.shown for key in table() if key.name == action)


def bindings(*scopes: Scope) -> list[BindingType]:
    """The bindings of these scopes, for a widget's, screen's or app's BINDINGS. Textual puts the person's own keys in
    their places, by the names of the actions (`App.set_keymap`)."""
    from textual.binding import Binding  # not where no screen is drawn

    keys = (key for key in KEYS if key.scope in scopes)
    return [Binding(key.keys, key.action, key.label, show=False, id=key.name) for key in keys]


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
