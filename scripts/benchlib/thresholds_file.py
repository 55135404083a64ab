"""Writes one embedder's section of thresholds.toml and leaves everything else in it as it stands.

The file is flat: [[embedder]] sections, each with its fingerprint, and [unmeasured] at the end.
"""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Mapping

WIDTH = 118
HEADER, LAST = "[[embedder]]", "[unmeasured]"
FINGERPRINT = 16
"""Hexadecimal digits: 64 bits tell embedders apart."""


def section(fingerprint: str, about: str, numbers: Mapping[str, tuple[float, str]]) -> str:
    """numbers: value and the comment above it."""
    lines = [HEADER, *_comment(about), f'fingerprint = "{fingerprint[:FINGERPRINT]}"']
    for name, (value, because) in numbers.items():
        lines += [*_comment(because), f"{name} = {round(value, 4)}"]
    return "\n".join(lines) + "\n"


def with_section(text: str, new: str) -> str:
    """`text` with the section `new` in place of the one with its fingerprint, else as the last embedder's."""
    fingerprint = _fingerprint(new)
    parts = re.split(r"(?m)^(?=\[)", text)
    for at, part in enumerate(parts):
        if part.startswith(HEADER) and _same(_fingerprint(part), fingerprint):
            parts[at] = new + _after(part)
            break
    else:
        at = next((at for at, part in enumerate(parts) if part.startswith(LAST)), len(parts))
        parts.insert(at, new + "\n")
    written = "".join(parts)
    tomllib.loads(written)
    return written


def _fingerprint(part: str) -> str:
    return str(tomllib.loads(part)["embedder"][0]["fingerprint"])


def _same(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def _after(part: str) -> str:
    """What stands behind the last number of a section: it belongs to what follows."""
    end = [match.end() for match in re.finditer(r"(?m)^\w+ *=.*\n?", part)][-1]
    return part[end:]


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False)
