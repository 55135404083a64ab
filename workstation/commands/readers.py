"""The readers of files with what they need of an installation: models, settings, a place for unfinished work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from workstation.content.adapters import RECORDING, SUBTITLES, Adapters
from workstation.content.media_progress import Heard
from workstation.services import Services

UNFINISHED = "unfinished"
"""Below the library: the words of recordings that are not stored yet."""


def readers(services: Services, heard: Callable[[Heard], None] | None = None) -> Adapters:
    """heard: told how far a recording is, by the thread that reads."""
    subtitles = bool(services.options.config["subtitles"])
    return Adapters().adding(
        RECORDING.given(
            transcribers=services.loader.transcriber,
            keep=unfinished(services),
            subtitles=subtitles,
            heard=heard,
        ),
        SUBTITLES.given(subtitles=subtitles),
    )


def unfinished(services: Services) -> Path:
    return services.options.library / UNFINISHED
