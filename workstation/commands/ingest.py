"""`flori ingest`: files, folders and pages into the library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from workstation.bootstrap import give_way
from workstation.commands.interrupt import interruptible
from workstation.errors import Exit, Offline
from workstation.jobs.naming import URL, NoSuchPath, absolute, is_there
from workstation.options import Options
from workstation.output import emit, say

if TYPE_CHECKING:
    from workstation.content.results import IngestResult

LISTED = 20
"""Lines of each kind that are shown; --json lists all."""


def run(options: Options, named: Sequence[str], kind: str | None, allowed: Sequence[str] = ()) -> int:
    """Exit 0 when something is in the library afterwards, 1 when nothing could be read, 130 when it was stopped."""
    urls = [each for each in named if URL.match(each)]
    paths = [each for each in named if not URL.match(each)]
    if urls and options.offline:
        raise Offline(urls[0])
    if unknown := _unknown(options, paths):
        raise NoSuchPath("\n".join(unknown))
    from workstation.jobs.reading import read_in
    from workstation.jobs.recording import begun

    give_way()
    job = partial(begun, options.library, [*urls, *map(absolute, paths)], kind, allowed)
    with interruptible() as cancel:
        result, stopped = read_in(options, paths, urls, kind, allowed, cancel, job)
    if options.json:
        emit(result.to_json() | {"stopped": stopped})
    else:
        _show(result, stopped)
    if stopped:
        return Exit.INTERRUPTED
    return Exit.DONE if result.sources or not result.failed else Exit.NEGATIVE


def _unknown(options: Options, paths: Sequence[str]) -> list[str]:
    """Paths where there is nothing and of which the library knows nothing; a known one is noted as vanished."""
    gone = [path for path in paths if not is_there(path)]
    if not gone:
        return []
    from storage.errors import LibraryMissing
    from workstation.services import Services

    try:
        with Services(options) as services:
            library = services.library
            known = {path for path in gone if library.source_at(full := absolute(path)) or library.paths_under(full)}
            return [path for path in gone if path not in known]
    except LibraryMissing:
        return gone


def _show(result: IngestResult, stopped: bool) -> None:
    changes = Counter(entry.change for entry in result.sources)
    told = ", ".join(f"{changes[change]} {change}" for change in ("added", "updated", "unchanged") if changes[change])
    passages = sum(entry.passages for entry in result.sources)
    sources = "1 source" if len(result.sources) == 1 else f"{len(result.sources)} sources"
    found = "1 passage" if passages == 1 else f"{passages} passages"
    say(f"{sources} ({told or 'none'}), {found}, {result.seconds:.1f} s")
    _list("with a remark", [(e.path, e.status) for e in result.sources if e.status != "ok"])
    waiting = sum(e.pages.get("needs_ocr", 0) for e in result.sources)
    if waiting:
        from workstation.content.pages import INSTALL

        say(f"\nImages that wait to be read: {waiting}. To read them: {INSTALL}, and the same command again")
    _list("copies of others", [(e.path, f"like {e.duplicate_of}") for e in result.sources if e.duplicate_of])
    _list("could not be read", [(refusal.path, refusal.reason) for refusal in result.failed])
    _list("skipped", [(refusal.path, refusal.reason) for refusal in result.skipped])
    _list("gone", [(path, "the file is not there any more; its stored text stays") for path in result.vanished])
    if stopped:
        say("Stopped. The same command goes on from here.")


def _list(title: str, rows: Sequence[tuple[str, str]]) -> None:
    if rows:
        say(f"\n{len(rows)} {title}:")
        for path, reason in rows[:LISTED]:
            say(f"  {path}: {reason}")
        if len(rows) > LISTED:
            say(f"  and {len(rows) - LISTED} more (--json lists all)")
