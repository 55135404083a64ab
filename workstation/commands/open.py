"""`flori open`: the original of a source, at the place that a citation names."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workstation.commands.places import clock
from workstation.core.text import one_line
from workstation.errors import BadInput, Exit, NotAvailable
from workstation.options import Options
from workstation.output import emit, say

if TYPE_CHECKING:
    from storage.library import Library

# Each with what makes it begin at a place. {at} is seconds, {page} counts from 1.
PLAYERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("mpv", ("--start={at}", "--", "{file}")),
    ("vlc", ("--start-time={at}", "{file}")),
    ("ffplay", ("-loglevel", "error", "-autoexit", "-ss", "{at}", "-i", "{file}")),
)
READERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("evince", ("--page-label={page}", "{file}")),
    ("okular", ("--page", "{page}", "{file}")),
    ("zathura", ("--page={page}", "{file}")),
    ("mupdf", ("{file}", "{page}")),
)
OPENERS: tuple[tuple[str, tuple[str, ...]], ...] = (("xdg-open", ("{file}",)), ("open", ("{file}",)))
IN_TERMINAL = ("mpv", "ffplay")
"""Played in the foreground: their keys work where flori was called."""


class NoOriginal(BadInput):
    title = "There is no original of this source"
    hint = "Its stored text: flori sources show ID"


class NoOpener(NotAvailable):
    title = "There is no program to open this with"
    hint = "Install mpv (recordings) or xdg-utils (everything else), or open the file yourself"


class NoSuchNumber(BadInput):
    title = "The report has no source with this number"
    hint = "Its sources stand in sources.json, and at the end of report.md"


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be opened. version: None is the current one."""

    source: int
    version: str | None
    at: float | None
    page: int | None


def run(options: Options, what: str, number: int | None, at: float | None, page: int | None) -> int:
    """Exit 0 when a program was started on the file."""
    folder = Path(what).expanduser()
    if not what.isdigit() and folder.is_dir():
        if number is None:
            return _start(options, folder / "report.md", "", None, None, None)
        target = _cited(folder, number, at, page)
    elif what.isdigit():
        target = Target(int(what), None, at, page)
    else:
        raise BadInput(f"{what}: neither the number of a source nor the folder of a run")
    from workstation.services import Services

    with Services(options) as services:
        source = services.library.source(target.source)
        file = _original(services.library, target)
    return _start(options, file, source.kind, target.source, target.at, target.page)


def _cited(folder: Path, number: int, at: float | None, page: int | None) -> Target:
    """The source with that number in a run, at the first place that the run found in it."""
    from workstation.engine.launch import load_run

    entry = load_run(folder).entry(number)
    if entry is None:
        raise NoSuchNumber(f"[{number}] in {folder}")
    place = entry.places[0] if entry.places else None
    if at is None and page is None and place is not None:
        at, page = place.t0, place.page
    return Target(entry.source, entry.version, at, page)


def _original(library: Library, target: Target) -> Path:
    """The file where it was found, if its bytes are still those that were read, else the library's copy."""
    source = library.source(target.source)
    version = target.version or source.version
    kept = library.original(target.source, target.version)
    there = Path(source.path)
    if there.is_file() and (kept is None or _same(there, kept, version.partition("#")[0])):
        return there
    if kept is None or not kept.is_file():
        raise NoOriginal(f"source {target.source}: {source.path}")
    return kept


def _same(file: Path, kept: Path, digest: str) -> bool:
    """The same bytes? A file that was not touched since the copy was made is not read for it."""
    import hashlib

    now, then = file.stat(), kept.stat()
    if now.st_size != then.st_size:
        return False
    if now.st_mtime <= then.st_mtime:
        return True
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() == digest


def show(library: Library, target: Target) -> dict[str, Any]:
    """Starts a program on the original of a source, at the place; {program, file}. Raises NoOriginal or NoOpener."""
    return show_file(_original(library, target), library.source(target.source).kind, target.at, target.page)


def show_file(file: Path, kind: str = "", at: float | None = None, page: int | None = None) -> dict[str, Any]:
    """Starts a program on a file; one that plays in a terminal gets none, for somebody else writes there."""
    name, command = _command(file, kind, at, page)
    _launch(command)
    return {"program": name, "file": str(file)}


def _start(options: Options, file: Path, kind: str, source: int | None, at: float | None, page: int | None) -> int:
    if not file.is_file():
        raise NoOriginal(str(file))
    name, command = _command(file, kind, at, page)
    if options.json:
        emit({"source": source, "file": str(file), "at": at, "page": page, "command": command})
    else:
        where = f" @ {clock(at)}" if at is not None else f", page {page}" if page is not None else ""
        itself = " (go to the place yourself)" if where and command[1:] == [str(file.absolute())] else ""
        say(f"{one_line(file.name)}{where}, with {name}{itself}")
    if name in IN_TERMINAL and not options.json and sys.stdin.isatty():
        return Exit.DONE if subprocess.run(command, check=False).returncode == 0 else Exit.NEGATIVE
    _launch(command)
    return Exit.DONE


def _launch(command: list[str]) -> None:
    quiet = subprocess.DEVNULL
    subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


def _command(file: Path, kind: str, at: float | None, page: int | None) -> tuple[str, list[str]]:
    """The first program that is there, with its arguments. What can begin at the place comes before what cannot."""
    able = PLAYERS if kind == "recording" else READERS if kind == "pdf" and page is not None else ()
    for name, arguments in (*able, *OPENERS):
        if program := shutil.which(name):
            values = {"file": str(file.absolute()), "at": f"{at or 0:g}", "page": page or 1}
            return name, [program, *(argument.format(**values) for argument in arguments)]
    names = ", ".join(name for name, _ in (*able, *OPENERS))
    raise NoOpener(f"{file} (looked for {names})")
