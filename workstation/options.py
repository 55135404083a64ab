"""One invocation's options, resolved: what every command, the engine and the workstation are given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workstation.config import Config
from workstation.paths import Places


@dataclass(frozen=True, slots=True)
class Options:
    """Folders are absolute. json: one document on stdout and nothing else. quiet: no progress on stderr."""

    library: Path
    reports: Path
    models: Path
    offline: bool
    json: bool
    quiet: bool
    config: Config

    @property
    def places(self) -> Places:
        return Places(self.library, self.reports, self.models)

    def arguments(self) -> list[str]:
        """The global options that make another `flori` process work on the same folders."""
        folders = ["--library", str(self.library), "--reports", str(self.reports), "--models", str(self.models)]
        return [*folders, *(["--offline"] if self.offline else [])]


def resolve(given: dict[str, Any]) -> Options:
    """Options from what stood on the command line, then the environment, then config.toml, then the defaults.

    Raises BadSetting when a value in the environment or the file cannot be used.
    """
    config = Config.load(given={key: given[key] for key in ("library", "reports", "models", "offline") if key in given})
    return Options(
        library=config.folder("library"),
        reports=config.folder("reports"),
        models=config.folder("models"),
        offline=bool(config["offline"]),
        json=bool(given.get("json")),
        quiet=bool(given.get("quiet")),
        config=config,
    )
