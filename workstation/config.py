"""Settings with their origins: the command line over the environment over config.toml over the default."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workstation.errors import BadSetting
from workstation.paths import config_file, private_folder
from workstation.settings import BY_KEY, MODEL_ROLES, SETTINGS, Setting, Value


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

    @classmethod
    def load(cls, given: Mapping[str, object] | None = None) -> Config:
        """Raises BadSetting naming the place and the setting."""
        file = config_file()
        stored = read_file(file)
        return cls(file, {setting.key: _resolve(setting, given or {}, stored, file) for setting in SETTINGS})

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
            raise BadSetting(f"{where} = {raw!r}: {error}") from error
    return Resolved(setting.default(), "default")


def read_file(file: Path) -> dict[str, object]:
    """What config.toml says; nothing when there is none. Raises BadSetting for broken TOML and unknown names."""
    try:
        stored = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{file} is not valid TOML: {error}") from error
    for key in stored:
        if key not in BY_KEY:
            raise BadSetting(f"{file}: there is no setting {key!r}")
    return stored


def store(key: str, value: Value | None) -> Path:
    """Writes one setting to config.toml (None: back to the default), keeping the rest and its comments."""
    import tomlkit

    file = config_file()
    document = tomlkit.parse(file.read_text(encoding="utf-8")) if file.exists() else tomlkit.document()
    if value is None:
        document.pop(key, None)
    else:
        document[key] = value
    private_folder(file.parent)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    draft.write_text(tomlkit.dumps(document), encoding="utf-8")
    draft.replace(file)
    return file
