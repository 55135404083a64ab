"""The repository, its environment, and the data that the measuring scripts read by default."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data/quality"


def enter() -> None:
    """Goes on in the repository's own environment when this Python lacks what the program needs, and makes its packages
    importable."""
    python = Path(os.environ.get("FLORI_VENV") or ROOT / ".venv") / "bin/python"
    missing = any(importlib.util.find_spec(name) is None for name in ("apsw", "llama_cpp", "textual"))
    if missing and python.exists() and Path(sys.prefix) != python.parent.parent:
        os.execv(python, [str(python), *sys.argv])
    sys.path.insert(0, str(ROOT))
