"""Which files lie under the paths that were asked for, and which were passed over, with the reason."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# Folders of version control, caches and installed code: no one's documents, and easily a hundred thousand files.
_PASSED_OVER = frozenset(
    {"node_modules", "__pycache__", "site-packages", "CVS", "$RECYCLE.BIN", "System Volume Information", "__MACOSX"}
)
# Files that desktops and office programs leave beside documents.
_LITTER = ("~$", ".~lock.")
_LITTER_NAMES = frozenset({"Thumbs.db", "desktop.ini"})


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file to read. `asked`: its own path was given, not a folder's."""

    path: Path
    asked: bool


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A path that is not read. `missing`: it was asked for and is not there, or cannot be entered."""

    path: str
    reason: str
    missing: bool = False


def absolute(path: Path) -> Path:
    """The path as the library names it: from the root, without "..", links kept as the user wrote them."""
    return Path(os.path.abspath(path.expanduser()))  # noqa: PTH100  (resolve would follow links)


def walk(paths: Iterable[Path], check: Callable[[], None] = lambda: None) -> Iterator[Found | PassedOver]:
    """Files in the order of `paths`, folders by name, depth first. No file comes twice; a folder that is reached again
    through a link is passed over. `check` is called for every entry and may raise."""
    files: set[Path] = set()
    folders: set[tuple[int, int]] = set()
    for given in paths:
        path = absolute(given)
        for item in _given(path, folders, check):
            if isinstance(item, Found):
                if item.path in files:
                    continue
                files.add(item.path)
            yield item


def _given(path: Path, folders: set[tuple[int, int]], check: Callable[[], None]) -> Iterator[Found | PassedOver]:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        yield PassedOver(str(path), _why(error), missing=True)
        return
    if stat.S_ISDIR(mode):
        yield from _folder(path, folders, check)
    elif stat.S_ISREG(mode):
        yield Found(path, asked=True)
    else:
        yield PassedOver(str(path), "not a regular file", missing=True)


def _folder(top: Path, folders: set[tuple[int, int]], check: Callable[[], None]) -> Iterator[Found | PassedOver]:
    pending: list[Path] = [top]
    while pending:
        path = pending.pop()
        check()
        if path != top and (reason := unwanted(path.name)):
            yield PassedOver(str(path), reason)
            continue
        try:
            status = path.stat()
            if stat.S_ISDIR(status.st_mode):
                identity = (status.st_dev, status.st_ino)
                if identity in folders:
                    yield PassedOver(str(path), "this folder has been read already (a link leads to it)")
                    continue
                folders.add(identity)
                pending.extend(sorted(path.iterdir(), reverse=True))
            elif stat.S_ISREG(status.st_mode):
                yield Found(path, asked=False)
            else:
                yield PassedOver(str(path), "not a regular file")
        except OSError as error:
            yield PassedOver(str(path), "a link that leads nowhere" if path.is_symlink() else _why(error))


def unwanted(name: str) -> str | None:
    """Why a file or folder of this name is passed over, None when it is not."""
    if name.startswith("."):
        return "hidden"
    if name in _PASSED_OVER:
        return "a folder of installed or generated files"
    if name.startswith(_LITTER) or name in _LITTER_NAMES:
        return "left there by another program"
    return None


def _why(error: OSError) -> str:
    return {FileNotFoundError: "there is no such file or folder", PermissionError: "no permission to read it"}.get(
        type(error), (error.strerror or type(error).__name__).lower()
    )
