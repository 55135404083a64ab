"""Settings with their origins: the command line over the environment over config.toml over the default."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workstation.errors import BadFile, BadSetting, BadVariable
from workstation.paths import config_file, private_folder
from workstation.settings import BY_KEY, MODEL_ROLES, SETTINGS, Setting, Value

Document = MutableMapping[str, Any]
KEYS = "keys"
"""The table of config.toml in which actions of the workstation get other keys."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A value and where it came from: option | environment | file | default."""

    value: Value
    origin: str


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, resolved. `file` is where config.toml is or would be."""

    file: Path
    values: Mapping[str, Resolved]
    keys: Mapping[str, str] = field(default_factory=dict)
    """The person's own keys: name of the action ("research.enough") to Textual's names of keys, with commas. What they
    mean is checked by `workstation.keys`."""

    @classmethod
    def load(cls, given: Mapping[str, object] | None = None) -> Config:
        """Raises BadSetting naming the place and the setting."""
        file = config_file()
        stored = read_file(file)
        values = {setting.key: _resolve(setting, given or {}, stored, file) for setting in SETTINGS}
        return cls(file, values, _keys(stored.get(KEYS, {}), file))

    def again(self) -> Config:
        """What the file and the environment say by this time; what was given as an option stays. Raises BadSetting."""
        return Config.load({key: each.value for key, each in self.values.items() if each.origin == "option"})

    def __getitem__(self, key: str) -> Value:
        return self.values[key].value

    def folder(self, key: str) -> Path:
        """A folder setting as an absolute path."""
        return Path(str(self[key])).absolute()

    def choices(self) -> dict[str, str]:
        """The model that the user chose for each role; a role that is left to the registry is absent."""
        return {role: str(self[role]) for role in MODEL_ROLES if self[role]}

    def memory_budget(self) -> int:
        """Bytes that open models may take together."""
        if megabytes := int(self["memory_mb"]):
            return megabytes * 2**20
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def _resolve(setting: Setting, given: Mapping[str, object], stored: Mapping[str, object], file: Path) -> Resolved:
    layers = (
        ("option", given, setting.key),
        ("environment", os.environ, setting.variable),
        ("file", stored, setting.key),
    )
    for origin, layer, name in layers:
        raw = layer.get(name)
        if raw is None or (origin == "environment" and raw == ""):
            continue
        try:
            return Resolved(setting.read(raw), origin)
        except ValueError as error:
            where = {"option": f"--{setting.key}", "environment": setting.variable, "file": f"{file}: {name}"}[origin]
            bad = {"option": BadSetting, "environment": BadVariable, "file": BadFile}[origin]
            raise bad(f"{where} = {raw!r}: {error}") from error
    return Resolved(setting.default(), "default")


def read_file(file: Path) -> dict[str, object]:
    """What config.toml says; nothing when there is none. Raises BadSetting for broken TOML and unknown names."""
    try:
        stored = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadFile(f"{file} is not valid TOML: {error}") from error
    for key in stored:
        if key not in BY_KEY and key != KEYS:
            raise BadFile(f"{file}: there is no setting {key!r}")
    return stored


def _keys(table: object, file: Path) -> dict[str, str]:
    """The table of keys, flat: `"research.enough" = "E"`, `research.enough = "E"` and `[keys.research]` are one."""
    if not isinstance(table, dict):
        raise BadFile(f"{file}: {KEYS} must be a table: [{KEYS}]")
    found: dict[str, str] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            found |= {f"{name}.{rest}": keys for rest, keys in _keys(value, file).items()}
        elif isinstance(value, str):
            found[name] = value
        else:
            raise BadFile(f"{file}: [{KEYS}] {name} = {value!r}: the name of a key is needed, in quotes")
    return found


def store(key: str, value: Value | None) -> Path:
    """Writes one setting to config.toml (None: back to the default), keeping the rest and its comments."""

    def change(document: Document) -> None:
        if value is None:
            document.pop(key, None)
        else:
            document[key] = value

    return _write(change)


def keep_theme(name: str) -> None:
    """Writes the theme, unless it is the one that is configured."""
    if Config.load()["theme"] != name:
        store("theme", name)


def store_key(action: str, keys: str | None) -> Path:
    """Writes the keys of one action to the table of keys (None: back to its own), however they stood there."""

    def change(document: Document) -> None:
        table = document.setdefault(KEYS, {})
        scope, _, name = action.partition(".")
        table.pop(action, None)
        if isinstance(inner := table.get(scope), dict):
            inner.pop(name, None)
        if keys is not None:
            table[action] = keys
        if not table:
            document.pop(KEYS)

    return _write(change)


def _write(change: Callable[[Document], None]) -> Path:
    import tomlkit

    file = config_file()
    document = tomlkit.parse(file.read_text(encoding="utf-8")) if file.exists() else tomlkit.document()
    change(document)
    private_folder(file.parent)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    draft.write_text(tomlkit.dumps(document), encoding="utf-8")
    draft.replace(file)
    return file
