"""What is known about a model: the values, and their reading and writing as TOML.

Two files have this shape. `catalogue.toml` (shipped) says what the defaults are and how to make them; `models.toml`
(in the models folder) is the registry of what is installed there.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath
from typing import Any

from local_models.errors import ModelFileCorrupt

ROLES = ("embedder", "reranker", "generator", "transcriber")
POOLINGS = ("mean", "cls", "last", "rank", "")
MODEL_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""An id is also the name of the model's folder."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model. part: what the backend calls it (weights, layers, words, tokenizer ...). name: path below
    the models folder, with forward slashes. size in bytes, sha256 in hex."""

    part: str
    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One installed model. context and dimension count tokens and floats; 0 means not stated.

    languages are ISO 639-1 codes; "mul" is ISO 639-2's code for many languages, and () means not stated. Prefixes and
    pooling are part of an embedder: other values give other vectors. source says where the files came from. mode is
    what a generator has shown that it can do (see `probe`), "" when nobody has looked.
    """

    id: str
    role: str
    backend: str
    files: tuple[ModelFile, ...]
    default: bool = False
    licence: str = ""
    languages: tuple[str, ...] = ()
    context: int = 0
    dimension: int = 0
    pooling: str = ""
    query_prefix: str = ""
    passage_prefix: str = ""
    source: str = ""
    mode: str = ""

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    def speaks(self, language: str | None) -> bool:
        """Is it for this language? None asks for a model of many languages; one that states none counts as such."""
        return not self.languages or "mul" in self.languages or (language or "mul") in self.languages

    def file(self, part: str) -> ModelFile | None:
        """The file of that part, or None."""
        return next((file for file in self.files if file.part == part), None)


def entry_from_table(table: Mapping[str, Any]) -> ModelEntry:
    """A model from one TOML table. Raises ValueError or TypeError naming what is wrong; unknown keys are left out."""
    files = tuple(_file_from_table(item) for item in table.get("file", ()))
    plain = {f.name for f in fields(ModelEntry)} - {"files", "languages"}
    values = {key: value for key, value in table.items() if key in plain}
    entry = ModelEntry(files=files, languages=tuple(table.get("languages", ())), **values)
    if not MODEL_ID.fullmatch(entry.id):
        raise ValueError(f"{entry.id!r} cannot be a model's id")
    if entry.role not in ROLES:
        raise ValueError(f"{entry.id}: unknown role {entry.role!r}")
    if entry.pooling not in POOLINGS:
        raise ValueError(f"{entry.id}: unknown pooling {entry.pooling!r}")
    return entry


def _file_from_table(table: Mapping[str, Any]) -> ModelFile:
    file = ModelFile(table["part"], table["name"], table["size"], table["sha256"])
    path = PurePosixPath(file.name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"a model file must lie below the models folder, not at {file.name!r}")
    return file


def read_manifest(path: Path) -> tuple[ModelEntry, ...]:
    """The models listed in a `models.toml`; an absent file lists none. Raises ModelFileCorrupt naming the file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ()
    try:
        return tuple(entry_from_table(table) for table in tomllib.loads(text).get("model", ()))
    except (ValueError, TypeError, KeyError) as error:
        raise ModelFileCorrupt(f"{path}: {error}") from error


def write_manifest(path: Path, entries: Sequence[ModelEntry]) -> None:
    """Write the registry atomically: readers see the old list or the new one, never half of it."""
    lines = ["# Installed models. Written by flori; edit only the `default` lines.", ""]
    for entry in entries:
        lines += ["[[model]]"]
        lines += [f"{f.name} = {_toml(getattr(entry, f.name))}" for f in fields(entry) if f.name != "files"]
        for file in entry.files:
            lines += ["", "[[model.file]]"]
            lines += [f"{f.name} = {_toml(getattr(file, f.name))}" for f in fields(file)]
        lines.append("")
    write_atomically(path, "\n".join(lines).encode())


def _toml(value: str | int | bool | tuple[str, ...]) -> str:
    """A TOML literal. JSON's string escapes are a subset of TOML's, but for DEL, which TOML wants escaped."""
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_atomically(path: Path, data: bytes) -> None:
    """Put `data` at `path` by way of a temporary file beside it, flushed to disk before it takes the name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
