"""What all values and events of a run's memory have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """Base of all values in memory: frozen, and strict about names."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class EventBase(Value):
    seq: int = 0
    time: str = ""


class Place(Value):
    """An address inside a source version: text[start:end], with page (from 1), heading, or seconds t0..t1. `ocr`: the
    text was read from an image of the page, and how sure its reader was, in [0, 1]."""

    start: int
    end: int
    page: int | None = None
    heading: str | None = None
    t0: float | None = None
    t1: float | None = None
    ocr: float | None = None
