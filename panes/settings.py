"""What the settings screen shows: the settings and the keys as items of a table, and what is said of each in full."""

from __future__ import annotations

from collections.abc import Mapping

from panes.keymap import Key, name, table
from panes.rows import Pen, Row
from panes.widgets.table import Item
from panes.wrapping import pad
from workstation.config import Config
from workstation.settings import MODEL_ROLES, SETTINGS, Setting, Value

EFFECTS = {
    "now": "A change is heeded at once.",
    "next run": "A change is heeded from the next run or ingest on.",
    "next start": "A change is heeded when flori is started again.",
}
ORIGINS = {"option": "option", "environment": "environment", "file": "your file", "default": "default"}


def setting_items(config: Config) -> list[Item]:
    """A row for each setting: name, value, where the value comes from."""
    return [
        Item(s.key, (s.key, in_words(s, config[s.key]), ORIGINS[config.values[s.key].origin]), "") for s in SETTINGS
    ]


def key_items(own: Mapping[str, str]) -> list[Item]:
    """A row for each action: its name, its keys with what it does, whether the keys are the person's own."""
    return [
        Item(k.name, (k.name, f"{pad(_names(k), 14)} {k.help}", "your file" if k.name in own else "default"))
        for k in table()
    ]


def in_words(setting: Setting, value: Value) -> str:
    if setting.kind == "switch":
        return "yes" if value else "no"
    if setting.key == "memory_mb" and not value:
        return "0 (half of this machine's)"
    if setting.key in MODEL_ROLES and not value:
        return "(the default model for it)"
    return str(value) or "(none)"


def about_setting(setting: Setting, config: Config) -> list[Row]:
    """The value in full, what it is for, what can be chosen, when a change is heeded, and what overrides it."""
    resolved = config.values[setting.key]
    rows = [
        Pen().put(f"{setting.key} = ", "strong").put(in_words(setting, resolved.value)).row(hang=2),
        Pen().put(f"{setting.help[:1].upper()}{setting.help[1:]}. {EFFECTS[setting.effect]}").row(),
    ]
    if over := overridden(setting, config):
        rows.append(Pen().put("! ", "warn").put(over).row(hang=2))
    if setting.choices:
        rows.append(Pen().put("One of: ", "dim").put(", ".join(setting.choices), "dim").row(hang=2))
    return rows


def overridden(setting: Setting, config: Config) -> str:
    """What stands over the file for this setting; empty when nothing does."""
    match config.values[setting.key].origin:
        case "environment":
            return f"The environment variable {setting.variable} goes before the file, for as long as it is set."
        case "option":
            return f"flori was started with --{setting.key}: that goes before the file until it is started without."
    return ""


def about_key(key: Key, own: Mapping[str, str]) -> list[Row]:
    """What an action does and how its key is written in the file."""
    keys = own.get(key.name, key.keys)
    return [
        Pen().put(f"{key.name}: ", "strong").put(_names(key)).row(hang=2),
        Pen().put(f"{key.help}.").row(),
        Pen().put("In config.toml, below [keys]: ", "dim").put(f'"{key.name}" = "{keys}"', "code").row(hang=2),
    ]


def _names(key: Key) -> str:
    return ", ".join(name(one) for one in key.keys.split(","))
