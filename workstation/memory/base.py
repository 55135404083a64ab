"""What all values and events of a run's memory have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """Base of all values in memory: frozen, and strict about names."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class EventBase(Value):
    seq: int = 0
    time: str = ""
