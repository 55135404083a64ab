"""`flori config`: the settings, where each value comes from, and how to change one."""

from __future__ import annotations

from typing import Any

from workstation.config import store
from workstation.errors import BadInput, BadSetting, Exit
from workstation.keys import check_keys
from workstation.options import Options
from workstation.output import emit, say, table
from workstation.settings import BY_KEY, MODEL_ROLES, SETTINGS, Setting, Value


class UnknownSetting(BadInput):
    title = "There is no such setting"
    hint = "Run: flori config"


def run(options: Options, key: str | None, value: str | None, unset: bool) -> int:
    """Shows all settings, shows one with its choices, or changes one."""
    if key is None:
        return _all(options)
    setting = BY_KEY.get(key)
    if setting is None:
        raise UnknownSetting(f"{key}; settings: {', '.join(BY_KEY)}")
    if unset or value is not None:
        return _change(options, setting, None if unset else value)
    return _one(options, setting)


def _all(options: Options) -> int:
    check_keys(options.config)
    settings = [_described(options, setting) for setting in SETTINGS]
    if options.json:
        emit({"file": str(options.config.file), "settings": settings, "keys": dict(options.config.keys)})
        return Exit.DONE
    say(
        table(
            ("setting", "value", "from", "what it is"),
            [(s["key"], _shown(s["value"]), s["from"], s["help"]) for s in settings],
        )
    )
    for action, keys in options.config.keys.items():
        say(f"key of {action}: {keys}")
    say(f"\nFile: {options.config.file}   Change one with: flori config SETTING VALUE")
    return Exit.DONE


def _one(options: Options, setting: Setting) -> int:
    described = _described(options, setting) | {"choices": _choices(options, setting)}
    if options.json:
        emit(described)
        return Exit.DONE
    say(f"{setting.key} = {_shown(described['value'])}   (from {described['from']}; {setting.help})")
    for choice in described["choices"]:
        say(f"  flori config {setting.key} {choice}")
    if setting.key == "embedder":
        say("A library keeps the embedder that it was made with; the choice is for new ones.")
    return Exit.DONE


def _change(options: Options, setting: Setting, raw: str | None) -> int:
    value: Value | None = None
    if raw is not None:
        try:
            value = setting.read(raw)
        except ValueError as error:
            raise BadSetting(f"{setting.key} = {raw!r}: {error}") from error
        if setting.key in MODEL_ROLES and value not in (installed := _choices(options, setting)):
            raise BadSetting(f"{setting.key} = {raw!r}: choose one of: {', '.join(installed) or '(none is installed)'}")
    file = store(setting.key, value)
    if options.json:
        emit({"key": setting.key, "value": value, "file": str(file)})
    else:
        say(f"{setting.key} is {'back to its default' if value is None else f'{value}'}   ({file})")
    return Exit.DONE


def _described(options: Options, setting: Setting) -> dict[str, Any]:
    resolved = options.config.values[setting.key]
    shown = resolved.value
    if setting.key in MODEL_ROLES and not shown:
        shown = _default_model(options, setting.key)
    return {"key": setting.key, "value": shown, "from": resolved.origin, "help": setting.help}


def _shown(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value) or "(none)"


def _default_model(options: Options, role: str) -> str:
    """The model that the registry gives to a role when nothing is configured."""
    from local_models.registry import Registry

    entry = Registry(options.models).pick(role)
    return entry.id if entry else ""


def _choices(options: Options, setting: Setting) -> list[str]:
    """The values that a setting can take, where they can be listed."""
    if setting.key not in MODEL_ROLES:
        return list(setting.choices)
    from local_models.registry import Registry

    return [entry.id for entry in Registry(options.models).entries(setting.key)]
