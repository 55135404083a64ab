"""Where things are: the library, the run folders, the models, the settings, the logs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

APP = "florilegium"
SAMPLE_LIBRARY = "sample-library"
PRIVATE_FOLDER = 0o700
"""What a person reads and asks is nobody else's business: folders are made for the owner alone."""


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of one invocation."""

    library: Path
    reports: Path
    models: Path


def data_dir() -> Path:
    """The platform's folder for a user's data, below which library, reports and models lie by default."""
    import platformdirs

    return Path(platformdirs.user_data_dir(APP, appauthor=False))


def config_file() -> Path:
    """config.toml in the platform's settings folder; FLORI_CONFIG names another file."""
    if asked := os.environ.get("FLORI_CONFIG"):
        return Path(asked).expanduser()
    import platformdirs

    return Path(platformdirs.user_config_dir(APP, appauthor=False)) / "config.toml"


def log_dir() -> Path:
    """Where the trace of an unexpected error is kept."""
    import platformdirs

    return Path(platformdirs.user_log_dir(APP, appauthor=False))


def state_dir() -> Path:
    """Where the log of what left the machine is kept."""
    import platformdirs

    return Path(platformdirs.user_state_dir(APP, appauthor=False))


def cache_dir() -> Path:
    """What can be fetched again: pages."""
    import platformdirs

    return Path(platformdirs.user_cache_dir(APP, appauthor=False))


def sample_dir() -> Path:
    """The sample library that comes with the program."""
    return Path(__file__).resolve().parent / "sample"


def sample_library() -> Path:
    """The library that the sample is put into: one of its own, so that it never mixes with the user's."""
    return data_dir() / SAMPLE_LIBRARY


def has_library(folder: Path) -> bool:
    """Whether a library was ever made in this folder."""
    return (folder / "library.db").exists()


def private_folder(path: Path) -> Path:
    """Makes `path` (and its parents) for the owner alone, and returns it. A folder that is there keeps its mode."""
    for folder in (*reversed(path.parents), path):
        if not folder.exists():
            folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    return path
