"""What a person names to be read: files and folders as a shell would understand them, and addresses of pages."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

from workstation.errors import BadInput

URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


class NoSuchPath(BadInput):
    title = "There is no such file or folder"
    hint = "Check the path"


def absolute(path: str) -> str:
    """The full path, with ~ understood and links left as they are."""
    return os.path.abspath(Path(path).expanduser())  # noqa: PTH100  (resolve() would follow links)


def is_there(path: str) -> bool:
    return os.path.lexists(Path(path).expanduser())


def named_in(line: str) -> list[str]:
    """The addresses and full paths that a typed line names: one path, spaces and all, or several words quoted as in a
    shell. Raises NoSuchPath, with the full path of what is not there."""
    line = line.strip()
    if line and not URL.match(line) and is_there(line):
        return [absolute(line)]
    try:
        words = shlex.split(line)
    except ValueError:  # a quotation mark that is a part of a name
        words = [line]
    if missing := [word for word in words if not URL.match(word) and not is_there(word)]:
        raise NoSuchPath(absolute(line if len(missing) == len(words) else missing[0]))
    return [word if URL.match(word) else absolute(word) for word in words]
