"""Which models are in memory: one native job at a time, least recently used out first.

A backend is cheap until it is used. `Residency.use` opens it, closing others if the memory budget asks for it; a
closed backend opens again at its next use, so whoever holds one never has to care.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from local_models.errors import ModelRefused
from local_models.native import JOB


class Resident(Protocol):
    """A backend whose native part can be opened and shut."""

    @property
    def label(self) -> str:
        """Its name in messages."""

    @property
    def memory_bytes(self) -> int:
        """About what the open backend takes."""

    def open_native(self) -> None: ...

    def shut_native(self) -> None: ...


class Residency:
    """Keeps open models within `budget_bytes` (None: no limit)."""

    def __init__(self, budget_bytes: int | None = None) -> None:
        self._budget = budget_bytes
        self._open: OrderedDict[int, Resident] = OrderedDict()

    @contextmanager
    def use(self, model: Resident) -> Iterator[None]:
        """Hold the machine for one native job of `model`, opened if need be."""
        with JOB:
            if id(model) not in self._open:
                self._make_room(model)
                model.open_native()
                self._open[id(model)] = model
            self._open.move_to_end(id(model))
            yield

    def drop(self, model: Resident) -> None:
        """Shut a model, if it is open."""
        with JOB:
            if self._open.pop(id(model), None) is not None:
                model.shut_native()

    def clear(self) -> None:
        """Shut all models."""
        with JOB:
            for model in list(self._open.values()):
                self.drop(model)

    def _make_room(self, model: Resident) -> None:
        if self._budget is None:
            return
        if model.memory_bytes > self._budget:
            needs, has = model.memory_bytes // 2**20, self._budget // 2**20
            raise ModelRefused(f"{model.label} needs about {needs:,} MB of memory; the budget is {has:,} MB")
        while sum(m.memory_bytes for m in self._open.values()) + model.memory_bytes > self._budget:
            self.drop(next(iter(self._open.values())))
