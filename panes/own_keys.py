"""The person's own keys: what `[keys]` of config.toml says, checked against the table.

    [keys]
    "research.enough" = "E"
    "app.help" = "f1, ctrl+g"

The settings screen lists the names of all actions.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from pathlib import Path

from textual.keys import Keys, _character_to_key

from panes.keymap import KEYS, TOGETHER, Key, name
from workstation.config import Config
from workstation.errors import BadSetting

SWALLOWED = {
    **dict.fromkeys(("ctrl+s", "ctrl+q"), "terminals stop and start their output with it"),
    "ctrl+c": "it interrupts",
    "ctrl+z": "it suspends",
    "ctrl+d": "it ends the input",
    "ctrl+a": "it is the prefix of screen",
    "ctrl+b": "it is the prefix of tmux",
    "ctrl+h": "terminals send it for Backspace",
    "ctrl+i": "terminals send it for Tab",
    **dict.fromkeys(("ctrl+j", "ctrl+m"), "terminals send it for Enter"),
    **dict.fromkeys(("ctrl+enter", "shift+enter", "alt+enter"), "terminals send Enter alone, or keep it"),
    **dict.fromkeys(("f10", "f11"), "desktop terminals keep it"),
}
"""Keys that do not arrive everywhere, and why."""
ALIASES = {
    "esc": "escape",
    "return": "enter",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "del": "delete",
    "ins": "insert",
    "spacebar": "space",
}
NAMED = {key.value for key in Keys if "+" not in key.value and not key.value.startswith("<")} | {"space"}
SIGNS = {_character_to_key(sign) for sign in string.punctuation}
MODIFIERS = ("ctrl", "alt", "shift")


class BadKey(BadSetting):
    title = "A key cannot be used"
    hint = "Change that line, or take it out"


class NotAKey(ValueError):
    """Says in words why something cannot be the key of an action."""


def own_keys(config: Config) -> dict[str, str]:
    """The person's keys by name of the action, in Textual's words. Raises BadKey naming the line."""
    found: dict[str, str] = {}
    for action, words in config.keys.items():
        try:
            found[action] = read(action, words)
        except NotAKey as error:
            raise _bad(config, action, str(error)) from error
    for action in found:
        if other := clash(action, found):
            why = f"{name(other[0])} is the key of {other[1].name} ({other[1].help}) at the same time"
            raise _bad(config, action, why)
    return found


def read(action: str, words: str) -> str:
    """The keys in `words`, with commas, as Textual calls them. Raises NotAKey."""
    key = next((key for key in KEYS if key.name == action), None)
    if key is None:
        raise NotAKey("there is no such action; the settings screen of flori lists them")
    named = [_key(word) for word in words.split(",") if word.strip()] or [_key(words)]
    for one in named:
        if one in SWALLOWED:
            raise NotAKey(f"{name(one)} does not arrive from every terminal: {SWALLOWED[one]}")
        if key.scope in ("ask", "entry") and (len(one) == 1 or one in SIGNS or one == "space"):
            raise NotAKey(f"{name(one)} is text there; a key with Ctrl or a function key is needed")
    return ",".join(named)


def clash(action: str, own: Mapping[str, str]) -> tuple[str, Key] | None:
    """A key of `action` that means another thing at the same time, with `own` keys in the table, and what it means."""
    table = {key.name: (key, own.get(key.name, key.keys).split(",")) for key in KEYS}
    key, keys = table[action]
    for chain in TOGETHER:
        if key.scope in chain:
            for other, taken in table.values():
                both = set(keys) & set(taken)
                if both and other is not key and other.scope in chain:
                    return min(both), other
    return None


def _key(word: str) -> str:
    """One key in Textual's words: "Ctrl+G" is ctrl+g, "?" is question_mark, "Shift+e" is E."""
    word = word.strip()
    if not word:
        raise NotAKey("the name of a key is needed, as in E, f9, ctrl+g, slash")
    parts = word.split("+") if len(word) > 1 else [word]
    modifiers, base = [modifier.lower() for modifier in parts[:-1]], parts[-1]
    if not base:
        raise NotAKey(f"there is no key {word!r}; the sign itself is called plus")
    if len(base) == 1 and not base.isalnum():
        base = _character_to_key(base)
    elif len(base) > 1:
        base = ALIASES.get(base.lower(), base.lower())
    elif modifiers == ["shift"] and base.isalpha():
        modifiers, base = [], base.upper()
    elif modifiers:
        base = base.lower()
    known = len(base) == 1 or base in NAMED or base in SIGNS
    if not known or not set(modifiers) <= set(MODIFIERS):
        raise NotAKey(f"there is no key {word!r}; keys are called E, f9, ctrl+g, slash, pageup, ...")
    return "+".join((*sorted(modifiers, key=MODIFIERS.index), base))


def _bad(config: Config, action: str, why: str) -> BadKey:
    return BadKey(f"{config.file}{_line(config.file, action)}: [keys] {action} = {config.keys[action]!r}: {why}")


def _line(file: Path, action: str) -> str:
    """ ", line 7": where the action stands in the file; empty when it is not found."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    short = action.partition(".")[2]
    for wanted in (action, short):
        pattern = re.compile(rf"""\s*["']?{re.escape(wanted)}["']?\s*=""")
        for number, line in enumerate(lines, 1):
            if wanted and pattern.match(line):
                return f", line {number}"
    return ""
