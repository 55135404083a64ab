"""How a place in a source is said, as far as it is said the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workstation.core.messages import text


def percent(share: float) -> int:
    """A share as whole percent, never more than it is."""
    return int(100 * share + 1e-9)


def from_image(sure: float, language: str = "en") -> str:
    """That a text was read from an image, and how sure its reader was: "read from the image, 93 %"."""
    return text("from_image", language, percent(sure))


def page_of(locator: Mapping[str, Any]) -> str:
    """ "p. 4 (read from the image, 93 %)" for a locator document with a page, else ""."""
    page, sure = locator.get("page"), locator.get("ocr")
    if page is None:
        return ""
    return f"{text('pages', 'en')} {page}" + (f" ({from_image(sure)})" if isinstance(sure, float | int) else "")
