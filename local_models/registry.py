"""The models that are installed in one folder: list, pick, verify, add, remove.

<models>/models.toml       the list
<models>/<id>/...          each model's files
<models>/.verified.json    which files were hashed, and what they looked like then
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from local_models.errors import ModelError, ModelMissing
from local_models.integrity import WORST, Health, Integrity
from local_models.manifest import ModelEntry, read_manifest, write_manifest

MANIFEST = "models.toml"


class Registry:
    """One models folder. `choices` maps a role to the id of the model that the configuration prefers."""

    def __init__(self, models_dir: Path, choices: Mapping[str, str] | None = None) -> None:
        self.models_dir = models_dir
        self._choices = dict(choices or {})
        self._entries = read_manifest(models_dir / MANIFEST)
        self._integrity = Integrity(models_dir)

    def entries(self, role: str | None = None) -> tuple[ModelEntry, ...]:
        """All models, or those of one role, in the order in which they were installed."""
        return tuple(entry for entry in self._entries if role in (None, entry.role))

    def get(self, model_id: str) -> ModelEntry:
        """The model with that id. Raises ModelMissing."""
        for entry in self._entries:
            if entry.id == model_id:
                return entry
        raise ModelMissing(f"no model {model_id!r} is installed in {self.models_dir}")

    def pick(self, role: str, model_id: str | None = None) -> ModelEntry | None:
        """The model for a role: the one asked for, else the configured one, else the default, else the first.

        None when the role has no model at all. Raises ModelMissing when a named model is not installed, or does not
        have this role.
        """
        wanted = model_id or self._choices.get(role)
        candidates = self.entries(role)
        if wanted is not None:
            if entry := next((entry for entry in candidates if entry.id == wanted), None):
                return entry
            raise ModelMissing(f"the {role} {wanted!r} is not installed in {self.models_dir}")
        return next((entry for entry in candidates if entry.default), candidates[0] if candidates else None)

    def paths(self, entry: ModelEntry, *, full: bool = False) -> dict[str, Path]:
        """The files of a model by part, each one checked. Raises ModelMissing or ModelFileCorrupt."""
        return {file.part: self._integrity.check(file, full=full) for file in entry.files}

    def health(self, entry: ModelEntry) -> tuple[Health, Path | None]:
        """The worst that can be said of a model's files without reading them, and of which one."""
        found = [(self._integrity.look(file), self.models_dir / file.name) for file in entry.files]
        return min(found, key=lambda each: WORST.index(each[0]), default=("missing", None))

    def verify(self, entry: ModelEntry) -> ModelError | None:
        """Hash every file of a model; the first fault, or None when all are whole."""
        try:
            self.paths(entry, full=True)
        except ModelError as error:
            return error
        return None

    def add(self, entry: ModelEntry) -> None:
        """Put a model on the list (its files are in place), replacing one with the same id. The first of a role
        becomes its default, and a model that is flagged default takes the flag from the others of its role."""
        others = [other for other in self._entries if other.id != entry.id]
        if not any(other.role == entry.role for other in others):
            entry = replace(entry, default=True)
        if entry.default:
            others = [replace(other, default=False) if other.role == entry.role else other for other in others]
        self._save((*others, entry))

    def replace(self, entry: ModelEntry) -> None:
        """Keep other facts about a model that is on the list, in its place."""
        self._save(tuple(entry if other.id == entry.id else other for other in self._entries))

    def remove(self, model_id: str) -> ModelEntry:
        """Take a model off the list, then delete its folder; another of its role becomes the default."""
        entry = self.get(model_id)
        rest = [other for other in self._entries if other.id != model_id]
        heir = next((other for other in rest if other.role == entry.role), None)
        if entry.default and heir is not None:
            rest = [replace(other, default=True) if other is heir else other for other in rest]
        import shutil

        self._save(tuple(rest))
        shutil.rmtree(self.models_dir / model_id, ignore_errors=True)
        return entry

    def _save(self, entries: tuple[ModelEntry, ...]) -> None:
        write_manifest(self.models_dir / MANIFEST, entries)
        self._entries = entries
