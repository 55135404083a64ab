"""Taking in a model file that the user brought: look at it, copy it whole, register it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path

from local_models.errors import ModelMissing, ModelRefused
from local_models.inspection import inspect
from local_models.manifest import MODEL_ID, ROLES, ModelEntry, ModelFile
from local_models.registry import Registry

CHUNK = 1 << 20


def import_file(
    registry: Registry,
    path: Path,
    role: str,
    *,
    model_id: str | None = None,
    query_prefix: str | None = None,
    passage_prefix: str | None = None,
    default: bool = True,
) -> ModelEntry:
    """Copy a GGUF, a whisper.cpp model or a sentence-transformers folder into the models folder and list it.

    model_id: its name (the file's own by default); an installed model of that name is replaced. Prefixes are what the
    model's card says to put before texts; None takes what the file says. default: use it for its role from here on.
    Raises ModelMissing, ModelFileCorrupt or ModelRefused; the models folder is then as it was.
    """
    if role not in ROLES:
        raise ModelRefused(f"there is no role {role!r}; roles are {', '.join(ROLES)}")
    if not path.exists():
        raise ModelMissing(f"{path} is not there")
    identifier = model_id or _identifier(path)
    if not MODEL_ID.fullmatch(identifier):
        raise ModelRefused(f"{identifier!r} cannot be a model's name: letters, digits, dots, dashes, underscores")
    facts = inspect(path, role)
    files = _copy(path, registry.models_dir, identifier)
    entry = ModelEntry(
        identifier,
        role,
        facts.backend,
        files,
        default=default,
        licence=facts.licence,
        languages=facts.languages,
        context=facts.context,
        dimension=facts.dimension,
        pooling=facts.pooling,
        query_prefix=_first(query_prefix, facts.query_prefix),
        passage_prefix=_first(passage_prefix, facts.passage_prefix),
        source=f"imported from {path.name}",
    )
    registry.add(entry)
    registry.paths(registry.get(identifier))  # hashes the copy, so that what was written is what was read
    return registry.get(identifier)


def _first(given: str | None, found: str) -> str:
    return found if given is None else given


def _identifier(path: Path) -> str:
    name = path.name if path.is_dir() else path.stem
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-._")


def _copy(path: Path, models_dir: Path, identifier: str) -> tuple[ModelFile, ...]:
    """Copy beside the final place, then rename: a half copy never has the model's name."""
    models_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = Path(tempfile.mkdtemp(prefix=".importing-", dir=models_dir))
    try:
        files = []
        for source in _sources(path):
            relative = source.relative_to(path) if path.is_dir() else Path(path.name)
            target = temporary / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            digest = _copy_and_hash(source, target)
            part = relative.as_posix() if path.is_dir() else "weights"
            files.append(ModelFile(part, f"{identifier}/{relative.as_posix()}", target.stat().st_size, digest))
        final = models_dir / identifier
        shutil.rmtree(final, ignore_errors=True)
        temporary.replace(final)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    return tuple(files)


def _sources(path: Path) -> list[Path]:
    """The file itself; of a folder the model's files, without hidden ones and other formats' weights."""
    if path.is_file():
        return [path]
    found = sorted(file for file in path.rglob("*") if file.is_file())
    relative = {file: file.relative_to(path) for file in found}
    return [
        file
        for file in found
        if not any(part.startswith(".") or part in ("onnx", "openvino") for part in relative[file].parts)
    ]


def _copy_and_hash(source: Path, target: Path) -> str:
    digest = hashlib.sha256()
    with source.open("rb") as reading, target.open("wb") as writing:
        while chunk := reading.read(CHUNK):
            digest.update(chunk)
            writing.write(chunk)
        writing.flush()
        os.fsync(writing.fileno())
    return digest.hexdigest()
