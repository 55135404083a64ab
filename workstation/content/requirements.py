"""Libraries that a part of the program needs and that may not be installed."""

from __future__ import annotations

import importlib
from typing import Any

from workstation.content.errors import ReaderMissing


def needed(module: str, what: str, extra: str = "saved") -> Any:
    """The module, imported. ReaderMissing, with the command that installs it, when it is not there."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ReaderMissing(what, extra) from error
