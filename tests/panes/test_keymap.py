"""The table of keys: short, sendable by every terminal, and without two meanings for one key."""

from __future__ import annotations

from typing import get_args

import pytest

from panes.keymap import IN_FOOTER, KEYS, Scope, footer, of

CHAINS: tuple[tuple[Scope, ...], ...] = (
    ("list", "home", "app"),
    ("list", "research", "talk", "app"),
    ("report", "research", "talk", "app"),
    ("list", "sources", "research", "talk", "app"),
    ("text", "reader", "app"),
    ("entry", "app"),
    ("list", "uses", "app"),
    ("text", "page", "app"),
    ("list", "runs", "app"),
    ("list", "library", "app"),
)
# flow control, interrupt, suspend, end of input, and the prefixes of tmux and screen
SWALLOWED = {f"ctrl+{key}" for key in "sczdbahjim"} | {"ctrl+enter", "shift+enter", "f10", "f11"}


@pytest.mark.parametrize("chain", CHAINS)
def test_no_key_has_two_meanings_in_one_place(chain: tuple[Scope, ...]) -> None:
    keys = [name for key in of(*chain) for name in key.keys.split(",")]
    assert sorted({name for name in keys if keys.count(name) > 1}) == []


@pytest.mark.parametrize("chain", [*CHAINS, ("ask", "app"), ("ask", "talk", "app")])
def test_the_key_line_fits_eighty_columns_and_ends_with_help(chain: tuple[Scope, ...]) -> None:
    keys = footer(*chain, without=frozenset({"ask_older"} if "talk" in chain else ()))
    assert len(keys) <= IN_FOOTER
    assert keys[-1].id == "help"
    assert sum(len(key.shown) + len(key.label) + 4 for key in keys) - 3 <= 78


def test_every_action_has_a_key_that_terminals_send() -> None:
    for key in KEYS:
        assert set(key.keys.split(",")) - SWALLOWED, key.id


def test_every_scope_is_used_and_every_id_is_its_own() -> None:
    assert {key.scope for key in KEYS} | {"evidence"} == set(get_args(Scope))
    assert len({(key.scope, key.id) for key in KEYS}) == len(KEYS)
