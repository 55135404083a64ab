"""`flori ingest`: files and folders into the library."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workstation.bootstrap import give_way
from workstation.commands.interrupt import interruptible
from workstation.errors import BadInput, Exit, NotAvailable
from workstation.options import Options
from workstation.output import emit, say
from workstation.progress import Step, meter

if TYPE_CHECKING:
    from workstation.content.results import IngestResult, Progress

URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
LISTED = 20
"""Lines of each kind that are shown; --json lists all."""


class NoSuchPath(BadInput):
    title = "There is no such file or folder"
    hint = "Check the path"


def run(options: Options, paths: Sequence[str], kind: str | None) -> int:
    """Exit 0 when something is in the library afterwards, 1 when nothing could be read, 130 when it was stopped."""
    if urls := [path for path in paths if URL.match(path)]:
        raise NotAvailable(f"{urls[0]}: fetching is not available in this version; save the page and ingest the file")
    if unknown := _unknown(options, paths):
        raise NoSuchPath("\n".join(unknown))
    give_way()
    result, stopped = _ingest(options, paths, kind)
    if options.json:
        emit(result.to_json() | {"stopped": stopped})
    else:
        _show(result, stopped)
    if stopped:
        return Exit.INTERRUPTED
    return Exit.DONE if result.sources or not result.failed else Exit.NEGATIVE


def _ingest(options: Options, paths: Sequence[str], kind: str | None) -> tuple[IngestResult, bool]:
    """What was taken in, and whether it was stopped before its end."""
    from workstation.content.adapters import Adapters
    from workstation.content.ingest import IngestCancelled, ingest
    from workstation.services import Services

    with Services(options, write=True, create=True) as services, interruptible() as cancel:
        embedder, library = services.embedder, services.library
        with meter(options, "passages") as shown:

            def progress(at: Progress) -> None:
                label = f"{at.files_done}/{at.files_total} files  {Path(at.path).name}"
                if at.pages_total:
                    label += f", page image {at.pages_done + 1} of {at.pages_total}"
                shown.show(Step(at.passages_done, at.passages_total, at.rate, at.seconds_left, label))

            try:
                adapters = Adapters().seeing(services.page_reader)
                found = ingest(paths, library, embedder, cancel=cancel, progress=progress, kind=kind, adapters=adapters)
                return found, False
            except IngestCancelled as stop:
                return stop.result, True


def _unknown(options: Options, paths: Sequence[str]) -> list[str]:
    """Paths where there is nothing and of which the library knows nothing; a known one is noted as vanished."""
    gone = [path for path in paths if not os.path.lexists(Path(path).expanduser())]
    if not gone:
        return []
    from storage.errors import LibraryMissing
    from workstation.services import Services

    try:
        with Services(options) as services:
            library = services.library
            known = {path for path in gone if library.source_at(full := _full(path)) or library.paths_under(full)}
            return [path for path in gone if path not in known]
    except LibraryMissing:
        return gone


def _full(path: str) -> str:
    return os.path.abspath(Path(path).expanduser())  # noqa: PTH100  (resolve() would follow links)


def _show(result: IngestResult, stopped: bool) -> None:
    changes = Counter(entry.change for entry in result.sources)
    told = ", ".join(f"{changes[change]} {change}" for change in ("added", "updated", "unchanged") if changes[change])
    passages = sum(entry.passages for entry in result.sources)
    say(f"{len(result.sources)} sources ({told or 'none'}), {passages} passages, {result.seconds:.1f} s")
    _list("with a remark", [(e.path, e.status) for e in result.sources if e.status != "ok"])
    waiting = sum(e.pages.get("needs_ocr", 0) for e in result.sources)
    if waiting:
        from workstation.content.pages import INSTALL

        say(f"\nImages that wait to be read: {waiting}. To read them: {INSTALL}, and the same command again")
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
