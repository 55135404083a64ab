"""What `flori models` does: list, verify, import, remove. Plain functions over a models folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from local_models.errors import ModelError, ModelFileCorrupt, ModelMissing
from local_models.integrity import Health
from local_models.manifest import ROLES, ModelEntry
from local_models.protocols import CancelCheck, never
from local_models.registry import Registry

if TYPE_CHECKING:
    from local_models.probe import Result

WORKING = {"embedder": 150 * 2**20, "reranker": 128 * 2**20, "generator": 256 * 2**20, "transcriber": 192 * 2**20}
"""About what an open model takes beside its files, by role; the backends know it better once they are made."""


@dataclass(frozen=True, slots=True)
class ListedModel:
    """One installed model. size in bytes. in_use: its role would take this one. problem: "" when its files are there
    and whole."""

    id: str
    role: str
    backend: str
    size: int
    licence: str
    languages: tuple[str, ...]
    context: int
    default: bool
    in_use: bool
    source: str
    files: tuple[Path, ...]
    problem: str


@dataclass(frozen=True, slots=True)
class SeenModel:
    """One installed model as it is seen without reading its files. size and memory (about what it takes when it is
    open) in bytes; mode: the writer mode that a probe has measured. problem and hint are "" when nothing is wrong."""

    id: str
    role: str
    size: int
    memory: int
    licence: str
    languages: tuple[str, ...]
    context: int
    mode: str
    source: str
    files: tuple[str, ...]
    health: Health
    problem: str
    hint: str


@dataclass(frozen=True, slots=True)
class Serving:
    """What serves a role. id is "" when nothing does; why: chosen (in the configuration), default, first, or none.
    problem: a choice that is not installed."""

    role: str
    id: str
    why: str
    problem: str


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """One shipped model that `scripts/install_models` can install."""

    id: str
    role: str
    size: int
    licence: str
    languages: tuple[str, ...]
    installed: bool


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome of hashing all files of a model. problem and hint are "" when it is whole."""

    id: str
    role: str
    whole: bool
    problem: str
    hint: str


def list_models(models_dir: Path, choices: Mapping[str, str] | None = None) -> tuple[ListedModel, ...]:
    """The installed models. choices: the configured model of each role."""
    registry = Registry(models_dir, choices)
    return tuple(_listed(registry, entry) for entry in registry.entries())


def look_at_models(models_dir: Path, choices: Mapping[str, str] | None = None) -> tuple[SeenModel, ...]:
    """The installed models without reading their files, so at once however large they are."""
    registry = Registry(models_dir, choices)
    return tuple(_seen(registry, entry) for entry in registry.entries())


def serving(models_dir: Path, choices: Mapping[str, str] | None = None) -> tuple[Serving, ...]:
    """Which model serves each role, and why. The page reader comes with a package and is not among them."""
    return tuple(_serving(Registry(models_dir, choices), role, (choices or {}).get(role, "")) for role in ROLES)


def page_reader_installed() -> bool:
    """Can images of pages be read here? Their reader comes with the extra `ocr`."""
    from local_models.page_reader import installed

    return installed()


def list_offers(models_dir: Path) -> tuple[OfferedModel, ...]:
    """The shipped models, and which of them are installed."""
    from local_models.catalogue import offers

    present = {entry.id for entry in Registry(models_dir).entries()}
    return tuple(
        OfferedModel(o.entry.id, o.entry.role, o.entry.size, o.entry.licence, o.entry.languages, o.entry.id in present)
        for o in offers()
    )


def verify_models(
    models_dir: Path, model_id: str | None = None, told: Callable[[str, int, int], None] | None = None
) -> tuple[Verification, ...]:
    """Hash the files of one model, or of all; `told` gets each one's id, number (from 0) and how many there are.
    Raises ModelMissing when the named model is not installed."""
    registry = Registry(models_dir)
    entries = registry.entries() if model_id is None else (registry.get(model_id),)
    found = []
    for number, entry in enumerate(entries):
        if told:
            told(entry.id, number, len(entries))
        found.append(_verified(entry, registry.verify(entry)))
    return tuple(found)


def import_model(
    models_dir: Path,
    path: Path,
    role: str,
    *,
    model_id: str | None = None,
    query_prefix: str | None = None,
    passage_prefix: str | None = None,
    default: bool = True,
) -> ListedModel:
    """Take in a file or folder that the user brought (see `importing.import_file`). Raises ModelError."""
    from local_models.importing import import_file

    registry = Registry(models_dir)
    entry = import_file(
        registry,
        path,
        role,
        model_id=model_id,
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        default=default,
    )
    return _listed(registry, entry)


def probe_model(models_dir: Path, model_id: str | None = None, cancelled: CancelCheck = never) -> tuple[str, Result]:
    """Measure what a generator can be trusted with, and keep it in models.toml; the one in use when none is named.
    Returns its id and what it passed. Raises ModelMissing."""
    from dataclasses import replace

    from local_models.loader import Loader
    from local_models.probe import probe

    loader = Loader(models_dir, choices={"generator": model_id} if model_id else {})
    try:
        entry, generator = loader.entry("generator"), loader.generator()
        if entry is None or generator is None:
            raise ModelMissing(f"no generator is installed in {models_dir}")
        result = probe(generator, cancelled)
    finally:
        loader.close()
    Registry(models_dir).replace(replace(entry, mode=result.mode))
    return entry.id, result


def remove_model(models_dir: Path, model_id: str) -> ListedModel:
    """Delete a model; returns what it was. Raises ModelMissing."""
    registry = Registry(models_dir)
    listed = _listed(registry, registry.get(model_id))
    registry.remove(model_id)
    return listed


def _listed(registry: Registry, entry: ModelEntry) -> ListedModel:
    try:
        registry.paths(entry)
        problem = ""
    except ModelError as error:
        problem = f"{error.title}: {error}"
    try:
        in_use = registry.pick(entry.role) == entry
    except ModelError:
        in_use = False
    return ListedModel(
        entry.id,
        entry.role,
        entry.backend,
        entry.size,
        entry.licence,
        entry.languages,
        entry.context,
        entry.default,
        in_use,
        entry.source,
        tuple(registry.models_dir / file.name for file in entry.files),
        problem,
    )


def _seen(registry: Registry, entry: ModelEntry) -> SeenModel:
    health, worst = registry.health(entry)
    fault = {"missing": ModelMissing, "damaged": ModelFileCorrupt}.get(health)
    said = {"missing": f"{worst} is not there", "damaged": f"{worst} has another size than the registry says"}
    return SeenModel(
        entry.id,
        entry.role,
        entry.size,
        entry.size + WORKING.get(entry.role, 0),
        entry.licence,
        entry.languages,
        entry.context,
        entry.mode,
        entry.source,
        tuple(str(registry.models_dir / file.name) for file in entry.files),
        health,
        f"{fault.title}: {said[health]}" if fault else "",
        fault.hint if fault else "",
    )


def _serving(registry: Registry, role: str, chosen: str) -> Serving:
    try:
        entry = registry.pick(role)
    except ModelMissing as error:
        return Serving(role, "", "none", str(error))
    if entry is None:
        return Serving(role, "", "none", "")
    return Serving(role, entry.id, "chosen" if chosen else "default" if entry.default else "first", "")


def _verified(entry: ModelEntry, fault: ModelError | None) -> Verification:
    if fault is None:
        return Verification(entry.id, entry.role, True, "", "")
    return Verification(entry.id, entry.role, False, f"{fault.title}: {fault}", fault.hint)
