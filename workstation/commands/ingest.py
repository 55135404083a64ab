"""`flori ingest`: files, folders and pages into the library."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from workstation.bootstrap import give_way
from workstation.commands.interrupt import interruptible
from workstation.commands.places import clock
from workstation.core.cancel import Cancelled, CancelToken
from workstation.errors import BadInput, Exit, Offline
from workstation.options import Options
from workstation.output import emit, say
from workstation.progress import Meter, Step, meter

if TYPE_CHECKING:
    from workstation.content.media_progress import Heard
    from workstation.content.results import IngestResult, Progress, Refusal
    from workstation.content.web import WebDocument

URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
LISTED = 20
"""Lines of each kind that are shown; --json lists all."""


class NoSuchPath(BadInput):
    title = "There is no such file or folder"
    hint = "Check the path"


def run(options: Options, named: Sequence[str], kind: str | None, allowed: Sequence[str] = ()) -> int:
    """Exit 0 when something is in the library afterwards, 1 when nothing could be read, 130 when it was stopped."""
    urls = [each for each in named if URL.match(each)]
    paths = [each for each in named if not URL.match(each)]
    if urls and options.offline:
        raise Offline(urls[0])
    if unknown := _unknown(options, paths):
        raise NoSuchPath("\n".join(unknown))
    give_way()
    result, stopped = _ingest(options, paths, urls, kind, allowed)
    if options.json:
        emit(result.to_json() | {"stopped": stopped})
    else:
        _show(result, stopped)
    if stopped:
        return Exit.INTERRUPTED
    return Exit.DONE if result.sources or not result.failed else Exit.NEGATIVE


def _ingest(
    options: Options, paths: Sequence[str], urls: Sequence[str], kind: str | None, allowed: Sequence[str]
) -> tuple[IngestResult, bool]:
    """What was taken in, and whether it was stopped before its end. Pages come first: a person waits for them."""
    from storage.records import Problem
    from workstation.commands.readers import readers, unfinished
    from workstation.content.ingest import IngestCancelled, ingest, ingest_documents
    from workstation.content.ingest import Options as How
    from workstation.content.media_kept import forget
    from workstation.content.results import IngestResult
    from workstation.services import Services

    with Services(options, write=True, create=True) as services, interruptible() as cancel:
        embedder = services.embedder  # without one, nothing is fetched
        documents, refused, stopped = _fetched(options, urls, allowed, cancel)
        library = services.library
        result = IngestResult(failed=list(refused))
        for failure in refused:
            library.record_problem(Problem(failure.path, "failed", failure.reason))
        with meter(options, "passages") as shown:
            told = _Told(shown)
            adapters = readers(services, told.heard).seeing(services.page_reader)
            how = How(kind=kind)
            try:
                if documents and not stopped:
                    result.extend(
                        ingest_documents(
                            documents,
                            library,
                            embedder,
                            cancel=cancel,
                            progress=told.stored,
                            options=how,
                            adapters=adapters,
                        )
                    )
                if paths and not stopped:
                    result.extend(
                        ingest(
                            paths,
                            library,
                            embedder,
                            cancel=cancel,
                            progress=told.stored,
                            kind=kind,
                            adapters=adapters,
                        )
                    )
            except IngestCancelled as stop:
                result.extend(stop.result)
                stopped = True
        forget(unfinished(services), lambda digest: bool(library.sources_with_hash(digest)))
        return result, stopped


def _fetched(
    options: Options, urls: Sequence[str], allowed: Sequence[str], cancel: CancelToken
) -> tuple[list[WebDocument], list[Refusal], bool]:
    """The pages in the order in which they were named, those that could not be had, and whether it was stopped."""
    from workstation.content.results import Refusal
    from workstation.content.web import WebDocument

    if not urls:
        return [], [], False
    from workstation.discovery.fetcher import Fetcher
    from workstation.engine.pages import Scripts, fetch_all, fetch_settings

    wanted = list(dict.fromkeys(urls))
    found: dict[str, WebDocument] = {}
    refused: dict[str, Refusal] = {}
    with Fetcher(fetch_settings(options, allowed, run="ingest")) as fetcher, meter(options, "pages") as shown:

        def done(number: int, url: str) -> None:
            shown.show(Step(number, len(wanted), 0.0, None, url))

        try:
            with Scripts(options, fetcher, "named by the user") as scripts:
                for url, outcome in fetch_all(fetcher, wanted, "named by the user", cancel, done, scripts):
                    if isinstance(outcome, WebDocument):
                        found[url] = outcome
                    else:
                        refused[url] = Refusal(url, outcome.reason)
        except Cancelled:
            return [], [], True
    pages = {found[url].path: found[url] for url in wanted if url in found}  # two addresses may lead to one page
    return list(pages.values()), [refused[url] for url in wanted if url in refused], False


class _Told:
    """Shows what the ingest tells, and what a recording that is being read tells meanwhile, from its own thread."""

    def __init__(self, shown: Meter) -> None:
        self._shown = shown
        self._last = Step(0, 0, 0.0, None)

    def stored(self, at: Progress) -> None:
        label = f"{at.files_done}/{at.files_total} files  {Path(at.path).name}"
        if at.pages_total:
            label += f", page image {at.pages_done + 1} of {at.pages_total}"
        self._last = Step(at.passages_done, at.passages_total, at.rate, at.seconds_left, label)
        self._shown.show(self._last)

    def heard(self, at: Heard) -> None:
        of = f" of {clock(at.total)}" if at.total else ""
        label = f"{clock(at.seconds)}{of}  {at.name}"
        self._shown.show(replace(self._last, left=at.left, label=label))


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
